import { createHash } from 'node:crypto';
import { chownSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { TestbedError } from '../../app/ports/testbed.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { runCommand } from '../process/command.ts';
import { asUser, type SystemUser } from '../process/system-user.ts';
import type { PostgresBinaries } from './binaries.ts';
import { cacheFolder } from './cache-folder.ts';

/** The collation is the same on every machine, and so is the cost of sorting by it. */
const INITDB = ['--encoding=UTF8', '--locale=C', '--no-sync', '--auth=scram-sha-256'];

/** The owner comes by the socket, in a folder that no other user can enter; the service comes by TCP as anywhere. */
const ACCESS = 'local all all trust\nhost all all 127.0.0.1/32 scram-sha-256\n';

/**
 * Puts a new cluster into `target`, which must not exist. What initdb makes (0.7 s) is kept per version and owner, and
 * copied (0.1 s): every testbed starts from the same bytes. No password is in it.
 * Rejects with `TestbedError` 'database-not-ready'.
 */
export async function makeDataFolder(
  target: string,
  binaries: PostgresBinaries,
  owner: string,
  user: SystemUser | null,
  signal: AbortSignal,
): Promise<void> {
  await copyDataFolder(await templateOf(binaries, owner, user, signal), target, signal);
}

const COPY_SECONDS = 600;

/**
 * Copies the folder of a server that has ended in order; `target` must not exist. GNU's `cp` shares the blocks of both where the file
 * system can do that. Rejects with `TestbedError` 'database-not-ready'.
 */
export async function copyDataFolder(source: string, target: string, signal: AbortSignal): Promise<void> {
  const copied = await runCommand('cp', ['-a', '--', source, target], { signal, timeoutSeconds: COPY_SECONDS });
  if (copied.failure !== null) throw notMade(copied.failure);
}

async function templateOf(
  binaries: PostgresBinaries,
  owner: string,
  user: SystemUser | null,
  signal: AbortSignal,
): Promise<string> {
  const parts = [binaries.folder, binaries.version, owner, user?.uid ?? '', ACCESS, ...INITDB];
  const key = createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16);
  const target = join(cacheFolder(), `data-${binaries.version}-${key}`);
  if (existsSync(target)) return target;
  const half = mkdtempSync(`${target}-`);
  if (user !== null) chownSync(half, user.uid, user.gid);
  try {
    const command = [join(binaries.folder, 'initdb'), '-D', half, '-U', owner, ...INITDB, '--auth-local=trust'];
    const [program = '', ...args] = asUser(user, command);
    const made = await runCommand(program, args, {
      cwd: '/',
      env: childEnvironment({ HOME: half, LC_ALL: 'C' }),
      timeoutSeconds: 120,
      signal,
    });
    if (made.failure !== null) throw notMade(made.failure);
    writeFileSync(join(half, 'pg_hba.conf'), ACCESS);
    renameSync(half, target);
  } catch (error) {
    rmSync(half, { recursive: true, force: true });
    // Another run was first.
    if (!existsSync(target)) throw error;
  }
  return target;
}

function notMade(why: string): TestbedError {
  return new TestbedError('database-not-ready', `A data folder for Postgres could not be made. ${why}`);
}
