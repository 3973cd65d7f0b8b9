import { readlinkSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ProcessStat, processIds, processStat, readProc } from './process-table.ts';
import { isRunning, markedProcesses } from './process-tree.ts';

/** Running processes whose working folder or log lies in one of the folders. */
export function processesIn(folders: readonly string[]): ProcessStat[] {
  if (folders.length === 0) return [];
  const inside = (path: string | null) => path !== null && folders.some((folder) => path.startsWith(`${folder}/`));
  return processIds()
    .filter((pid) => [`cwd`, 'fd/1', 'fd/2'].some((link) => inside(linkOf(`/proc/${pid}/${link}`))))
    .map(processStat)
    .filter((stat) => stat !== null && isRunning(stat)) as ProcessStat[];
}

/** Kills what is left of runs that are no more, and waits until it is gone; resolves to a sentence for each. */
export async function endAbandoned(processes: readonly ProcessStat[]): Promise<string[]> {
  const others = processes.filter(({ pid }) => pid !== process.pid);
  const sentences = others
    .filter(({ pid }) => kill(pid))
    .map(({ pid, name }) => `Ended process ${pid} (${name}), left behind by a run that has ended.`);
  await untilGone(others);
  return sentences;
}

/** What is started between a look and the end of who starts it is found by the next look. */
const LOOKS = 5;

/** Kills what carries this mark, and waits until it is gone. Never rejects; finds nothing where there is no `/proc`. */
export async function endMarked(mark: string): Promise<void> {
  for (let look = 1; look <= LOOKS; look += 1) {
    const marked = markedProcesses((value) => value === mark);
    if (marked.length === 0) return;
    await endAbandoned(marked);
  }
}

async function untilGone(processes: readonly ProcessStat[]): Promise<void> {
  const deadline = performance.now() + 5_000;
  const runs = ({ pid, startTicks }: ProcessStat) => {
    const now = processStat(pid);
    return now !== null && now.startTicks === startTicks && isRunning(now) && readProc(`/proc/${pid}/stat`) !== null;
  };
  while (processes.some(runs) && performance.now() < deadline) await sleep(20);
}

function linkOf(path: string): string | null {
  try {
    // A folder itself counts as inside of itself.
    return `${readlinkSync(path)}/`;
  } catch {
    return null;
  }
}

function kill(pid: number): boolean {
  try {
    process.kill(pid, 'SIGKILL');
    return true;
  } catch {
    return false;
  }
}
