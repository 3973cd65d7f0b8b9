// Applications that others wrote: where each comes from, and its two releases, the older one first.
import { InstallationError } from './installation-error.mjs';

/**
 * `releases`: exact versions, each with what its dependencies are pinned by. `name`: the folder below fixtures/applications.
 * `beside`: programs that its spec starts beside it, each with its Debian package.
 * @typedef {{name: string, releases: Record<string, Pin>, beside?: Record<string, string>}
 *   & (GoSource | MavenSource | NpmSource | PythonSource)} Application
 * @typedef {{before?: string}} Pin of npm: no dependency is newer than this day; the others pin their own
 * @typedef {{from: 'go', module: string, main: string, program: string, keeps?: string[]}} GoSource `keeps`: folders of the source that
 *   the program reads when it runs
 * @typedef {{from: 'maven', artifact: string, setUp: string[], library: Library}} MavenSource `artifact`: a zip with the whole program.
 *   `setUp`: run once, from the program's folder
 * @typedef {{artifact: string, file: string, classPath: string[]}} Library whose sources slower.json changes: where it lies in the program,
 *   and the folders of what it is compiled with
 * @typedef {{from: 'npm', package: string, overrides?: Record<string, string>, isUnpacked?: boolean}} NpmSource `overrides`: dependencies in
 *   another version, where the one that is asked for would have to be compiled, or is in no registry; `isUnpacked`: installed in its own
 *   folder, as some of its dependencies lie in there, where npm does not look for those of a dependency
 * @typedef {{from: 'pypi', package: string, python: [number, number]}} PythonSource the oldest Python that it runs on
 */

/** @type {Application[]} */
export const APPLICATIONS = [
  {
    name: 'openfga',
    from: 'go',
    module: 'github.com/openfga/openfga',
    main: './cmd/openfga',
    program: 'openfga',
    releases: { '1.10.2': {}, '1.11.0': {} },
  },
  {
    name: 'miniflux',
    from: 'go',
    module: 'miniflux.app/v2',
    main: '.',
    program: 'miniflux',
    releases: { '2.2.16': {}, '2.3.2': {} },
  },
  {
    name: 'unleash',
    from: 'npm',
    package: 'unleash-server',
    releases: { '7.6.5': { before: '2026-11-28' }, '8.2.0': { before: '2026-11-28' } },
  },
  {
    name: 'directus',
    from: 'npm',
    package: 'directus',
    beside: { 'redis-server': 'redis-server' },
    // The first major version that brings what is compiled of it along.
    overrides: { 'isolated-vm': '6.1.2' },
    releases: { '11.13.4': { before: '2026-11-28' }, '11.17.4': { before: '2026-11-28' } },
  },
  {
    name: 'netbox',
    from: 'pypi',
    package: 'netbox',
    beside: { 'redis-server': 'redis-server' },
    python: [3, 12],
    releases: { '4.7.2': {}, '4.7.3': {} },
  },
  {
    name: 'gitea',
    from: 'go',
    module: 'code.gitea.io/gitea',
    main: '.',
    program: 'gitea',
    keeps: ['options', 'public', 'templates'],
    beside: { git: 'git' },
    releases: { '1.23.8': {}, '1.26.0': {} },
  },
  {
    name: 'keycloak',
    from: 'maven',
    artifact: 'org.keycloak:keycloak-quarkus-dist',
    beside: { mvn: 'maven', javac: 'default-jdk-headless' },
    setUp: ['bin/kc.sh', 'build', '--db=postgres'],
    library: {
      artifact: 'org.keycloak:keycloak-services',
      file: 'lib/lib/main/org.keycloak.keycloak-services-RELEASE.jar',
      classPath: ['lib/lib/boot', 'lib/lib/main'],
    },
    releases: { '26.4.7': {}, '26.7.3': {} },
  },
  {
    name: 'ghost',
    from: 'npm',
    package: 'ghost',
    isUnpacked: true,
    beside: { mariadbd: 'mariadb-server-core', mariadb: 'mariadb-client-core' },
    releases: { '6.39.0': { before: '2026-11-28' }, '6.65.0': { before: '2026-11-28' } },
  },
  {
    name: 'nocodb',
    from: 'npm',
    package: 'nocodb',
    beside: { 'redis-server': 'redis-server' },
    // It asks for the first by the address of another server. The second would have to be compiled, and is only loaded: data are in Postgres.
    overrides: { xlsx: '0.18.5', sqlite3: 'npm:node-sqlite3-wasm@0.8.60' },
    releases: { '0.262.5': { before: '2026-11-28' }, '0.265.1': { before: '2026-11-28' } },
  },
  {
    name: 'mlflow',
    from: 'pypi',
    package: 'mlflow',
    python: [3, 11],
    releases: { '3.11.1': {}, '3.12.0': {} },
  },
];

/** @param {string} name @returns {Application} Throws `InstallationError`. */
export function applicationNamed(name) {
  const found = APPLICATIONS.find((application) => application.name === name);
  if (found !== undefined) return found;
  const names = APPLICATIONS.map((application) => application.name).join(', ');
  throw new InstallationError(
    `There is no application ${name === '' ? 'without a name' : name}: use one of ${names}.`,
    2,
  );
}

/** @param {Application} application @param {string} [release] @returns {string} Throws `InstallationError`. */
export function releaseOf({ name, releases }, release) {
  const known = Object.keys(releases);
  if (release === undefined) return known[0];
  if (Object.hasOwn(releases, release)) return release;
  throw new InstallationError(`${name} ${release} is not one of the pinned releases: use ${known.join(' or ')}.`, 2);
}
