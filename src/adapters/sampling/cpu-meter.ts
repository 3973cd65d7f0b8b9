import type { CpuMeter } from '../../app/ports/machine.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import { KeptFile } from './kept-file.ts';

/** Keeps a meter, and so an open file, for each set of CPUs that it was asked for. */
export function createCpuMeter(): CpuMeter {
  const meters = new Map<string, CpuTimeMeter>();
  return {
    read(cpus) {
      const meter = meters.get(cpus) ?? cpuTimeMeter(cpus);
      meters.set(cpus, meter);
      const { busyNs, stealNs, idleNs } = meter.read();
      return { busyNs, stealNs, idleNs };
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

/** `cpus` in the kernel's notation. Throws a `RangeError` where it is none. */
export function cpuTimeMeter(cpus: string, path = '/proc/stat'): CpuTimeMeter {
  const wanted = parseCpuList(cpus);
  if (wanted === null) throw new RangeError(`'${cpus}' is not a list of CPUs.`);
  const set = new Set(wanted);
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
