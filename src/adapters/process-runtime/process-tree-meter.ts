import { readdirSync } from 'node:fs';
import type { ResourceMeter } from '../../app/ports/testbed.ts';
import { NS_PER_TICK, type ProcessStat, processStat, readProc } from '../process/process-table.ts';
import { ProcessTree } from '../process/process-tree.ts';

/** Above this, threads are not read one by one: a sample must stay cheap, and ticks are exact enough beside their sum. */
const MOST_THREADS = 128;

/**
 * CPU time and memory of a process and all its descendants, from `/proc`.
 *
 * CPU: `schedstat` of a thread is exact to the nanosecond, and gone with the thread. `stat` of a process keeps ended
 * threads and, once it has waited for them, ended children, in ticks cut off to 10 ms each for user and system. So what
 * was last read of a thread or process that has ended is kept, and the larger of both accounts counts: it is exact while
 * nothing ends, less than 20 ms short for each process whose threads end between two readings, and never goes back.
 * Not seen: a process that lives between two readings and that nobody waits for.
 *
 * Memory: anonymous pages of each, and shared ones (Postgres's buffers) once, of the process that has touched the most.
 * The kernel's own memory for sockets is not shown for each process, and so not in it.
 */
export class ProcessTreeMeter implements ResourceMeter {
  readonly #tree: ProcessTree;
  #accounts = new Map<number, ProcessAccount>();
  /** Of ended processes whose parent has ended or is not one of ours. */
  #endedNs = 0;
  #lastNs = 0;

  constructor(leader: number) {
    this.#tree = new ProcessTree(leader);
  }

  cpuNs(): number {
    const accounts = new Map<number, ProcessAccount>();
    for (const pid of this.#tree.members()) {
      const stat = processStat(pid);
      if (stat === null) continue;
      const known = this.#accounts.get(pid);
      const account = known?.startTicks === stat.startTicks ? known : new ProcessAccount(stat);
      account.read(stat);
      accounts.set(pid, account);
    }
    this.#closeEnded(accounts);
    this.#accounts = accounts;
    let total = this.#endedNs;
    for (const account of accounts.values()) total += account.totalNs();
    this.#lastNs = Math.max(this.#lastNs, total);
    return this.#lastNs;
  }

  memoryBytes(): number {
    let anonymous = 0;
    let shared = 0;
    for (const pid of this.#tree.members()) {
      const status = readProc(`/proc/${pid}/status`) ?? '';
      anonymous += kilobytes(status, '\nRssAnon:') * 1024;
      shared = Math.max(shared, kilobytes(status, '\nRssShmem:') * 1024);
    }
    return anonymous + shared;
  }

  /** What an ended process has used goes to its parent's account, where the kernel puts it too when the parent waits. */
  #closeEnded(alive: Map<number, ProcessAccount>): void {
    const ended = [...this.#accounts].filter(([pid, account]) => alive.get(pid) !== account);
    // A child before its parent, so that what goes up goes all the way.
    ended.sort(([a, one], [b, other]) => other.startTicks - one.startTicks || b - a);
    for (const [, account] of ended) {
      const parent = alive.get(account.parent) ?? this.#accounts.get(account.parent);
      if (parent && parent !== account) parent.endedChildrenNs += account.totalNs();
      else this.#endedNs += account.totalNs();
    }
  }
}

class ProcessAccount {
  readonly startTicks: number;
  parent: number;
  /** What was last read of its children that have ended. */
  endedChildrenNs = 0;
  #reapedChildrenNs = 0;
  #ticksNs = 0;
  #threads = new Map<string, number>();
  #endedThreadsNs = 0;

  constructor(stat: ProcessStat) {
    this.startTicks = stat.startTicks;
    this.parent = stat.parent;
  }

  read(stat: ProcessStat): void {
    this.parent = stat.parent;
    this.#ticksNs = stat.cpuTicks * NS_PER_TICK;
    this.#reapedChildrenNs = stat.reapedChildrenTicks * NS_PER_TICK;
    if (stat.threads > MOST_THREADS) return;
    const threads = new Map<string, number>();
    for (const thread of stat.threads === 1 ? [String(stat.pid)] : threadIds(stat.pid)) {
      const text = readProc(`/proc/${stat.pid}/task/${thread}/schedstat`);
      if (text !== null) threads.set(thread, Number.parseInt(text, 10));
    }
    for (const [thread, ns] of this.#threads) if (!threads.has(thread)) this.#endedThreadsNs += ns;
    this.#threads = threads;
  }

  totalNs(): number {
    let threadsNs = this.#endedThreadsNs;
    for (const ns of this.#threads.values()) threadsNs += ns;
    return Math.max(threadsNs, this.#ticksNs) + Math.max(this.endedChildrenNs, this.#reapedChildrenNs);
  }
}

function threadIds(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    return [];
  }
}

function kilobytes(status: string, key: string): number {
  const at = status.indexOf(key);
  return at < 0 ? 0 : Number.parseInt(status.slice(at + key.length), 10);
}
