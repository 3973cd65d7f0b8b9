import { setTimeout } from 'node:timers/promises';
import type { MachineFacts } from '../../core/doctor/facts.ts';
import { processIds, processStat, programName } from '../process/process-table.ts';
import { kernelText } from './kernel-files.ts';

/** The kernel counts CPU time of the outside world in these, on every platform that is supported. */
const TICKS_PER_SECOND = 100;

type LoadNow = NonNullable<MachineFacts['cpu']['now']>;

/** A look before the time is over, after which there may be no more to see. */
export interface FirstLook {
  afterSeconds: number;
  isEnough(load: LoadNow): boolean;
}

/**
 * What the CPUs are used for just now, watched for `seconds`, or until the first look where that is enough; null where the
 * kernel does not tell. Start no process of our own meanwhile: it would count as somebody else's.
 */
export async function sampleLoad(
  seconds: number,
  signal: AbortSignal,
  first: FirstLook | null = null,
): Promise<LoadNow | null> {
  const begun = begin();
  if (begun === null) return null;
  const wait = (part: number) => setTimeout(part * 1000, undefined, { signal });
  if (first === null) {
    await wait(seconds);
    return loadSince(begun, seconds);
  }
  await wait(first.afterSeconds);
  const early = loadSince(begun, first.afterSeconds);
  if (early !== null && first.isEnough(early)) return early;
  await wait(seconds - first.afterSeconds);
  return loadSince(begun, seconds);
}

interface Begun {
  ticks: Ticks;
  processes: ReturnType<typeof processTicks>;
  own: NodeJS.CpuUsage;
}

function begin(): Begun | null {
  const ticks = readTicks();
  return ticks === null ? null : { ticks, processes: processTicks(), own: process.cpuUsage() };
}

function loadSince({ ticks: before, processes, own: ownBefore }: Begun, seconds: number): LoadNow | null {
  const own = process.cpuUsage(ownBefore);
  const after = readTicks();
  if (after === null) return null;

  const total = Math.max(1, after.total - before.total);
  const ownTicks = ((own.user + own.system) / 1e6) * TICKS_PER_SECOND;
  const busiest = busiestSince(processes);
  return {
    stealShare: (after.steal - before.steal) / total,
    otherShare: Math.max(0, after.busy - before.busy - ownTicks) / total,
    busiest: busiest === null ? null : { ...busiest, cores: busiest.ticks / TICKS_PER_SECOND / seconds },
  };
}

interface Ticks {
  busy: number;
  steal: number;
  total: number;
}

function readTicks(): Ticks | null {
  const match = /^cpu +([\d ]+)$/m.exec(kernelText('/proc/stat') ?? '');
  if (match === null) return null;
  // Guest time is in user and nice already.
  const [user = 0, nice = 0, system = 0, idle = 0, ioWait = 0, irq = 0, softIrq = 0, steal = 0] = match[1]!
    .split(' ')
    .map(Number);
  const busy = user + nice + system + irq + softIrq;
  return { busy, steal, total: busy + idle + ioWait + steal };
}

/** CPU time of each process so far, and its name. */
function processTicks(): Map<number, number> {
  const others = processIds().filter((pid) => pid !== process.pid);
  return new Map(
    others.flatMap((pid) => {
      const stat = processStat(pid);
      return stat === null ? [] : [[pid, stat.cpuTicks] as const];
    }),
  );
}

function busiestSince(before: Map<number, number>): { name: string; pid: number; ticks: number } | null {
  let busiest: { pid: number; ticks: number } | null = null;
  for (const [pid, ticks] of processTicks()) {
    const used = ticks - (before.get(pid) ?? 0);
    if (used > (busiest?.ticks ?? 0)) busiest = { pid, ticks: used };
  }
  const name = busiest === null ? null : programName(busiest.pid);
  return busiest === null || name === null ? null : { ...busiest, name };
}
