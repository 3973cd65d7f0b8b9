import { readFileSync } from 'node:fs';
import { totalmem } from 'node:os';

/** Of the cgroup that all others here are in: there is one where this machine is itself a container. */
const LIMITS = ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes'];

/** Memory that there is for everything that is started here, bytes. */
export function machineMemoryBytes(limits: readonly string[] = LIMITS): number {
  return Math.min(totalmem(), ...limits.map(limitIn));
}

/** `max` is none. */
function limitIn(file: string): number {
  try {
    const text = readFileSync(file, 'utf8').trim();
    return /^\d+$/.test(text) ? Number(text) : Number.POSITIVE_INFINITY;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
