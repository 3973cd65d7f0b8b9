// A Go toolchain, for building k6 and the static test server where none is on the machine.
import { chmodSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCommand } from './command.mjs';
import { download } from './download.mjs';
import { CACHE, findProgram } from './machine.mjs';
import { filesOfZip, moduleChecksum } from './module-zip.mjs';

const VERSION = 'go1.26.8';
/** As sum.golang.org has them for golang.org/toolchain@v0.0.1-VERSION.linux-ARCHITECTURE. */
const CHECKSUMS = {
  amd64: 'h1:ZOmGe1OnfREDMIdb1Qi4G9JSuDPBLGExZMQ4nis1RXM=',
  arm64: 'h1:sYL/O6MqS68ML0kjsQ36WoYIpJqkw60TxizWUYUKQMc=',
};
const ARCHITECTURE = { x64: 'amd64', arm64: 'arm64' }[process.arch];

/** From 1.21 on, Go fetches a newer version of itself where a module asks for one. */
const OLDEST = [1, 21];

/** @returns {Promise<string | null>} path of a Go that can build k6. */
export async function usableGo() {
  const go = findProgram('go');
  if (go === null) return null;
  const { output } = await runCommand(go, ['version'], { env: { GOTOOLCHAIN: 'local' } });
  const [major, minor] = /go(\d+)\.(\d+)/.exec(output)?.slice(1).map(Number) ?? [0, 0];
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]) ? go : cachedGo();
}

function cachedGo() {
  const path = join(CACHE, 'go', 'bin', 'go');
  return existsSync(path) ? path : null;
}

/**
 * Fetches the toolchain from the Go module proxy, checks it against the pinned checksum and unpacks it into the cache.
 * @returns {Promise<string>} path of `go`. Rejects where the proxy cannot be reached or the checksum differs.
 */
export async function fetchGo() {
  const present = cachedGo();
  if (present) return present;
  if (!ARCHITECTURE || process.platform !== 'linux')
    throw new Error(`no Go toolchain for ${process.platform} ${process.arch}`);
  const version = `v0.0.1-${VERSION}.linux-${ARCHITECTURE}`;
  const zip = await download(`https://proxy.golang.org/golang.org/toolchain/@v/${version}.zip`);
  const files = [...filesOfZip(zip)];
  if (moduleChecksum(files) !== CHECKSUMS[ARCHITECTURE])
    throw new Error(`the checksum of ${VERSION} is not the pinned one`);

  const unpacked = join(CACHE, `go.${process.pid}`);
  for (const { name, content } of files) {
    const path = join(unpacked, name.slice(`golang.org/toolchain@${version}/`.length));
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, content);
  }
  // Module zips keep no permissions.
  for (const folder of ['bin', join('pkg', 'tool', `linux_${ARCHITECTURE}`)]) {
    const path = join(unpacked, folder);
    if (existsSync(path)) for (const name of readdirSync(path)) chmodSync(join(path, name), 0o755);
  }
  const final = join(CACHE, 'go');
  rmSync(final, { recursive: true, force: true });
  renameSync(unpacked, final);
  return join(final, 'bin', 'go');
}
