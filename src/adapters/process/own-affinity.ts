import { readFileSync } from 'node:fs';
import { runCommand } from './command.ts';

/**
 * Keeps this process, with all its threads and all that it starts from now on, to these CPUs (the kernel's notation).
 * Sampling then costs the generator's CPUs and not the server's. Resolves to what gives back the CPUs of before: whoever
 * looks at the machine afterwards must find all of them. Never rejects.
 */
export async function stayOn(cpus: string): Promise<() => Promise<void>> {
  if (process.platform !== 'linux') return async () => undefined;
  const before = ownCpus();
  const moved = await move(cpus);
  return async () => {
    if (moved && before !== null) await move(before);
  };
}

async function move(cpus: string): Promise<boolean> {
  const moved = await runCommand('taskset', ['--all-tasks', '--pid', '--cpu-list', cpus, String(process.pid)]);
  return moved.failure === null;
}

function ownCpus(): string | null {
  return /^Cpus_allowed_list:\s*(\S+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? null;
}
