import type { MetricLimit } from '../config/resolved.ts';
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
 * difference lies anywhere between the extremes, and only what holds in all of that range is said.
 */
export function countDecision(baseline: MetricRecord, candidate: MetricRecord, limit: MetricLimit): CountDecision {
  const [was, is] = [rangeOf(baseline), rangeOf(candidate)];
  const slack = ROUNDING * Math.max(1, was.high, is.high);
  const [low, high] = [is.low - was.high, is.high - was.low];
  const direction = low > slack ? 'worse' : high < -slack ? 'better' : 'unclear';
  const rounds = Math.min(baseline.samples.length, candidate.samples.length);
  const varies = [...(was.high > was.low ? ['baseline'] : []), ...(is.high > is.low ? ['candidate'] : [])];
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

function rangeOf({ value, samples }: MetricRecord): { low: number; high: number } {
  const values = samples.length === 0 ? [value] : samples.map((sample) => sample.value);
  return { low: Math.min(...values), high: Math.max(...values) };
}
