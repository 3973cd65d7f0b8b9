// The project's own dependencies.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { timed } from './announcement.mjs';
import { lastLine, runCommand } from './command.mjs';

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

/** @returns {Promise<string | null>} why the dependencies are not there; null when they are. */
export async function ensureDependencies(root) {
  if (dependenciesAreCurrent(root)) return null;
  const result = await timed('node_modules with npm ci: what this project is built from', () =>
    runCommand('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root }),
  );
  return result.ok ? null : lastLine(result.output);
}
