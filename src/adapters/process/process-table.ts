import { closeSync, openSync, readdirSync, readSync } from 'node:fs';

/** One process, from `/proc/<pid>/stat`. Times in clock ticks, of which Linux shows 100 a second on every platform. */
export interface ProcessStat {
  pid: number;
  name: string;
  /** `R`, `S`, `D`, `T`, `Z` … */
  state: string;
  parent: number;
  group: number;
  session: number;
  /** User and system time of the process with all its threads, the ended ones included. */
  cpuTicks: number;
  /** The same of its ended children that it has waited for, and of theirs. */
  reapedChildrenTicks: number;
  threads: number;
  startTicks: number;
}

export const NS_PER_TICK = 10_000_000;

const buffer = Buffer.allocUnsafe(64 * 1024);

/** The text of a small file of `/proc`, null where it is gone; three system calls and no promise, because samplers call it. */
export function readProc(path: string): string | null {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return null;
  }
  try {
    return buffer.toString('latin1', 0, readSync(file, buffer, 0, buffer.length, 0));
  } catch {
    return null;
  } finally {
    closeSync(file);
  }
}

/** Null where there is no such process. */
export function processStat(pid: number): ProcessStat | null {
  return statIn(`/proc/${pid}/stat`, pid);
}

/**
 * What a person knows a process by; null where there is none. From version 24 on Node.js names its first thread, and with it the process,
 * `MainThread`, or `node-MainThread`: https://github.com/nodejs/node/pull/61307
 */
export function programName(pid: number): string | null {
  const name = processStat(pid)?.name ?? null;
  if (name === null || !/^(?:node-)?MainThread$/.test(name)) return name;
  const [program = ''] = (readProc(`/proc/${pid}/cmdline`) ?? '').split('\0', 1);
  return program.slice(program.lastIndexOf('/') + 1) || name;
}

/** Of one thread: CPU time and start are its own. Null where there is no such thread. */
export function threadStat(pid: number, thread: number): ProcessStat | null {
  return statIn(`/proc/${pid}/task/${thread}/stat`, thread);
}

function statIn(path: string, pid: number): ProcessStat | null {
  const text = readProc(path);
  if (text === null) return null;
  // The name stands in parentheses and may hold parentheses and spaces itself.
  const open = text.indexOf('(');
  const close = text.lastIndexOf(')');
  const fields = text.slice(close + 2).split(' ');
  const field = (number: number) => Number(fields[number - 3]);
  return {
    pid,
    name: text.slice(open + 1, close),
    state: fields[0] ?? '?',
    parent: field(4),
    group: field(5),
    session: field(6),
    cpuTicks: field(14) + field(15),
    reapedChildrenTicks: field(16) + field(17),
    threads: field(20),
    startTicks: field(22),
  };
}

/** Ids of all processes that this process can see; empty where there is no `/proc`. */
export function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => name.charCodeAt(0) >= 48 && name.charCodeAt(0) <= 57)
      .map(Number);
  } catch {
    return [];
  }
}
