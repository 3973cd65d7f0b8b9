import type { Limit, ResolvedSpec } from '../config/resolved.ts';
import { type Detectability, isCompared } from './detectability.ts';
import { beyondLimit, changeBeyond } from './detectable-change.ts';
import { NOISE_PROFILE_SOURCE } from './noise-profile.ts';
import type { Plan } from './plan.ts';
import { pullRequestSeconds } from './pull-request-time.ts';

/** What comparing takes and shows, for a program; null where nothing is measured side by side. */
export function detectabilityJson(spec: ResolvedSpec, plan: Pick<Plan, 'services'>, found: readonly Detectability[]) {
  if (!isCompared(spec, found) || spec.gate.baseline === 'stored') return null;
  const budgetSeconds = found.reduce((sum, each) => sum + each.budgetSeconds, 0);
  return {
    budgetSeconds,
    pullRequestSeconds: Math.round(pullRequestSeconds(spec, plan, budgetSeconds)),
    noiseFrom: NOISE_PROFILE_SOURCE,
    services: found.map((one) => ({
      service: one.service,
      pairing: one.pairing,
      budgetSeconds: one.budgetSeconds,
      rounds: one.rounds,
      secondsPerRound: rounded(one.round.seconds),
      trialsPerRound: one.round.pairsEach,
      trialSeconds: one.round.lengths,
      changes: one.units.map((unit) => ({
        key: unit.key,
        level: unit.level,
        metric: unit.metric.name,
        limit: unit.limit,
        minimumDetectable: unit.threshold === null ? null : rounded(changeBeyond(unit)),
        beyondLimit: rounded(beyondLimit(unit)),
        note: unit.note,
      })),
      exact: one.exact.map(({ metric, limit }): { metric: string; limit: Limit } => ({ metric: metric.name, limit })),
    })),
  };
}

/** A forecast has no more than four digits to tell. */
function rounded<T extends number | null>(value: T): T {
  return (value === null ? null : Number(value.toPrecision(4))) as T;
}
