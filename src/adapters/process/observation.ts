import { readlinkSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { formatCpuList, parseCpuList } from '../../core/config/cpu-list.ts';
import type { ObservedProcesses, OutputKind } from '../../core/measurement/observation.ts';
import { parseBacklogs } from '../../core/topology/listening.ts';
import { listenersOf } from '../network/network-state.ts';
import { runCommand } from './command.ts';
import { processStat, readProc } from './process-table.ts';

export interface ObservationTarget {
  pids: readonly number[];
  port: number;
  /** Process whose network namespace they listen in; null for that of this process. */
  network: number | null;
  /** What is read from their pipes is written to this file; null where to is not known. */
  pipeFile: string | null;
}

/** A service with more of them is like its first ones. */
const MOST_PROCESSES = 512;

/**
 * What the kernel shows of a service; what is written is added up over `seconds`. What the kernel does not show is left out, with
 * the reason; rejects only when aborted.
 */
export async function observedProcesses(
  target: ObservationTarget,
  seconds: number,
  signal: AbortSignal,
): Promise<ObservedProcesses> {
  if (process.platform !== 'linux') return { unseen: ['Processes and sockets of a service are seen on Linux alone.'] };
  const pids = target.pids.slice(0, MOST_PROCESSES);
  const stats = pids.flatMap((pid) => processStat(pid) ?? []);
  const cpus = pids.flatMap(allowedCpus);
  const listeners = listenersOf(target.network ?? process.pid).filter(({ port }) => port === target.port);
  const [output, backlog] = await Promise.all([outputOf(pids, target, seconds, signal), backlogOf(target, signal)]);
  return {
    ...(listeners.length === 0 ? {} : { listeners: listeners.length }),
    ...(stats.length === 0
      ? {}
      : { processes: stats.length, threads: stats.reduce((sum, { threads }) => sum + threads, 0) }),
    ...(cpus.length === 0 ? {} : { cpus: formatCpuList(cpus) }),
    ...(typeof backlog === 'string' ? {} : { backlog }),
    ...output,
    unseen: [...(typeof backlog === 'string' ? [backlog] : []), ...output.unseen],
  };
}

function allowedCpus(pid: number): number[] {
  const list = /^Cpus_allowed_list:\s*(\S+)/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1];
  return parseCpuList(list ?? '') ?? [];
}

/** The backlog, or why it is not known. */
async function backlogOf({ port, network }: ObservationTarget, signal: AbortSignal): Promise<number | string> {
  const command = ['ss', '-H', '-l', '-t', '-n', `sport = :${port}`];
  const [program = '', ...args] =
    network === null ? command : ['nsenter', `--net=/proc/${network}/ns/net`, '--', ...command];
  const result = await runCommand(program, args, { timeoutSeconds: 2, maxOutputBytes: 64 * 1024, signal });
  const backlogs = parseBacklogs(result.stdout);
  if (backlogs.length > 0) return Math.min(...backlogs);
  if (!result.found || /\bss: (?:No such file|command not found)/.test(result.stderr)) {
    const missing = result.found ? 'ss' : program;
    return `The listen backlog is not seen: \`${missing}\` is not installed (package ${missing === 'ss' ? 'iproute2' : 'util-linux'}).`;
  }
  if (network !== null && process.getuid?.() !== 0) return 'The listen backlog of a container is seen by root alone.';
  return `The listen backlog is not seen: ss shows no socket on port ${port}.`;
}

type Output = Pick<ObservedProcesses, 'outputs' | 'outputBytesPerSecond' | 'unseen'>;

async function outputOf(
  pids: readonly number[],
  { pipeFile }: ObservationTarget,
  seconds: number,
  signal: AbortSignal,
): Promise<Output> {
  const links = pids.flatMap((pid) => [`/proc/${pid}/fd/1`, `/proc/${pid}/fd/2`]);
  const kinds = new Set<OutputKind>();
  const files = new Set<string>();
  for (const link of links) {
    const kind = kindOf(link);
    if (kind === null) continue;
    kinds.add(kind);
    if (kind === 'file') files.add(link);
  }
  if (kinds.size === 0) return { unseen: ['Where a service writes its output is seen by root alone.'] };
  if (kinds.has('pipe') && pipeFile !== null) files.add(pipeFile);
  const outputs = [...kinds].sort();
  const isWhole = !kinds.has('terminal') && !kinds.has('socket') && (!kinds.has('pipe') || pipeFile !== null);
  const before = sizesOf(files);
  const startedMs = performance.now();
  await sleep(seconds * 1000, undefined, { signal });
  const after = sizesOf(files);
  const watchedSeconds = (performance.now() - startedMs) / 1000;
  if (!isWhole || (pipeFile !== null && files.has(pipeFile) && after.size === 0)) return { outputs, unseen: [] };
  let bytes = 0;
  // What a file lost when it was begun anew meanwhile is not known.
  for (const [file, size] of after) bytes += Math.max(0, size - (before.get(file) ?? size));
  return { outputs, outputBytesPerSecond: Math.round(bytes / watchedSeconds), unseen: [] };
}

function kindOf(link: string): OutputKind | null {
  try {
    const target = readlinkSync(link);
    if (target.startsWith('pipe:')) return 'pipe';
    if (target.startsWith('socket:')) return 'socket';
    if (target === '/dev/null') return 'nowhere';
    return /^\/dev\/(?:pts\/|tty|console)/.test(target) ? 'terminal' : 'file';
  } catch {
    return null;
  }
}

/** By device and number, since several processes have the same file. */
function sizesOf(files: Iterable<string>): Map<string, number> {
  const sizes = new Map<string, number>();
  for (const file of files) {
    try {
      const { dev, ino, size } = statSync(file);
      sizes.set(`${dev} ${ino}`, size);
    } catch {
      // Ended meanwhile, or not there: another engine keeps its logs elsewhere.
    }
  }
  return sizes;
}
