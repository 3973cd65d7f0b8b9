import { readFileSync, readlinkSync } from 'node:fs';
import { type OwnerWitness, ownerText } from '../../core/topology/labels.ts';

/** What this machine knows of its boot, of our pid namespace and of the processes in it. */
export function readWitness(): OwnerWitness {
  return {
    bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
    pidNamespace: /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0',
    startTimeOf,
  };
}

/** The owner label of this process. */
export function ownOwner(witness: OwnerWitness): string {
  const { bootId, pidNamespace } = witness;
  return ownerText({ bootId, pidNamespace, pid: process.pid, startTime: startTimeOf(process.pid) ?? '0' });
}

/** Field 22 of /proc/PID/stat; the name in field 2 may hold blanks and brackets. A zombie is dead. */
function startTimeOf(pid: number): string | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? null : (fields[19] ?? null);
  } catch {
    return null;
  }
}
