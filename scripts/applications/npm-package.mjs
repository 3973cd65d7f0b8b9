// A package of the npm registry with its dependencies, as they were on a given day.
import { symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { applyChange } from './one-line-change.mjs';
import { requiredProgram, step } from './step.mjs';

/**
 * `folder/node` is the Node.js that installed it. No package runs a script: nothing is compiled, and what is compiled of a package has
 * to be in it.
 * @param {{application: any, release: string, change: import('./one-line-change.mjs').OneLineChange | null, folder: string}} plan
 */
export async function installNpmPackage({ application, release, change, folder }) {
  const { name, package: packageName, releases, overrides } = application;
  const manifest = { name: `${name}-installation`, private: true, dependencies: { [packageName]: release }, overrides };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const npm = requiredProgram('npm', 'Install Node.js with npm: https://nodejs.org/en/download');
  const options = [
    '--omit=dev',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    '--loglevel=error',
    `--before=${releases[release].before}`,
  ];
  await step(`${name} ${release} cannot be installed`, [npm, 'install', ...options], {
    cwd: folder,
    env: { PATH: `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}` },
  });
  symlinkSync(process.execPath, join(folder, 'node'));
  if (change !== null) applyChange(folder, change);
}
