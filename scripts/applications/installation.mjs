// One release of an application in a folder of the cache, whole or not at all.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { timed } from '../setup/announcement.mjs';
import { asTyped, CACHE, findProgram, hasApt, privilegeOfUser } from '../setup/machine.mjs';
import { installPackages } from '../setup/packages.mjs';
import { installGoModule } from './go-module.mjs';
import { InstallationError } from './installation-error.mjs';
import { installMavenDistribution } from './maven-distribution.mjs';
import { installNpmPackage } from './npm-package.mjs';
import { installPythonPackage } from './python-package.mjs';

const FIXTURES = fileURLToPath(new URL('../../fixtures/applications/', import.meta.url));
/** In a fixture's folder, a link to what was installed last: the programs of its spec are named below it. */
export const LINK = 'installed';
/** Written last: a folder without it was left half made. */
const STAMP = 'wrkbench-installation.json';

const WAYS = {
  go: installGoModule,
  maven: installMavenDistribution,
  npm: installNpmPackage,
  pypi: installPythonPackage,
};

/** @param {string} name of an application @returns {string} its folder in the checkout */
export const fixtureFolder = (name) => join(FIXTURES, name);

/**
 * @param {import('./catalogue.mjs').Application} application
 * @param {string} release one of its releases
 * @param {boolean} isSlower whether the line of slower.json is changed
 * @returns {Promise<string>} the folder. Rejects with `InstallationError`.
 */
export async function install(application, release, isSlower) {
  const { name, from, beside = {} } = application;
  await bringBeside(name, beside);
  const fixture = fixtureFolder(name);
  const change = isSlower ? JSON.parse(readFileSync(join(fixture, 'slower.json'), 'utf8')) : null;
  const folder = join(CACHE, 'applications', name, isSlower ? `${release}-slower` : release);
  const wanted = `${JSON.stringify({ release, pin: application.releases[release], files: pinnedFiles(fixture, release), change }, null, 2)}\n`;
  const stamp = join(folder, STAMP);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return folder;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const title = `${name} ${release}${isSlower ? ', made slower,' : ''} from its package registry`;
  await timed(title, () => WAYS[from]({ application, release, change, folder, fixture }));
  writeFileSync(stamp, wanted);
  return folder;
}

async function bringBeside(name, beside) {
  const missing = () => Object.entries(beside).filter(([program]) => findProgram(program) === null);
  const packages = missing().map(([, each]) => each);
  if (packages.length > 0 && hasApt() && privilegeOfUser() !== null)
    await installPackages(packages.map((each) => [each]));
  const still = missing();
  if (still.length === 0) return;
  const [programs, how] = [still.map(([program]) => program), asTyped(`apt-get install ${packages.join(' ')}`)];
  throw new InstallationError(
    `${name} needs ${programs.join(', ')} beside it, which this machine does not have. Install: ${how}`,
  );
}

/** Of a list of versions that lies beside the fixture, where there is one: another list is another installation. */
function pinnedFiles(fixture, release) {
  const path = join(fixture, `requirements-${release}.txt`);
  return existsSync(path) ? createHash('sha256').update(readFileSync(path)).digest('hex') : null;
}

/** Makes the fixture's spec start what lies in `folder`. @param {import('./catalogue.mjs').Application} application */
export function use({ name }, folder, fixture = fixtureFolder(name)) {
  const link = join(fixture, LINK);
  rmSync(link, { force: true });
  symlinkSync(folder, link);
}
