import type { TrialMeasurement } from '../measurement/measurement.ts';
import { FIRST_ANALYSIS_ROUNDS } from '../statistics/interim-analyses.ts';
import { mean, sampleVariance } from '../statistics/moderated-variance.ts';
import { median } from '../statistics/quantile.ts';
import type { DuetLoad } from './run-record.ts';

/** Of the CPUs of a duet's servers, by whomever; null of a trial alone, and of sides that were not loaded at the same time. */
export function busyShareOf({ cpu, duet }: TrialMeasurement): number | null {
  if (duet === undefined || duet.overlapNs <= 0) return null;
  return Math.max(0, 1 - duet.idleNs / (duet.overlapNs * Math.max(1, cpu.serverCpuCount)));
}

/**
 * What a case's duets say of how its sides competed; nothing where it has none. Those up to the first look settle it: by
 * later ones the question would become another one, and what was decided of it be lost.
 */
export function duetLoad(trials: readonly TrialMeasurement[]): { duet?: DuetLoad } {
  const loads = trials.flatMap((trial) => {
    const busyShare = busyShareOf(trial);
    const { duet } = trial;
    if (duet === undefined || busyShare === null || duet.ownNs + duet.partnerNs <= 0) return [];
    const cpuShare = duet.ownNs / (duet.ownNs + duet.partnerNs);
    return [{ round: trial.round, cpuShare, busyShare }];
  });
  if (loads.length === 0) return {};
  const first = loads.filter(({ round }) => round <= FIRST_ANALYSIS_ROUNDS);
  const used = first.length > 0 ? first : loads;
  const cpuShares = used.map(({ cpuShare }) => cpuShare);
  const variance = sampleVariance(cpuShares);
  return {
    duet: {
      cpuShare: mean(cpuShares),
      ...(variance === null ? {} : { cpuShareError: Math.sqrt(variance.value / used.length) }),
      busyShare: median(used.map(({ busyShare }) => busyShare)),
    },
  };
}
