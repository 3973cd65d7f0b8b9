import type { MetricLimit } from '../config/resolved.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import type { MetricRecord } from '../record/run-record.ts';
import type { MetricComparison } from './comparison.ts';
import { differenceThreshold } from './thresholds.ts';

/** What is said of a count from passes without load. */
export interface CountDecision {
  direction: MetricComparison['direction'];
  /** Null where no change is limited. */
  verdict: 'regression' | 'improvement' | 'no-change' | 'inconclusive' | null;
  /** Passes of the side that has fewer. */
  rounds: number;
  note: string | null;
}

/** Of a count: 200 requests with one call more are 0.005 more, so this is no difference but arithmetic. */
const ROUNDING = 1e-9;

/**
 * Compares counts as they are, without statistics, where every pass of a side gave the same. Where passes differ, the
 * difference lies anywhere between the extremes, and only what holds in all of that range is said. By as much as the metric's
 * passes scatter of themselves nothing differs.
 */
export function countDecision(
  { passScatter = 0 }: Pick<MetricDefinition, 'passScatter'>,
  baseline: MetricRecord,
  candidate: MetricRecord,
  limit: MetricLimit,
): CountDecision {
  const [was, is] = [rangeOf(baseline), rangeOf(candidate)];
  const slack = Math.max(passScatter, ROUNDING * Math.max(1, was.high, is.high));
  const [low, high] = [is.low - was.high, is.high - was.low];
  const direction = low > slack ? 'worse' : high < -slack ? 'better' : 'unclear';
  const rounds = Math.min(passesOf(baseline), passesOf(candidate));
  const varies = [
    ...(was.high - was.low > passScatter ? ['baseline'] : []),
    ...(is.high - is.low > passScatter ? ['candidate'] : []),
  ];
  const note =
    varies.length === 0 ? null : `the count is not exact: passes of the ${varies.join(' and of the ')} differ`;
  const found = { direction, rounds, note } as const;

  const { maxIncrease, maxDecrease } = limit;
  if (maxIncrease === undefined && maxDecrease === undefined) return { ...found, verdict: null };
  const most = maxIncrease === undefined ? Number.POSITIVE_INFINITY : differenceThreshold(maxIncrease, baseline.value);
  // A fall is a change for the better, unless it is limited as well.
  const least = maxDecrease === undefined ? most : differenceThreshold(maxDecrease, baseline.value);
  if (low > most + slack) return { ...found, verdict: 'regression' };
  if (high < -least - slack) return { ...found, verdict: maxDecrease === undefined ? 'improvement' : 'regression' };
  if (high <= most + slack && low >= -least - slack) return { ...found, verdict: 'no-change' };
  return { ...found, verdict: 'inconclusive' };
}

function rangeOf({ value, samples, summary }: MetricRecord): { low: number; high: number } {
  if (samples.length === 0) return summary ?? { low: value, high: value };
  const values = samples.map((sample) => sample.value);
  return { low: Math.min(...values), high: Math.max(...values) };
}

/** A record of the data branch says how many there were where it was more than one. */
function passesOf({ samples, summary }: MetricRecord): number {
  return samples.length === 0 ? (summary?.samples ?? 1) : samples.length;
}
