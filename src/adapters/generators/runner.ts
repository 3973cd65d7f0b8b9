import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  GeneratorNotStarted,
  type GeneratorRun,
  type GeneratorRunner,
  type GeneratorRunRequest,
} from '../../app/ports.ts';
import { type Invocation, UnreadableOutput } from '../../core/generators/definition.ts';
import type { GeneratorOutcome } from '../../core/generators/outcome.ts';
import { generators } from '../../core/generators/registry.ts';
import type { Case, GeneratorName } from '../../core/plan/case.ts';
import { parseCpuList } from '../../core/topology/cpu-list.ts';
import { type ChildRun, runChild } from './child.ts';
import { confined } from './confinement.ts';
import { type Environment, locateGenerator } from './locate.ts';
import { makeWorkFolder } from './work-folder.ts';

export interface GeneratorRunnerOptions {
  /** Folder of the spec file, absolute: what a k6 script template is relative to. */
  specDirectory: string;
  /** Where programs are looked for; by default that of this process. */
  environment?: Environment;
  /** Where the folders of executions are made; by default the system's. */
  workDirectory?: string;
}

/** Beside its connections: log, result, epoll, the event loops of threads, what a runtime opens for itself. */
const OWN_FILES = 256;
const VERSION_TIMEOUT_SECONDS = 10;

/** Runs wrk, k6 and ab, and whatever else stands in the registry, as processes of this machine. */
export function createGeneratorRunner(options: GeneratorRunnerOptions): GeneratorRunner {
  const environment = options.environment ?? process.env;
  const versions = new Map<GeneratorName, Promise<string | null>>();
  return {
    version(name) {
      const known = versions.get(name) ?? versionOf(name, environment, options.workDirectory);
      versions.set(name, known);
      return known;
    },
    run: (request, signal) => run(request, signal, options, environment),
  };
}

async function run(
  request: GeneratorRunRequest,
  signal: AbortSignal,
  options: GeneratorRunnerOptions,
  environment: Environment,
): Promise<GeneratorRun> {
  signal.throwIfAborted();
  const name = request.case.generator;
  const program = locate(name, environment);
  const scriptTemplate = await templateOf(request.case, options.specDirectory);
  const folder = await makeWorkFolder(options.workDirectory);
  try {
    const { origin, durationSeconds, rate, cpus } = request;
    const cpuCount = cpus === null ? null : (parseCpuList(cpus)?.length ?? null);
    const invocation = generators[name].invocation({
      case: request.case,
      origin,
      durationSeconds,
      rate,
      cpuCount,
      directory: folder.path,
      scriptTemplate,
    });
    await folder.write(invocation.files);
    const command = confined(
      { program, arguments: invocation.arguments },
      { cpus, openFiles: request.case.connections + OWN_FILES },
      environment,
    );
    const child = await runChild(
      {
        command,
        directory: folder.path,
        env: childEnvironment(environment, folder.path, invocation.env),
        timeoutSeconds: invocation.timeoutSeconds,
        cpuCount,
        onTick: request.onTick,
      },
      signal,
    );
    refuseUnstarted(name, child);
    return result(name, invocation, child, await folder.read(invocation.results));
  } finally {
    await folder.remove();
  }
}

/** Nothing of ours but where programs and temporary files are: no token, no proxy, no setting of the generator's. */
function childEnvironment(environment: Environment, directory: string, own: Record<string, string>) {
  return { PATH: environment.PATH ?? '', HOME: directory, LANG: 'C.UTF-8', TMPDIR: directory, ...own };
}

function result(
  name: GeneratorName,
  invocation: Invocation,
  child: ChildRun,
  files: Record<string, string>,
): GeneratorRun {
  const { stdout, stderr, ...measured } = child;
  const raw = { 'stdout.txt': stdout, 'stderr.txt': stderr, ...files };
  return {
    ...measured,
    ...outcomeOf(name, invocation, child, files),
    raw: Object.fromEntries(Object.entries(raw).filter(([, content]) => content !== '')),
  };
}

function outcomeOf(
  name: GeneratorName,
  invocation: Invocation,
  child: ChildRun,
  files: Record<string, string>,
): { outcome: GeneratorOutcome | null; failure: string | null } {
  const seconds = (child.durationNs / 1e9).toFixed(1);
  if (child.timedOut) {
    return failed(
      `${name} was still running after ${seconds} s, though it should have ended by itself within ${invocation.timeoutSeconds} s; it was killed, and what it had measured is lost.`,
    );
  }
  if (child.signal !== null) {
    return failed(
      `${name} was ended by ${child.signal} from outside after ${seconds} s, and what it had measured is lost. Where nobody did that, the machine may have run out of memory (\`dmesg\` says so).`,
    );
  }
  try {
    const outcome = generators[name].outcome({ ...child, files });
    return { outcome, failure: null };
  } catch (error) {
    if (error instanceof UnreadableOutput) return failed(error.message);
    throw error;
  }
}

const failed = (failure: string) => ({ outcome: null, failure });

/** The wrappers speak in their own name before they become the generator. */
function refuseUnstarted(name: GeneratorName, { exitCode, stderr }: ChildRun): void {
  if (exitCode === 0 || !/^(?:taskset|prlimit|setpriv): /.test(stderr)) return;
  throw new GeneratorNotStarted(`${name} could not be started: ${stderr.trim()}.`);
}

function locate(name: GeneratorName, environment: Environment): string {
  const { path, failure } = locateGenerator(name, environment);
  if (path === null) throw new GeneratorNotStarted(failure);
  return path;
}

/** The user's own script, where the case names one. */
async function templateOf({ load }: Case, specDirectory: string): Promise<string | null> {
  if (load.generator !== 'k6' || load.script === null) return null;
  const path = resolve(specDirectory, load.script);
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw new GeneratorNotStarted(
      `The k6 script ${path} cannot be read (${(error as NodeJS.ErrnoException).code}). Correct load.k6.script in the spec; it is relative to the spec file.`,
    );
  }
}

async function versionOf(
  name: GeneratorName,
  environment: Environment,
  workDirectory?: string,
): Promise<string | null> {
  const { path } = locateGenerator(name, environment);
  if (path === null) return null;
  const folder = await makeWorkFolder(workDirectory);
  try {
    const { stdout, stderr } = await runChild(
      {
        command: { program: path, arguments: generators[name].versionArguments },
        directory: folder.path,
        env: childEnvironment(environment, folder.path, {}),
        timeoutSeconds: VERSION_TIMEOUT_SECONDS,
        cpuCount: null,
      },
      new AbortController().signal,
    );
    return generators[name].versionOf(`${stdout}\n${stderr}`);
  } catch {
    return null;
  } finally {
    await folder.remove();
  }
}
