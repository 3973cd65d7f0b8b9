import { serviceErrorRate } from '../comparison/undecided.ts';
import type { ResolvedSpec } from '../spec/resolved.ts';
import type { Plan } from './case.ts';
import { detectabilityOf, roundsNeeded, subjectsOf } from './detectability.ts';

/** Shorter comparisons would show little on a machine that is busier than usual; longer ones nobody waits for. */
export const AUTO_BUDGET_SECONDS = { least: 120, most: 720 } as const;

/**
 * Seconds for comparing the whole matrix: what is written, or with `auto` what it takes to see twice each limit of a service and
 * its endpoints in nine of ten runs, between 2 and 12 minutes.
 */
export function budgetSecondsOf(spec: ResolvedSpec, { stages }: Pick<Plan, 'stages'>): number {
  if (spec.gate.budgetSeconds !== null) return spec.gate.budgetSeconds;
  const { least, most } = AUTO_BUDGET_SECONDS;
  return Math.min(most, Math.max(least, secondsNeeded(spec, { stages })));
}

/** The same without its bounds, rounded up to ten seconds. */
export function secondsNeeded(spec: ResolvedSpec, { stages }: Pick<Plan, 'stages'>): number {
  if (subjectsOf(stages).length === 0) return 0;
  const errorRate = serviceErrorRate({ spec });
  const seconds = detectabilityOf(spec, { stages }, AUTO_BUDGET_SECONDS.most).reduce(
    (sum, each) => sum + roundsNeeded(each, errorRate) * each.round.seconds,
    0,
  );
  return 10 * Math.ceil(seconds / 10);
}
