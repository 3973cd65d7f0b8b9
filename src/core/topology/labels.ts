/** Labels on every container and network of ours. */
export const RUN_LABEL = 'wrkbench.run';
export const OWNER_LABEL = 'wrkbench.owner';
export const TESTBED_LABEL = 'wrkbench.testbed';

/** The process that started something, so told apart that no other process of any boot can be taken for it. */
export interface Owner {
  bootId: string;
  /** Inode of the pid namespace that `pid` counts in. */
  pidNamespace: string;
  pid: number;
  /** Clock ticks since boot, as in /proc/PID/stat. */
  startTime: string;
  /** It runs on another machine than what it owns: a boot of its machine says nothing of that one. */
  elsewhere: boolean;
}

/** What is known here and now, for holding an owner against it. */
export interface OwnerWitness {
  bootId: string;
  pidNamespace: string;
  /** Start time of a process of this pid namespace; null where there is no such process. */
  startTimeOf(pid: number): string | null;
  /** This process runs on another machine than what is owned. */
  elsewhere: boolean;
  /** False only where it is certain that the engine runs no such container. */
  mayRun(container: string): boolean;
}

const ELSEWHERE = 'elsewhere:';
const RUNNER_CONTAINER = 'runner-container:';

export function ownerText({ elsewhere, bootId, pidNamespace, pid, startTime }: Owner): string {
  return `${elsewhere ? ELSEWHERE : ''}${[bootId, pidNamespace, pid, startTime].join(':')}`;
}

/** Null where the text was not written by `ownerText`. */
export function parseOwner(text: string): Owner | null {
  const match = /^(elsewhere:)?([0-9a-f-]+):(\d+):(\d+):(\d+)$/.exec(text);
  if (!match) return null;
  const [, elsewhere, bootId = '', pidNamespace = '', pid, startTime = ''] = match;
  return { bootId, pidNamespace, pid: Number(pid), startTime, elsewhere: elsewhere !== undefined };
}

/**
 * What a runner container starts is owned by its container and not by the process in it: whoever can ask the engine can tell
 * whether that runs, from any machine and any pid namespace.
 */
export function runnerContainerOwner(container: string): string {
  return `${RUNNER_CONTAINER}${container}`;
}

/** Name of the container; null where the owner is none. */
export function runnerContainerOf(text: string): string | null {
  return /^runner-container:([\w.-]+)$/.exec(text)?.[1] ?? null;
}

/**
 * True only where it is certain: the machine has been started anew since, this pid namespace holds no such process, or the
 * engine no such container. An owner in another pid namespace may be alive, and so may one of another machine, or one that
 * cannot be read.
 */
export function isProvenDead(text: string, witness: OwnerWitness): boolean {
  const runnerContainer = runnerContainerOf(text);
  if (runnerContainer !== null) return !witness.mayRun(runnerContainer);
  const owner = parseOwner(text);
  if (owner === null) return false;
  // Of two boots one is the present one only where both are of the machine that holds what is owned.
  if (owner.bootId !== witness.bootId) return !owner.elsewhere && !witness.elsewhere;
  if (owner.pidNamespace !== witness.pidNamespace) return false;
  return witness.startTimeOf(owner.pid) !== owner.startTime;
}

/** Number of the owner in our own pid namespace; null where it runs no more, or not in this one. */
export function runningPid(text: string, witness: OwnerWitness): number | null {
  const owner = parseOwner(text);
  if (owner === null || owner.bootId !== witness.bootId || owner.pidNamespace !== witness.pidNamespace) return null;
  return witness.startTimeOf(owner.pid) === owner.startTime ? owner.pid : null;
}
