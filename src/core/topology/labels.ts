/** Labels on every container and network of ours. */
export const RUN_LABEL = 'wrkbench.run';
export const OWNER_LABEL = 'wrkbench.owner';
export const INSTANCE_LABEL = 'wrkbench.instance';

/** The process that put something on stage, so told apart that no other process of any boot can be taken for it. */
export interface Owner {
  bootId: string;
  /** Inode of the pid namespace that `pid` counts in. */
  pidNamespace: string;
  pid: number;
  /** Clock ticks since boot, as in /proc/PID/stat. */
  startTime: string;
}

/** What is known here and now, for holding an owner against it. */
export interface OwnerWitness {
  bootId: string;
  pidNamespace: string;
  /** Start time of a process of this pid namespace; null where there is no such process. */
  startTimeOf(pid: number): string | null;
}

export function ownerText(owner: Owner): string {
  return [owner.bootId, owner.pidNamespace, owner.pid, owner.startTime].join(':');
}

/** Null where the text was not written by `ownerText`. */
export function parseOwner(text: string): Owner | null {
  const match = /^([0-9a-f-]+):(\d+):(\d+):(\d+)$/.exec(text);
  if (!match) return null;
  const [, bootId = '', pidNamespace = '', pid, startTime = ''] = match;
  return { bootId, pidNamespace, pid: Number(pid), startTime };
}

/**
 * True only where it is certain: the machine has been started anew since, or this pid namespace holds no such process.
 * An owner in another pid namespace may be alive, and so may one that cannot be read.
 */
export function isProvenDead(text: string, witness: OwnerWitness): boolean {
  const owner = parseOwner(text);
  if (owner === null) return false;
  if (owner.bootId !== witness.bootId) return true;
  if (owner.pidNamespace !== witness.pidNamespace) return false;
  return witness.startTimeOf(owner.pid) !== owner.startTime;
}
