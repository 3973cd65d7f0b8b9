// Programs written in Go: from their release, from apt where a source has them, else built from their modules.
import { createHash } from 'node:crypto';
import { chmodSync, copyFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { announce, timed } from './announcement.mjs';
import { lastLine, runCommand } from './command.mjs';
import { download } from './download.mjs';
import { fetchGo, usableGo } from './go.mjs';
import { CACHE, CACHE_BIN, composeProgram, findProgram, hasApt, pinnedProgram, privilegeOfUser } from './machine.mjs';
import { installPackages, packageExists } from './packages.mjs';

/**
 * `main`: folder of the program in its module. `pinned`: no other version will do, and none that was here before. `archive`: of a
 * release, where there is one for this machine. `find`: where it may be beside the PATH. `alone`: it is built as the main module,
 * since what its go.mod replaces counts nowhere else: https://go.dev/ref/mod#go-mod-file-replace
 * @typedef {{name: string, module: string, main?: string, version: string, pinned?: boolean, package: string | null,
 *   find?: () => string | null, alone?: boolean,
 *   archive?: {url: string, sha256: string, program: string}, why: string, without: string}} GoProgram
 */

const release = JSON.parse(readFileSync(new URL('../../src/core/generators/k6/release.json', import.meta.url), 'utf8'));
const archive = release.archives[`${process.platform}-${process.arch}`];

/** @type {GoProgram} */
export const K6 = {
  name: 'k6',
  module: release.module,
  version: release.version,
  package: 'k6',
  archive: archive && {
    url: `https://github.com/grafana/k6/releases/download/v${release.version}/k6-v${release.version}-${archive.platform}.tar.gz`,
    sha256: archive.sha256,
    program: `k6-v${release.version}-${archive.platform}/k6`,
  },
  why: 'generates load at a fixed rate',
  without: 'no latency at a fixed rate can be measured',
};

/** Debian's package is its first version, in Python, which lacks half of the format. @type {GoProgram} */
export const COMPOSE = {
  name: 'docker-compose',
  module: 'github.com/docker/compose/v5',
  main: 'cmd',
  version: '5.1.0',
  alone: true,
  package: null,
  find: composeProgram,
  why: 'reads compose files',
  without: 'reading compose files by Docker Compose cannot be tested',
};

/** Run and check workflows. @type {GoProgram[]} */
export const WORKFLOW_PROGRAMS = [
  {
    name: 'act',
    module: 'github.com/nektos/act',
    version: '0.2.89',
    package: null,
    why: 'runs workflows on this machine',
    without: 'tests of the workflows cannot run',
  },
  {
    name: 'actionlint',
    module: 'github.com/rhysd/actionlint',
    main: 'cmd/actionlint',
    version: '1.7.12',
    pinned: true,
    package: null,
    why: 'checks workflows',
    without: 'workflows cannot be checked',
  },
];

/** @param {GoProgram} program @returns {boolean} */
function isHere({ name, version, pinned, find = () => findProgram(name) }) {
  return (pinned ? pinnedProgram(name, version) : find()) !== null;
}

const mainOf = ({ module, main }) => (main === undefined ? module : `${module}/${main}`);

/** What a person would type. @param {GoProgram} program */
export function goInstallCommand(program) {
  if (program.alone) return `go build ./${program.main} in ${program.module}@v${program.version}`;
  const folder = program.pinned ? `GOBIN=${CACHE_BIN} ` : '';
  return `${folder}go install ${mainOf(program)}@v${program.version}`;
}

async function build(go, program) {
  mkdirSync(CACHE_BIN, { recursive: true });
  const env = {
    GOBIN: CACHE_BIN,
    CGO_ENABLED: '0',
    GOTELEMETRY: 'off',
    GOTOOLCHAIN: 'auto',
    GOFLAGS: '-trimpath -buildvcs=false',
  };
  // Our own toolchain builds in a folder of its own, which goes afterwards: it is 1 GB that nobody needs again.
  const own = go.startsWith(CACHE);
  const scratch = join(CACHE, 'go-build');
  if (own) Object.assign(env, { GOPATH: scratch, GOCACHE: join(scratch, 'cache'), GOTOOLCHAIN: 'local', GOROOT: '' });
  // Modules are unpacked read-only unless told otherwise, and could not be removed.
  if (own) env.GOFLAGS += ' -modcacherw';
  const folder = mkdtempSync(join(tmpdir(), 'wrkbench-go-'));
  const result = await (program.alone ? buildAlone : buildAsDependency)(go, program, folder, env);
  rmSync(folder, { recursive: true, force: true });
  if (own) rmSync(scratch, { recursive: true, force: true });
  return result;
}

/**
 * From a module of its own, which asks for this version and no other: `go install …@v…` reads the list of all versions
 * as well, and not every mirror has that.
 */
function buildAsDependency(go, program, folder, env) {
  writeFileSync(join(folder, 'go.mod'), `module build\n\nrequire ${program.module} v${program.version}\n`);
  const GOFLAGS = `${env.GOFLAGS} -mod=mod`;
  return runCommand(go, ['install', mainOf(program)], { cwd: folder, env: { ...env, GOFLAGS } });
}

/** In a copy of its module, whose own go.mod and go.sum say what it is made of. */
async function buildAlone(go, { name, module, main, version }, folder, env) {
  const fetched = await runCommand(go, ['mod', 'download', '-json', `${module}@v${version}`], { cwd: folder, env });
  const [, source] = /"Dir": "(.+)"/.exec(fetched.output) ?? [];
  if (!fetched.ok || source === undefined) return { ...fetched, ok: false };
  const copy = join(folder, name);
  cpSync(source, copy, { recursive: true });
  return runCommand(go, ['build', '-o', join(CACHE_BIN, name), `./${main}`], { cwd: copy, env });
}

/** @returns {Promise<string | null>} why it could not be had; null where it lies in the cache now. */
async function fetchArchive(name, { url, sha256, program }) {
  const bytes = await download(url);
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) return `${url} has the checksum ${found}, where ${sha256} was expected.`;
  const folder = mkdtempSync(join(tmpdir(), 'wrkbench-archive-'));
  try {
    writeFileSync(join(folder, 'archive.tar.gz'), bytes);
    const unpacked = await runCommand('tar', ['-xzf', 'archive.tar.gz', program], { cwd: folder });
    if (!unpacked.ok) return lastLine(unpacked.output);
    mkdirSync(CACHE_BIN, { recursive: true });
    copyFileSync(join(folder, program), join(CACHE_BIN, name));
    chmodSync(join(CACHE_BIN, name), 0o755);
    return null;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * In seconds, where its release or a package can be had.
 * @param {GoProgram} program @returns {Promise<boolean>} whether it is here now
 */
export async function fetchGoProgram(program) {
  const { name, package: debian, why } = program;
  if (isHere(program)) return true;
  if (program.archive !== undefined) {
    const failure = await timed(`${name} from its release: ${why}`, () => fetchArchive(name, program.archive)).catch(
      (error) => error.message,
    );
    if (failure === null) return true;
    announce(`${name}: ${failure} Taking another way.`);
  }
  if (debian !== null && hasApt() && privilegeOfUser() && (await packageExists(debian))) {
    const failures = await timed(`${name} from apt: ${why}`, () => installPackages([[debian]]));
    if (failures.size === 0) return true;
  }
  return false;
}

/** In minutes. @param {GoProgram} program @returns {Promise<string | null>} why it could not be; null when it is here. */
export async function buildGoProgram(program) {
  const { name, why } = program;
  const go = (await usableGo()) ?? (await ensureGo().catch((error) => error));
  if (go instanceof Error) return go.message;
  const result = await timed(`${name} with ${goInstallCommand(program)}: ${why}`, () => build(go, program));
  return result.ok ? null : lastLine(result.output);
}

/** @param {GoProgram} program @returns {Promise<string | null>} why it is not there; null when it is. */
export async function ensureGoProgram(program) {
  return (await fetchGoProgram(program)) ? null : buildGoProgram(program);
}

let fetching;

/** Once for all who ask at the same time. @returns {Promise<string>} path of `go`; rejects where none can be had. */
export async function ensureGo() {
  const go = await usableGo();
  if (go) return go;
  fetching ??= timed('Go from the Go module proxy: builds k6 and the test server', () => fetchGo());
  return fetching;
}
