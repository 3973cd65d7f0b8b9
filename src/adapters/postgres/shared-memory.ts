import { join } from 'node:path';
import { runCommand } from '../process/command.ts';
import { asUser, type SystemUser } from '../process/system-user.ts';
import { beginningOf } from '../project/regular-file.ts';

const FILE_BYTES = 4096;

/**
 * Releases the System V segment of a server that was killed: 56 bytes that outlive every process, out of the 4096 that a
 * machine has. A server that ended by itself has done so, and has removed the file that names it. Done as `user`, whom the server
 * ran as: what its SQL has put into the file reaches no segment of another's. Never rejects.
 */
export async function releaseSharedMemory(dataFolder: string, user: SystemUser | null): Promise<void> {
  const text = await beginningOf(join(dataFolder, 'postmaster.pid'), FILE_BYTES);
  const id = /^\s*\d+\s+(\d+)\s*$/.exec(text?.split('\n')[6] ?? '')?.[1];
  if (id === undefined) return;
  const [program = '', ...args] = asUser(user, ['ipcrm', '-m', id]);
  await runCommand(program, args, { timeoutSeconds: 5 });
}
