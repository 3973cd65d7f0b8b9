import { existsSync } from 'node:fs';
import { type CpuInfo, cpus as systemCpus } from 'node:os';
import type { CpuMeter } from '../../app/ports/machine.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import { KeptFile } from './kept-file.ts';

const STAT = '/proc/stat';

/**
 * Keeps a meter, and so an open file, for each set of CPUs that it was asked for. Without `/proc` nothing is held to CPUs either:
 * what those were busy with is then left out, since it would all pass for the work of others.
 */
export function createCpuMeter(path = STAT): CpuMeter {
  const isHeld = existsSync(path);
  const meters = new Map<string, CpuTimeMeter>();
  return {
    read(cpus) {
      const meter = meters.get(cpus) ?? cpuTimeMeter(cpus, path);
      meters.set(cpus, meter);
      const { busyNs, stealNs, idleNs } = meter.read();
      return { busyNs: isHeld ? busyNs : 0, stealNs, idleNs };
    },
    ownNs() {
      const { user, system } = process.cpuUsage();
      return (user + system) * 1000;
    },
    count: (cpus) => new Set(parseCpuList(cpus) ?? []).size,
  };
}

/** CPU time since boot, summed over the CPUs of a set, nanoseconds; the kernel counts in ticks of 10 ms. */
interface CpuTime {
  /** By any process, whoever's: user, nice and system. */
  busyNs: number;
  /** By interrupts, which belong to no process. */
  interruptNs: number;
  /** Taken by the hypervisor. */
  stealNs: number;
  /** By nobody, waiting for disks included. */
  idleNs: number;
}

interface CpuTimeMeter {
  read(): CpuTime;
  close(): void;
}

/** USER_HZ, the same on every architecture that is supported. */
const NS_PER_TICK = 10_000_000;

/** `cpus` in the kernel's notation. Throws a `RangeError` where it is none. Without such a file, what the system tells Node.js. */
export function cpuTimeMeter(cpus: string, path = STAT): CpuTimeMeter {
  const wanted = parseCpuList(cpus);
  if (wanted === null) throw new RangeError(`'${cpus}' is not a list of CPUs.`);
  const set = new Set(wanted);
  if (!existsSync(path)) return { read: () => sumOfSystem(systemCpus(), set), close: () => {} };
  // The lines of the CPUs come first; what follows them is long and is not wanted.
  const file = new KeptFile(path, 512 + 160 * (Math.max(...wanted) + 1));
  return {
    read: () => sumOf(file.read(), set),
    close: () => file.close(),
  };
}

/** `cpuN user nice system idle iowait irq softirq steal guest guest_nice`; guest time is in user time already. */
function sumOf(text: string, cpus: Set<number>): CpuTime {
  const sum: CpuTime = { busyNs: 0, interruptNs: 0, stealNs: 0, idleNs: 0 };
  // The last line may be cut off.
  for (const line of text.split('\n').slice(0, -1)) {
    if (!line.startsWith('cpu')) break;
    const [name = '', user, nice, system, idle, iowait, irq, softirq, steal] = line.split(/ +/);
    if (name === 'cpu' || !cpus.has(Number(name.slice(3)))) continue;
    sum.busyNs += (Number(user) + Number(nice) + Number(system)) * NS_PER_TICK;
    sum.interruptNs += (Number(irq) + Number(softirq)) * NS_PER_TICK;
    sum.stealNs += Number(steal ?? 0) * NS_PER_TICK;
    sum.idleNs += (Number(idle) + Number(iowait)) * NS_PER_TICK;
  }
  return sum;
}

const NS_PER_MS = 1_000_000;

/** In the order of their numbers. The system tells of no hypervisor, and counts waiting for disks as idle. */
export function sumOfSystem(all: readonly Pick<CpuInfo, 'times'>[], cpus: ReadonlySet<number>): CpuTime {
  const sum: CpuTime = { busyNs: 0, interruptNs: 0, stealNs: 0, idleNs: 0 };
  for (const [cpu, { times }] of all.entries()) {
    if (!cpus.has(cpu)) continue;
    sum.busyNs += (times.user + times.nice + times.sys) * NS_PER_MS;
    sum.interruptNs += times.irq * NS_PER_MS;
    sum.idleNs += times.idle * NS_PER_MS;
  }
  return sum;
}
