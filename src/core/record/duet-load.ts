import { median } from '../statistics/quantile.ts';
import type { SliceMeasurement } from './measurement.ts';
import type { DuetLoad } from './run-record.ts';

/** What a case's duets say of how its sides competed; nothing where it has none. */
export function duetLoad(slices: readonly SliceMeasurement[]): { duet?: DuetLoad } {
  const loads = slices.flatMap(({ cpu, duet }) => {
    if (duet === undefined || duet.overlapNs <= 0 || duet.ownNs + duet.partnerNs <= 0) return [];
    const bothNs = duet.ownNs + duet.partnerNs;
    // What others took was not there to be competed for. They are known for the whole window only.
    const ours = cpu.serviceNs + cpu.databaseNs + cpu.gatewayNs + duet.partnerWindowNs;
    const othersShare = (Math.max(0, cpu.busyNs - ours) + cpu.stealNs) / cpu.windowNs;
    const there = Math.max(0.01, cpu.serverCpuCount - othersShare);
    return [{ cpuShare: duet.ownNs / bothNs, busyShare: bothNs / duet.overlapNs / there }];
  });
  if (loads.length === 0) return {};
  const middle = (part: keyof DuetLoad) => median(loads.map((load) => load[part]));
  return { duet: { cpuShare: middle('cpuShare'), busyShare: Math.min(1, middle('busyShare')) } };
}
