// The Node.js that actions are run by (`using: node24` in action.yml), beside the one that runs the tests.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './announcement.mjs';
import { download } from './download.mjs';
import { CACHE_BIN, pinnedProgram } from './machine.mjs';

export const ACTION_NODE = { name: 'node24', version: '24.20.0' };
const SHA512 = {
  x64: 'tkBwUleGts0UUnK+6HKJkEsOMFb9bkG/YvXw8/alFTaDSUbneVeAFVqu6ELHXuyvVYP4vo1hNAAEfN9zl0Cm3g==',
  arm64: 'LDOiQuLlruQpQRp0ddfGZurc1xqYSlX3dYk/3shzhQfCb8IgCPwtWf1RMQCGAWGFhZNbhihhSwGeNRHA+V2pTg==',
};

export const WITHOUT_ACTION_NODE = 'what only the Node.js of actions can do cannot be tested';

/** @returns {Promise<string | null>} why there is none; null when there is. */
export async function ensureActionNode() {
  if (pinnedProgram(ACTION_NODE.name, ACTION_NODE.version)) return null;
  const sha512 = SHA512[process.arch];
  if (sha512 === undefined || process.platform !== 'linux') return `none for ${process.platform} ${process.arch}`;
  return timed(`Node.js ${ACTION_NODE.version} from npm: what actions are run by`, () => installed(sha512)).then(
    () => null,
    (error) => error.message,
  );
}

async function installed(sha512) {
  const name = `node-linux-${process.arch}`;
  const url = `https://registry.npmjs.org/${name}/-/${name}-${ACTION_NODE.version}.tgz`;
  const archive = await download(url);
  const got = createHash('sha512').update(archive).digest('base64');
  if (got !== sha512) throw new Error(`${url} has the SHA-512 ${got}, and ${sha512} is pinned`);
  mkdirSync(CACHE_BIN, { recursive: true });
  const unpacked = join(CACHE_BIN, `${ACTION_NODE.name}.new`);
  const content = execFileSync('tar', ['-xzO', 'package/bin/node'], { input: archive, maxBuffer: 512 * 1024 * 1024 });
  writeFileSync(unpacked, content);
  chmodSync(unpacked, 0o755);
  // Another version that runs at this moment cannot be written over, and can be replaced.
  rmSync(join(CACHE_BIN, ACTION_NODE.name), { force: true });
  renameSync(unpacked, join(CACHE_BIN, ACTION_NODE.name));
}
