// A package of PyPI in a virtual environment, with the versions that a list beside the fixture names.
import { existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { runCommand } from '../setup/command.mjs';
import { findProgram } from '../setup/machine.mjs';
import { installPackages, packageExists } from '../setup/packages.mjs';
import { InstallationError } from './installation-error.mjs';
import { applyChange } from './one-line-change.mjs';
import { step } from './step.mjs';

/** Newer ones than any that a release was tried with are not looked for. */
const NEWEST_MINOR = 14;

/** @param {{application: any, release: string, change: import('./one-line-change.mjs').OneLineChange | null, folder: string, fixture: string}} plan */
export async function installPythonPackage({
  application: { name, python: oldest },
  release,
  change,
  folder,
  fixture,
}) {
  const python = await pythonSince(name, oldest);
  await step(`${name} ${release} has no virtual environment`, [python, '-m', 'venv', join(folder, 'venv')]);
  const own = join(folder, 'venv', 'bin', 'python');
  const list = join(fixture, `requirements-${release}.txt`);
  await step(`${name} ${release} cannot be installed`, [
    own,
    '-m',
    'pip',
    'install',
    '--quiet',
    '--no-deps',
    '-r',
    list,
  ]);
  if (change !== null) applyChange(sitePackages(folder), change);
}

function sitePackages(folder) {
  const library = join(folder, 'venv', 'lib');
  return join(library, readdirSync(library).find((entry) => entry.startsWith('python')) ?? '', 'site-packages');
}

/** @returns {Promise<string>} path of the newest Python that is new enough. Rejects with `InstallationError`. */
async function pythonSince(name, [major, minor]) {
  const minors = Array.from({ length: NEWEST_MINOR - minor + 1 }, (_, i) => NEWEST_MINOR - i);
  for (const each of minors) {
    for (const path of candidates(`${major}.${each}`)) {
      const { ok } = await runCommand(path, ['-c', 'import ensurepip, ssl, venv']);
      if (ok) return path;
    }
  }
  for (const each of minors) {
    const program = `python${major}.${each}`;
    if (!(await packageExists(program))) continue;
    await installPackages([[program], [`${program}-venv`]]);
    const path = findProgram(program);
    if (path !== null) return path;
  }
  throw new InstallationError(
    `${name} needs Python ${major}.${minor} or newer with venv, and this machine has none. Install one, for example with pyenv install ${major}.${minor}.`,
  );
}

function candidates(version) {
  const versions = join(process.env.PYENV_ROOT ?? join(homedir(), '.pyenv'), 'versions');
  const ofPyenv = existsSync(versions) ? readdirSync(versions).filter((each) => each.startsWith(`${version}.`)) : [];
  const found = findProgram(`python${version}`);
  // pyenv's own program of this name answers only where that version is switched on.
  return [...ofPyenv.map((each) => join(versions, each, 'bin', 'python3')), ...(found === null ? [] : [found])];
}
