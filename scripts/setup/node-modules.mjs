// The project's own dependencies.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { announce, timed } from './announcement.mjs';
import { lastLine, runCommand } from './command.mjs';
import { CERTIFICATES } from './download.mjs';
import { linkNode } from './node.mjs';

function packagesOf(path) {
  return JSON.parse(readFileSync(path, 'utf8')).packages;
}

/**
 * Compares what npm says it has installed with the lock file; `npm ci` itself would take everything down first.
 * @param {string} root folder of package.json
 * @returns {boolean}
 */
export function dependenciesAreCurrent(root) {
  const installedList = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedList)) return false;
  const wanted = packagesOf(join(root, 'package-lock.json'));
  const installed = packagesOf(installedList);
  const known = (path) => installed[path]?.version === wanted[path].version && existsSync(join(root, path));
  return Object.keys(wanted)
    .filter((path) => path !== '')
    .every((path) => known(path) || (wanted[path].optional && !installed[path]));
}

/** The sentence of npm's output that says what is wrong. */
function complaint(output) {
  const lines = output.split('\n').map((line) => line.replace(/^npm (?:error|ERR!) ?/, '').trim());
  return lines.find((line) => / /.test(line) && !/^(?:code|errno|npm warn)/.test(line)) ?? lastLine(output);
}

/** @returns {Promise<string | null>} why the dependencies are not there; null when they are. */
export async function ensureDependencies(root) {
  const lack = dependenciesAreCurrent(root) ? null : await install(root);
  linkNode(root);
  return lack;
}

function install(root) {
  return timed('node_modules with npm ci: what this project is built from', async () => {
    const flags = ['--no-audit', '--no-fund'];
    // npm is not asked to trust what the machine trusts, such as a company's proxy, unless this says so.
    const env = existsSync(CERTIFICATES) ? { NODE_EXTRA_CA_CERTS: CERTIFICATES, ...process.env } : {};
    const exact = await runCommand('npm', ['ci', ...flags], { cwd: root, env });
    if (exact.ok) return null;
    // A registry that lacks a package of another platform makes `npm ci` refuse the lock file; `npm install` takes it.
    if (!exact.output.includes('code EUSAGE')) return complaint(exact.output);
    announce('node_modules with npm install: npm ci refuses the lock file');
    const near = await runCommand('npm', ['install', '--no-save', ...flags], { cwd: root, env });
    return near.ok ? null : complaint(near.output);
  });
}
