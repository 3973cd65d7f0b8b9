import { median } from '../statistics/quantile.ts';
import type { SliceMeasurement } from './measurement.ts';
import type { DuetLoad } from './run-record.ts';

/** What a case's duets say of how its sides competed; nothing where it has none. */
export function duetLoad(slices: readonly SliceMeasurement[]): { duet?: DuetLoad } {
  const loads = slices.flatMap(({ cpu, duet }) => {
    if (duet === undefined || duet.overlapNs <= 0 || duet.ownNs + duet.partnerNs <= 0) return [];
    const idleShare = duet.idleNs / (duet.overlapNs * Math.max(1, cpu.serverCpuCount));
    return [{ cpuShare: duet.ownNs / (duet.ownNs + duet.partnerNs), busyShare: Math.max(0, 1 - idleShare) }];
  });
  if (loads.length === 0) return {};
  const middle = (part: keyof DuetLoad) => median(loads.map((load) => load[part]));
  return { duet: { cpuShare: middle('cpuShare'), busyShare: middle('busyShare') } };
}
