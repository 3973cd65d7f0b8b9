// Programs written in Go: from apt where a source has them, else built from their modules.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './announcement.mjs';
import { lastLine, runCommand } from './command.mjs';
import { fetchGo, usableGo } from './go.mjs';
import { CACHE, CACHE_BIN, findProgram, hasApt, privilegeOfUser } from './machine.mjs';
import { installPackages, packageExists } from './packages.mjs';

/** @typedef {{name: string, module: string, package: string | null, why: string, without: string}} GoProgram */

/** @type {GoProgram} */
export const K6 = {
  name: 'k6',
  module: 'go.k6.io/k6@v1.8.1',
  package: 'k6',
  why: 'generates load at a fixed rate',
  without: 'no latency at a fixed rate can be measured',
};

/** Run and check workflows. @type {GoProgram[]} */
export const WORKFLOW_PROGRAMS = [
  {
    name: 'act',
    module: 'github.com/nektos/act@v0.2.89',
    package: null,
    why: 'runs workflows on this machine',
    without: 'tests of the workflows cannot run',
  },
  {
    name: 'actionlint',
    module: 'github.com/rhysd/actionlint/cmd/actionlint@v1.7.12',
    package: null,
    why: 'checks workflows',
    without: 'workflows cannot be checked',
  },
];

async function build(go, module) {
  mkdirSync(CACHE_BIN, { recursive: true });
  const env = { GOBIN: CACHE_BIN, CGO_ENABLED: '0', GOTELEMETRY: 'off', GOTOOLCHAIN: 'auto', GOFLAGS: '-trimpath' };
  // Our own toolchain builds in a folder of its own, which goes afterwards: it is 1 GB that nobody needs again.
  const own = go.startsWith(CACHE);
  const scratch = join(CACHE, 'go-build');
  if (own) Object.assign(env, { GOPATH: scratch, GOCACHE: join(scratch, 'cache'), GOTOOLCHAIN: 'local', GOROOT: '' });
  // Modules are unpacked read-only unless told otherwise, and could not be removed.
  if (own) env.GOFLAGS += ' -modcacherw';
  const result = await runCommand(go, ['install', module], { env });
  if (own) rmSync(scratch, { recursive: true, force: true });
  return result;
}

/** @param {GoProgram} program @returns {Promise<string | null>} why it is not there; null when it is. */
export async function ensureGoProgram({ name, module, package: debian, why }) {
  if (findProgram(name)) return null;
  if (debian !== null && hasApt() && privilegeOfUser() && (await packageExists(debian))) {
    const failures = await timed(`${name} from apt: ${why}`, () => installPackages([[debian]]));
    if (failures.size === 0) return null;
  }
  const go = (await usableGo()) ?? (await ensureGo().catch((error) => error));
  if (go instanceof Error) return go.message;
  const result = await timed(`${name} with go install ${module}: ${why}`, () => build(go, module));
  return result.ok ? null : lastLine(result.output);
}

/** @returns {Promise<string>} path of `go`; rejects where none can be had. */
export async function ensureGo() {
  const go = await usableGo();
  if (go) return go;
  return timed('Go from the Go module proxy: builds k6 and the test server', () => fetchGo());
}
