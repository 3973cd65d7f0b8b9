import { type ProcessStat, processIds, processStat, readProc } from './process-table.ts';

/** Name of the environment variable that marks every process of ours, also one that has left its session and parents. */
export const TESTBED_VARIABLE = 'WRKBENCH_TESTBED';

/**
 * The processes that stand for one part: the leader, its session, and all their descendants (each process of Postgres
 * opens a session of its own). Call `members` as often as wanted: a process that was found to be a stranger is not looked
 * at again, so that a call costs one listing of `/proc` and a file for each new process.
 */
export class ProcessTree {
  readonly leader: number;
  #untrusted = new Set<number>();
  #members = new Set<number>();

  constructor(leader: number) {
    this.leader = leader;
  }

  /** Ids of those that exist now, zombies included. */
  members(): Set<number> {
    const listed = processIds();
    const untrusted = new Set<number>();
    const members = new Set<number>();
    const unknown = new Map<number, ProcessStat>();
    for (const pid of listed) {
      if (this.#members.has(pid)) members.add(pid);
      else if (this.#untrusted.has(pid)) untrusted.add(pid);
      else {
        const stat = processStat(pid);
        if (stat !== null) unknown.set(pid, stat);
      }
    }
    let found = true;
    while (found) {
      found = false;
      for (const [pid, stat] of unknown) {
        if (pid !== this.leader && stat.session !== this.leader && !members.has(stat.parent)) continue;
        members.add(pid);
        unknown.delete(pid);
        found = true;
      }
    }
    for (const pid of unknown.keys()) untrusted.add(pid);
    this.#members = members;
    this.#untrusted = untrusted;
    return members;
  }

  /** Those that still run. */
  running(): ProcessStat[] {
    return [...this.members()].map(processStat).filter((stat) => stat !== null && isRunning(stat)) as ProcessStat[];
  }
}

export function isRunning(stat: ProcessStat): boolean {
  return stat.state !== 'Z' && stat.state !== 'X';
}

/** Running processes whose environment carries the mark with a value that fits. Sees those of other users only as root. */
export function markedProcesses(fits: (value: string) => boolean): ProcessStat[] {
  const found: ProcessStat[] = [];
  for (const pid of processIds()) {
    const environment = readProc(`/proc/${pid}/environ`);
    const entry = environment?.split('\0').find((line) => line.startsWith(`${TESTBED_VARIABLE}=`));
    if (entry === undefined || !fits(entry.slice(TESTBED_VARIABLE.length + 1))) continue;
    const stat = processStat(pid);
    if (stat !== null && isRunning(stat)) found.push(stat);
  }
  return found;
}
