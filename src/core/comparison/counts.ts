import type { MetricLimit } from '../config/resolved.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import type { MetricRecord } from '../record/run-record.ts';
import { analysesUpTo } from '../statistics/interim-analyses.ts';
import type { ComparedMetric } from './compared-metric.ts';
import type { MetricComparison } from './comparison.ts';
import { FAMILY_ERROR_RATE, NO_CHANGE_ERROR_RATE } from './decision.ts';
import { differenceThreshold } from './thresholds.ts';
import { chanceOfRise, type PassValues } from './varying-count.ts';

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
/** A difference is sure at once where it is nearly one in each request, and so many times what passes of a side differ by. */
const SURE = { perRequest: 0.9, timesTheSpread: 20 } as const;

/** A count of a case. `inOrder`: its requests differ, and the passes of both sides send the same ones in the same order. */
export type Counted = Pick<MetricDefinition, 'passScatter'> & { inOrder?: true };

/** So many passes of each side that agree are no chance: of a statement of one request in 100 as many in 3 of 3 passes are rare. */
const LEAST_AGREEING_PASSES = 3;

export function countedOf({ metric, case: { inOrder } }: Pick<ComparedMetric, 'metric' | 'case'>): Counted {
  return inOrder === undefined ? metric : { ...metric, inOrder };
}

/**
 * Compares counts as they are, without statistics, where every request gave the same. Of what varies by itself, such as a statement
 * of one request in 100, a test tells whether there is more of it, with `errorRate` over all looks: 8 passes of each side at least.
 * By as much as the metric's passes scatter of themselves nothing differs.
 */
export function countDecision(
  metric: Counted,
  baseline: MetricRecord,
  candidate: MetricRecord,
  limit: MetricLimit,
  errorRate = FAMILY_ERROR_RATE,
): CountDecision {
  const { passScatter = 0 } = metric;
  const [was, is] = [rangeOf(baseline), rangeOf(candidate)];
  const slack = Math.max(passScatter, ROUNDING * Math.max(1, was.high, is.high));
  const [low, high] = [is.low - was.high, is.high - was.low];
  const spread = Math.max(was.high - was.low, is.high - is.low);
  const isSure = !countVaries(metric, baseline, candidate);
  /** How far beyond something a difference must lie to be sure. */
  const margin = isSure ? slack : Math.max(slack, SURE.perRequest, SURE.timesTheSpread * spread);
  const rounds = Math.min(passesOf(baseline), passesOf(candidate));
  const found = { rounds, note: noteOf(passScatter, was, is) } as const;
  const direction: CountDecision['direction'] = low > margin ? 'worse' : high < -margin ? 'better' : 'unclear';

  const { maxIncrease, maxDecrease } = limit;
  const isLimited = maxIncrease !== undefined || maxDecrease !== undefined;
  const most = maxIncrease === undefined ? Number.POSITIVE_INFINITY : differenceThreshold(maxIncrease, baseline.value);
  // A fall is a change for the better, unless it is limited as well.
  const least = maxDecrease === undefined ? (isLimited ? most : 0) : differenceThreshold(maxDecrease, baseline.value);
  const fall = maxDecrease === undefined ? 'improvement' : 'regression';
  const said = (verdict: NonNullable<CountDecision['verdict']>, way = direction): CountDecision => ({
    ...found,
    direction: way,
    verdict: isLimited ? verdict : null,
  });
  if (low > most + margin) return said('regression');
  if (high < -least - margin) return said(fall);
  if (high <= most + slack && low >= -least - slack) return said('no-change');
  if (isSure) return said('inconclusive');

  const passes = [baseline, candidate].map(passValues) as [PassValues, PassValues];
  const ofLimits = { most: (isLimited ? most : 0) + passScatter, least: least + passScatter };
  const judged = judgedAtLooks(passes, ofLimits, errorRate, maxDecrease !== undefined);
  if (judged === 'more') return said('regression', 'worse');
  if (judged === 'fewer') return said(fall, 'better');
  return said(judged === 'neither' ? 'no-change' : 'inconclusive');
}

/**
 * Not every request gave the same: a pass of a side differs from another one, or a pass holds a part of a count. Where requests differ, a part
 * is what their mix amounts to, once passes of each side agree on it: 1.2 of 8 requests with one statement and 2 with two.
 */
export function countVaries(
  { passScatter, inOrder }: Counted,
  baseline: MetricRecord,
  candidate: MetricRecord,
): boolean {
  const passes = Math.min(passesOf(baseline), passesOf(candidate));
  return [baseline, candidate].some((side) => {
    const { low, high } = rangeOf(side);
    if (high - low > (passScatter ?? ROUNDING * Math.max(1, high))) return true;
    if (inOrder && passes >= LEAST_AGREEING_PASSES) return false;
    return passScatter === undefined && Math.abs(low - Math.round(low)) > ROUNDING * Math.max(1, high);
  });
}

/** Null where it is still open. At a look that does not lean towards a rise there is none; what is decided stays so. */
function judgedAtLooks(
  [was, is]: [PassValues, PassValues],
  { most, least }: { most: number; least: number },
  errorRate: number,
  isFallLimited: boolean,
): 'more' | 'fewer' | 'neither' | null {
  const looks = analysesUpTo(Math.min(was.length, is.length), false);
  // Where a rise could not be told yet, that passes do not lean towards one says little.
  for (const { rounds, share } of looks.filter((look) => look.share > 0)) {
    const [before, after] = [was.slice(0, rounds), is.slice(0, rounds)];
    const level = errorRate * share;
    const [rise, fall] = [chanceOfRise(before, after, most), chanceOfRise(after, before, least)];
    if (rise < level) return 'more';
    if (fall < level) return 'fewer';
    const leans = rise < NO_CHANGE_ERROR_RATE || (isFallLimited && fall < NO_CHANGE_ERROR_RATE);
    const isWithin = staysWithin(before, after, most) && (!isFallLimited || staysWithin(after, before, least));
    if (!leans && isWithin) return 'neither';
  }
  return null;
}

/** A rise by the limit is ruled out. Of a limit of 0 it never is: there it is enough that passes do not lean towards one. */
function staysWithin(before: PassValues, after: PassValues, most: number): boolean {
  if (most === 0 || most === Number.POSITIVE_INFINITY) return true;
  return chanceOfRise(after, before, -most) < NO_CHANGE_ERROR_RATE;
}

interface Range {
  low: number;
  high: number;
}

function noteOf(passScatter: number, was: Range, is: Range): string | null {
  const varies = [
    ...(was.high - was.low > passScatter ? ['baseline'] : []),
    ...(is.high - is.low > passScatter ? ['candidate'] : []),
  ];
  return varies.length === 0 ? null : `the count is not exact: passes of the ${varies.join(' and of the ')} differ`;
}

function rangeOf({ value, samples, summary }: MetricRecord): Range {
  if (samples.length === 0) return summary ?? { low: value, high: value };
  const values = samples.map((sample) => sample.value);
  return { low: Math.min(...values), high: Math.max(...values) };
}

function passValues({ samples }: MetricRecord): PassValues {
  return samples
    .toSorted((one, other) => one.round - other.round)
    .map(({ value, requests = null }) => ({ value, requests }));
}

/** A record of the data branch says how many there were where it was more than one. */
function passesOf({ samples, summary }: MetricRecord): number {
  return samples.length === 0 ? (summary?.samples ?? 1) : samples.length;
}
