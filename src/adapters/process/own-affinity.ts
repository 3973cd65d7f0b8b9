import { runCommand } from './command.ts';

/**
 * Keeps this process, with all its threads and all that it starts from now on, to these CPUs (the kernel's notation).
 * Sampling then costs the generator's CPUs and not the server's. Resolves to whether it could be done.
 */
export async function stayOn(cpus: string): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const moved = await runCommand('taskset', ['--all-tasks', '--pid', '--cpu-list', cpus, String(process.pid)]);
  return moved.failure === null;
}
