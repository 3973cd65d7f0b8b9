import { readdirSync } from 'node:fs';
import { NS_PER_TICK, readProc, threadStat } from './process-table.ts';

/** Reading one takes some 10 us; a service with more of them is seldom held up by a single one. */
const MOST_THREADS = 1024;

/** CPU time of each thread of these processes, as `Testbed.threadTimes` says. */
export function threadTimesOf(pids: Iterable<number>): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const pid of pids) {
    for (const thread of threadsOf(pid)) {
      if (times.size >= MOST_THREADS) return new Map();
      const stat = threadStat(pid, thread);
      // A number is given again once its thread has ended.
      if (stat !== null) times.set(`${thread} ${stat.startTicks}`, stat.cpuTicks * NS_PER_TICK);
    }
  }
  return times;
}

/**
 * CPU time of the main threads of these processes, as `Testbed.mainThreadsNs` says. `schedstat` of a process is that of its main thread
 * alone: https://docs.kernel.org/scheduler/sched-stats.html
 */
export function mainThreadsNsOf(pids: Iterable<number>): number | null {
  let sum: number | null = null;
  for (const pid of pids) {
    const text = readProc(`/proc/${pid}/schedstat`);
    // One that has ended meanwhile is not there any more.
    if (text !== null) sum = (sum ?? 0) + Number(text.split(' ', 1)[0]);
  }
  return sum;
}

/** None where it has ended, and where there is no `/proc`. */
function threadsOf(pid: number): number[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map(Number);
  } catch {
    return [];
  }
}
