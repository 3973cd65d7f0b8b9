// A package of the npm registry with its dependencies, as they were on a given day.
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { applyChange } from './one-line-change.mjs';
import { requiredProgram, step } from './step.mjs';

/**
 * `folder/node` is the Node.js that installed it. No package runs a script: nothing is compiled, and what is compiled of a package has
 * to be in it.
 * @param {{application: any, release: string, change: import('./one-line-change.mjs').OneLineChange | null, folder: string}} plan
 */
export async function installNpmPackage({ application, release, change, folder }) {
  const { name, package: packageName, releases, overrides, isUnpacked = false } = application;
  const npm = requiredProgram('npm', 'Install Node.js with npm: https://nodejs.org/en/download');
  const env = { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}` };
  let cwd = folder;
  if (isUnpacked) cwd = await unpacked(npm, application, release, { cwd: folder, env });
  else {
    const dependencies = { [packageName]: release };
    const manifest = { name: `${name}-installation`, private: true, dependencies, overrides };
    writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  }
  const options = [
    '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    `--before=${releases[release].before}`,
    // Its own package manager only warns of versions that do not fit each other.
    ...(isUnpacked ? ['--legacy-peer-deps'] : []),
  ];
  await step(`${name} ${release} cannot be installed`, [npm, 'install', ...options], { cwd, env });
  symlinkSync(process.execPath, join(folder, 'node'));
  if (change !== null) applyChange(folder, change);
}

/** @returns {Promise<string>} the folder that the package's own files are in, `folder/package`. */
async function unpacked(npm, { name, package: packageName }, release, { cwd, env }) {
  await step(`${name} ${release} cannot be downloaded`, [npm, 'pack', `${packageName}@${release}`], { cwd, env });
  const archive = `${packageName}-${release}.tgz`;
  await step(`${name} ${release} cannot be unpacked`, ['tar', '-xzf', archive], { cwd });
  rmSync(join(cwd, archive));
  const own = join(cwd, 'package');
  // npm looks for what it is told to leave out as well, and not all of that is in the registry.
  const { devDependencies, ...manifest } = JSON.parse(readFileSync(join(own, 'package.json'), 'utf8'));
  writeFileSync(join(own, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  return own;
}
