// What this machine is and where its programs are.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** What set-up downloads or builds lands here; the runner looks in its `bin`. */
export const CACHE = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'wrkbench');
export const CACHE_BIN = join(CACHE, 'bin');

function postgresFolders() {
  const root = '/usr/lib/postgresql';
  if (!existsSync(root)) return [];
  return readdirSync(root).map((version) => join(root, version, 'bin'));
}

/**
 * @param {...string} names any of them will do
 * @returns {string | null} absolute path of the first that can be run.
 */
export function findProgram(...names) {
  const folders = [
    ...(process.env.PATH ?? '').split(':'),
    CACHE_BIN,
    join(homedir(), 'go', 'bin'),
    '/usr/local/go/bin',
    join(CACHE, 'go', 'bin'),
    '/usr/local/sbin',
    '/usr/sbin',
    '/sbin',
    ...postgresFolders(),
  ];
  for (const name of names) {
    for (const folder of folders.filter(Boolean)) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here.
      }
    }
  }
  return null;
}

/**
 * What checks our files is of one version, whatever else lies on the PATH: another one finds other things.
 * @returns {string | null} absolute path of the program that set-up has brought; null where it is of another version
 */
export function pinnedProgram(name, version, folder = CACHE_BIN) {
  const path = join(folder, name);
  const said = spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout ?? '';
  return said.split(/\s+/).some((word) => word === version || word === `v${version}`) ? path : null;
}

/** @returns {string | null} what `docker compose` starts, which is a program of its own: a plugin of Docker's, or what set-up built. */
export function composeProgram() {
  const plugins = [
    process.env.DOCKER_CONFIG || join(homedir(), '.docker'),
    ...['/usr/local/lib', '/usr/local/libexec', '/usr/lib', '/usr/libexec'].map((folder) => join(folder, 'docker')),
  ].map((folder) => join(folder, 'cli-plugins', 'docker-compose'));
  return plugins.find(existsSync) ?? findProgram('docker-compose');
}

let privilege;

/** @returns {'root' | 'sudo' | null} how this user may install packages; null where a password would be asked for. */
export function privilegeOfUser() {
  if (privilege === undefined) {
    if (process.getuid?.() === 0) privilege = 'root';
    else if (findProgram('sudo') && spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' }).status === 0)
      privilege = 'sudo';
    else privilege = null;
  }
  return privilege;
}

/** @returns {boolean} Debian, Ubuntu or one of their kin. */
export function hasApt() {
  return findProgram('apt-get') !== null;
}

/** The command a person would type, with sudo where it takes it. */
export function asTyped(command) {
  return process.getuid?.() === 0 ? command : `sudo ${command}`;
}

/** @returns {string | null} one sentence where set-up cannot help. */
export function unsupportedMachine() {
  if (process.platform !== 'linux')
    return `${process.platform} is not supported: use Linux on x86-64 or arm64, or WSL 2`;
  return null;
}

/** @returns {string | null} one sentence where only a part of wrkbench works. */
export function limitedMachine() {
  if (process.platform !== 'darwin') return null;
  return 'on macOS the runtime "process" works (brew install wrk k6 postgresql@18); containers and CPU placement do not';
}
