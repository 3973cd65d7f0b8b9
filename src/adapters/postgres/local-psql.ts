import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { childEnvironment } from '../process/child-environment.ts';
import { runCommand } from '../process/command.ts';
import { findProgram } from '../process/programs.ts';
import { asUser, type SystemUser } from '../process/system-user.ts';
import type { PostgresBinaries } from './binaries.ts';
import { PSQL_TIMEOUT_SECONDS, type Psql, psqlArguments } from './psql.ts';
import type { DatabaseAddress } from './ready-connection.ts';

/** psql of the server's own folder, else of this machine, as the server's user; null where there is none. */
export function localPsql(
  { folder }: PostgresBinaries,
  { host, port, user: owner, database }: DatabaseAddress,
  user: SystemUser | null,
): Psql | null {
  const own = join(folder, 'psql');
  const program = existsSync(own) ? own : findProgram('psql');
  if (program === null) return null;
  return async (script, signal) => {
    const [first = '', ...args] = asUser(user, [
      program,
      ...['-h', host, '-p', String(port)],
      ...psqlArguments({ user: owner, database }),
    ]);
    const ended = await runCommand(first, args, {
      // What a script names is then nowhere, as it is in a container.
      cwd: '/',
      env: childEnvironment({ HOME: '/', LC_ALL: 'C', PGCLIENTENCODING: 'UTF8' }),
      input: script,
      timeoutSeconds: PSQL_TIMEOUT_SECONDS,
      signal,
    });
    return ended.failure === null ? null : ended.stderr || ended.failure;
  };
}
