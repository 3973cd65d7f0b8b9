import { join } from 'node:path';
import { runCommand } from '../process/command.ts';
import { beginningOf } from '../process/regular-file.ts';

const FILE_BYTES = 4096;

/**
 * Releases the System V segment of a server that was killed: 56 bytes that outlive every process, out of the 4096 that a
 * machine has. A server that ended by itself has done so, and has removed the file that names it.  Never rejects.
 */
export async function releaseSharedMemory(dataFolder: string): Promise<void> {
  const text = await beginningOf(join(dataFolder, 'postmaster.pid'), FILE_BYTES);
  const id = /^\s*\d+\s+(\d+)\s*$/.exec(text?.split('\n')[6] ?? '')?.[1];
  if (id === undefined) return;
  await runCommand('ipcrm', ['-m', id], { timeoutSeconds: 5 });
}
