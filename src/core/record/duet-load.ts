import type { TrialMeasurement } from '../measurement/measurement.ts';
import { FIRST_LOOK } from '../statistics/interim-analyses.ts';
import { median } from '../statistics/quantile.ts';
import type { DuetLoad } from './run-record.ts';

/**
 * What a case's duets say of how its sides competed; nothing where it has none. Those up to the first look settle it: by
 * later ones the question would become another one, and what was decided of it be lost.
 */
export function duetLoad(trials: readonly TrialMeasurement[]): { duet?: DuetLoad } {
  const loads = trials.flatMap(({ round, cpu, duet }) => {
    if (duet === undefined || duet.overlapNs <= 0 || duet.ownNs + duet.partnerNs <= 0) return [];
    const idleShare = duet.idleNs / (duet.overlapNs * Math.max(1, cpu.serverCpuCount));
    const cpuShare = duet.ownNs / (duet.ownNs + duet.partnerNs);
    return [{ round, cpuShare, busyShare: Math.max(0, 1 - idleShare) }];
  });
  if (loads.length === 0) return {};
  const first = loads.filter(({ round }) => round <= FIRST_LOOK);
  const middle = (part: keyof DuetLoad) => median((first.length > 0 ? first : loads).map((load) => load[part]));
  return { duet: { cpuShare: middle('cpuShare'), busyShare: middle('busyShare') } };
}
