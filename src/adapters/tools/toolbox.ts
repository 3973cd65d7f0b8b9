import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cacheDir, find } from '@actions/tool-cache';
import { type Toolbox, ToolMissing } from '../../app/ports/tools.ts';
import type { GeneratorProgram } from '../../core/generators/definition.ts';
import { type GeneratorName, generators } from '../../core/generators/registry.ts';
import { locateGenerator } from '../generators/locate.ts';
import { runCommand } from '../process/command.ts';
import { findProgram } from '../process/programs.ts';
import { asRoot } from '../process/root-command.ts';
import { temporaryFolderFailure } from '../process/temporary-folder-failure.ts';
import { downloadedProgram } from './download.ts';

export interface ToolboxOptions {
  /** Folder for what is thrown away after the job; null takes the system's. */
  temporary: string | null;
  /** Instead of what their definitions say. */
  programs?: Partial<Record<GeneratorName, GeneratorProgram>>;
  say(text: string): void;
}

/** A way to a program: its path, or why there is none this way; null where the way does not exist here. */
type Way = (
  name: GeneratorName,
  program: GeneratorProgram,
  options: ToolboxOptions,
  signal: AbortSignal,
) => Promise<{ path: string; how: string } | { closed: string } | null>;

/** In this order. The first that gives a program is taken. */
const WAYS: readonly Way[] = [fromPath, fromToolCache, fromDownload, fromPackage, fromGo];

const PACKAGE_SECONDS = 300;
const GO_SECONDS = 600;

export function createToolbox(options: ToolboxOptions): Toolbox {
  return {
    async bring(names, signal) {
      for (const name of names) await brought(name, options, signal);
    },
  };
}

async function brought(name: GeneratorName, options: ToolboxOptions, signal: AbortSignal): Promise<void> {
  const closed: string[] = [];
  for (const way of WAYS) {
    signal.throwIfAborted();
    const found = await way(name, options.programs?.[name] ?? generators[name].program, options, signal);
    if (found === null) continue;
    if ('path' in found) {
      options.say(`${name}: ${found.path} (${found.how})`);
      // Where generators are looked for from now on.
      process.env.PATH = [dirname(found.path), process.env.PATH].join(':');
      return;
    }
    closed.push(found.closed);
  }
  const { failure } = locateGenerator(name);
  throw new ToolMissing([failure ?? `${name} is not here.`, ...closed].join('\n'));
}

async function fromPath(name: GeneratorName) {
  const { path } = locateGenerator(name);
  return path === null ? null : { path, how: 'was here' };
}

/** What an earlier step, or on a runner of one's own an earlier job, has downloaded or built. */
async function fromToolCache(name: GeneratorName, { release }: GeneratorProgram) {
  const folder = cacheFolder() === null || release === null ? '' : find(name, release.version);
  return folder === '' ? null : { path: join(folder, name), how: "from the runner's tool cache" };
}

async function fromDownload(
  name: GeneratorName,
  { release }: GeneratorProgram,
  { temporary }: ToolboxOptions,
  signal: AbortSignal,
) {
  const archive = release?.archives[`${process.platform}-${process.arch}`];
  if (release == null || archive === undefined) return null;
  const downloaded = await downloadedProgram(name, archive, temporary, signal);
  if ('closed' in downloaded) return downloaded;
  return { path: await kept(downloaded.path, name, release.version), how: `downloaded, ${release.version}` };
}

/** Not in the tool cache afterwards: a package lies all over the system, and apt itself sees that it is there. */
async function fromPackage(name: GeneratorName, program: GeneratorProgram, _: ToolboxOptions, signal: AbortSignal) {
  const aptGet = findProgram('apt-get');
  const debian = program.packages['apt-get'];
  if (debian === undefined || aptGet === null) return null;
  const call = async (...args: string[]) => {
    const [command, ...rest] = asRoot([aptGet, ...args]);
    return await runCommand(command, rest, { timeoutSeconds: PACKAGE_SECONDS, signal });
  };
  const install = ['install', '--yes', '--no-install-recommends', debian];
  let { failure } = await call(...install);
  // A fresh machine may have no lists, or old ones.
  if (failure !== null && (await call('update')).failure === null) ({ failure } = await call(...install));
  if (failure !== null) return { closed: `Debian's package ${debian} cannot be installed: ${failure}` };
  const { path } = locateGenerator(name);
  return path === null
    ? { closed: `Debian's package ${debian} brought no ${name}.` }
    : { path, how: 'installed by apt-get' };
}

async function fromGo(
  name: GeneratorName,
  { release }: GeneratorProgram,
  { temporary }: ToolboxOptions,
  signal: AbortSignal,
) {
  const go = findProgram('go');
  const goModule = release?.goModule ?? null;
  if (release === null || goModule === null || go === null) return null;
  const parent = temporary ?? tmpdir();
  const folder = await mkdtemp(join(parent, 'wrkbench-go-')).catch((error) => {
    throw temporaryFolderFailure(error, parent);
  });
  const { failure } = await runCommand(go, ['install', goModule], {
    timeoutSeconds: GO_SECONDS,
    signal,
    env: goEnvironment(folder),
  });
  if (failure !== null) return { closed: `go install ${goModule} failed: ${failure}` };
  return { path: await kept(join(folder, name), name, release.version), how: `built from ${goModule}` };
}

function goEnvironment(bin: string): Record<string, string> {
  const passed = ['PATH', 'HOME', 'GOPROXY', 'GOSUMDB', 'GOFLAGS', 'HTTPS_PROXY', 'https_proxy', 'SSL_CERT_FILE'];
  const own = passed.flatMap((key) => (process.env[key] === undefined ? [] : [[key, process.env[key]!] as const]));
  return { ...Object.fromEntries(own), GOBIN: bin, GOTOOLCHAIN: 'auto' };
}

/** Puts it into the tool cache, out of the folder that it lies in alone. Where nothing can be kept, it stays. */
async function kept(path: string, name: GeneratorName, version: string): Promise<string> {
  if (cacheFolder() === null) return path;
  try {
    return join(await cacheDir(dirname(path), name, version), name);
  } catch {
    // A folder that cannot be written costs a later step its time, and this one nothing.
    return path;
  }
}

/** `@actions/tool-cache` throws where the runner has none. */
function cacheFolder(): string | null {
  return process.env.RUNNER_TOOL_CACHE || null;
}
