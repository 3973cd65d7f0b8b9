import type { CpuMeter } from '../../app/ports/machine.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import { type CpuTimeMeter, cpuTimeMeter } from './cpu-time.ts';

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
