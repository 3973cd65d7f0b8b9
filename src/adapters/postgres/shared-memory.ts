import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runCommand } from '../process/command.ts';

/**
 * Releases the System V segment of a server that was killed: 56 bytes that outlive every process, out of the 4096 that a
 * machine has. A server that ended by itself has done so, and has removed the file that names it. Never rejects.
 */
export async function releaseSharedMemory(dataFolder: string): Promise<void> {
  const file = join(dataFolder, 'postmaster.pid');
  if (!existsSync(file)) return;
  try {
    const id = /^\s*\d+\s+(\d+)\s*$/.exec(readFileSync(file, 'utf8').split('\n')[6] ?? '')?.[1];
    if (id !== undefined) await runCommand('ipcrm', ['-m', id], { timeoutSeconds: 5 });
  } catch {
    // Another user's.
  }
}
