import { serviceErrorRate } from '../comparison/error-rates.ts';
import type { ResolvedSpec } from '../config/resolved.ts';
import { detectabilityOf, roundsNeeded } from './detectability.ts';
import { AUTO_BUDGET_SECONDS, MOST_ROUNDS } from './duets.ts';
import type { Plan } from './plan.ts';

/**
 * Seconds for comparing the whole matrix: what is written, or with `auto` what it takes to see twice each limit of a service and
 * its endpoints in nine of ten runs, between 2 and 12 minutes. A machine that is slower than the recorded one, or scatters more, has
 * longer for it.
 */
export function budgetSecondsOf(spec: ResolvedSpec, plan: Pick<Plan, 'services'>): number {
  if (spec.gate.budgetSeconds !== null) return spec.gate.budgetSeconds;
  const { least, most } = AUTO_BUDGET_SECONDS;
  return Math.min(most, Math.max(least, neededBudget(spec, plan).seconds));
}

export interface NeededBudget {
  /** Rounded up to ten seconds. */
  seconds: number;
  /** False where no budget is enough: `seconds` are then what the most rounds take. */
  isEnough: boolean;
}

/**
 * What it takes to see twice each limit of every service. Each gets an even part of a budget, and so as much as the one that needs
 * most.
 */
export function neededBudget(spec: ResolvedSpec, plan: Pick<Plan, 'services'>): NeededBudget {
  const errorRate = serviceErrorRate({ spec });
  const each = detectabilityOf(spec, plan, AUTO_BUDGET_SECONDS.most).map((one) => {
    const rounds = roundsNeeded(one, errorRate);
    return { seconds: (rounds ?? MOST_ROUNDS) * one.round.seconds, isEnough: rounds !== null };
  });
  const seconds = each.length * Math.max(0, ...each.map((one) => one.seconds));
  return { seconds: 10 * Math.ceil(seconds / 10), isEnough: each.every(({ isEnough }) => isEnough) };
}
