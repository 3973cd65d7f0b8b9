// k6: from apt where a source has it, else built from its Go module.
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './announcement.mjs';
import { lastLine, runCommand } from './command.mjs';
import { fetchGo, usableGo } from './go.mjs';
import { CACHE, CACHE_BIN, findProgram, hasApt, privilegeOfUser } from './machine.mjs';
import { installPackages, packageExists } from './packages.mjs';

const MODULE = 'go.k6.io/k6@v1.8.1';

async function build(go) {
  mkdirSync(CACHE_BIN, { recursive: true });
  const env = { GOBIN: CACHE_BIN, CGO_ENABLED: '0', GOTELEMETRY: 'off', GOTOOLCHAIN: 'auto', GOFLAGS: '-trimpath' };
  // Our own toolchain builds in a folder of its own, which goes afterwards: it is 1 GB that nobody needs again.
  const own = go.startsWith(CACHE);
  const scratch = join(CACHE, 'go-build');
  if (own) Object.assign(env, { GOPATH: scratch, GOCACHE: join(scratch, 'cache'), GOTOOLCHAIN: 'local', GOROOT: '' });
  // Modules are unpacked read-only unless told otherwise, and could not be removed.
  if (own) env.GOFLAGS += ' -modcacherw';
  const result = await runCommand(go, ['install', MODULE], { env });
  if (own) rmSync(scratch, { recursive: true, force: true });
  return result;
}

/** @returns {Promise<string | null>} why there is no k6; null when there is. */
export async function ensureK6() {
  if (findProgram('k6')) return null;
  if (hasApt() && privilegeOfUser() && (await packageExists('k6'))) {
    const failures = await timed('k6 from apt: generates load at a fixed rate', () => installPackages([['k6']]));
    if (failures.size === 0) return null;
  }
  const go = (await usableGo()) ?? (await ensureGo().catch((error) => error));
  if (go instanceof Error) return go.message;
  const result = await timed(`k6 with go install ${MODULE}: generates load at a fixed rate`, () => build(go));
  return result.ok ? null : lastLine(result.output);
}

/** @returns {Promise<string>} path of `go`; rejects where none can be had. */
export async function ensureGo() {
  const go = await usableGo();
  if (go) return go;
  return timed('Go from the Go module proxy: builds k6 and the test server', () => fetchGo());
}
