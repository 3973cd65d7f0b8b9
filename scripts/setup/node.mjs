// The Node.js that actions are run by (`using: node24` in action.yml). Scripts go on with it where the machine's own is too old.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './announcement.mjs';
import { download } from './download.mjs';
import { CACHE, pinnedProgram } from './machine.mjs';

const NODE_VERSION = '24.20.0';
/** Of `engines` in package.json: major and minor. */
export const OLDEST_NODE = [22, 12];
/** Holds nothing else, so that it can stand first on a PATH. */
export const NODE_FOLDER = join(CACHE, 'node24');
export const NODE = join(NODE_FOLDER, 'node');

const SHA512 = {
  x64: 'tkBwUleGts0UUnK+6HKJkEsOMFb9bkG/YvXw8/alFTaDSUbneVeAFVqu6ELHXuyvVYP4vo1hNAAEfN9zl0Cm3g==',
  arm64: 'LDOiQuLlruQpQRp0ddfGZurc1xqYSlX3dYk/3shzhQfCb8IgCPwtWf1RMQCGAWGFhZNbhihhSwGeNRHA+V2pTg==',
};

export const WITHOUT_ACTION_NODE = 'what only the Node.js of actions can do cannot be tested';

/** @returns {boolean} whether a Node.js of this version runs all that is here. */
export function isNewEnough(version = process.versions.node) {
  const [major, minor] = version.split('.').map(Number);
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1]);
}

/** @returns {string | null} path of the one that set-up has brought. */
export function broughtNode() {
  return pinnedProgram('node', NODE_VERSION, NODE_FOLDER);
}

/** @returns {Promise<string | null>} why there is none; null when there is. */
export async function ensureNode() {
  if (broughtNode() !== null) return null;
  const sha512 = SHA512[process.arch];
  if (sha512 === undefined || process.platform !== 'linux') return `none for ${process.platform} ${process.arch}`;
  const why = isNewEnough() ? 'what actions are run by' : `this one, ${process.version}, is too old`;
  return timed(`Node.js ${NODE_VERSION} from npm: ${why}`, () => install(sha512)).then(
    () => null,
    (error) => error.message,
  );
}

async function install(sha512) {
  const name = `node-linux-${process.arch}`;
  const url = `https://registry.npmjs.org/${name}/-/${name}-${NODE_VERSION}.tgz`;
  const archive = await download(url);
  const got = createHash('sha512').update(archive).digest('base64');
  if (got !== sha512) throw new Error(`${url} has the SHA-512 ${got}, and ${sha512} is pinned`);
  mkdirSync(NODE_FOLDER, { recursive: true });
  const unpacked = join(CACHE, `node.${process.pid}`);
  writeFileSync(unpacked, execFileSync('tar', ['-xzO', 'package/bin/node'], { input: archive, maxBuffer: 2 ** 29 }));
  chmodSync(unpacked, 0o755);
  // Another version that runs at this moment cannot be written over, and can be replaced.
  renameSync(unpacked, NODE);
}

/**
 * Who runs on the Node.js that was brought has none that is new enough: `npm run` looks in this folder first.
 * @param {string} root folder of package.json, after its dependencies were installed
 */
export function linkNode(root) {
  const folder = join(root, 'node_modules', '.bin');
  if (process.execPath !== NODE || !existsSync(folder)) return;
  rmSync(join(folder, 'node'), { force: true });
  symlinkSync(process.execPath, join(folder, 'node'));
}
