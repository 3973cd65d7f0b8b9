import type { RunRecord } from '../record/run-record.ts';
import { type ComparedMetric, isExactlyCompared } from './compared-metric.ts';
import { countedOf, countVaries } from './counts.ts';
import { FAMILY_ERROR_RATE } from './decision.ts';
import { isGated } from './metric-comparison.ts';

/** Of a service's error rate, where a count of it varies by itself. An exact count needs none. */
const SHARE_OF_COUNTS = 0.2;

/**
 * One-sided error rate of one service's hypotheses. Services are measured one after the other, each with its own number
 * of rounds, so that each is a matrix of its own: they share the error rate of the whole evenly.
 */
export function serviceErrorRate({ spec }: Pick<RunRecord, 'spec'>): number {
  const subjects = spec.services.filter(({ role }) => role === 'subject').length;
  return FAMILY_ERROR_RATE / Math.max(1, subjects);
}

/** What is left of a service's error rate for its metrics that are told from ratios. */
export function ratiosErrorRate(errorRate: number, comparedMetrics: readonly ComparedMetric[]): number {
  return comparedMetrics.some(isTested) ? errorRate * (1 - SHARE_OF_COUNTS) : errorRate;
}

/** Each count that varies with its part of its service's error rate. */
export function withCountErrorRates(comparedMetrics: readonly ComparedMetric[], errorRate: number): ComparedMetric[] {
  const tested = new Map<string, number>();
  for (const each of comparedMetrics) {
    const { service } = each.case;
    if (isTested(each)) tested.set(service, (tested.get(service) ?? 0) + 1);
  }
  return comparedMetrics.map((each) => {
    const among = tested.get(each.case.service);
    if (among === undefined || !isExactlyCompared(each)) return each;
    return { ...each, countErrorRate: (errorRate * SHARE_OF_COUNTS) / among };
  });
}

/** A gated count that varies, judged by itself. */
function isTested(comparedMetric: ComparedMetric): boolean {
  const { baseline, candidate, judgedBy } = comparedMetric;
  if (!isExactlyCompared(comparedMetric) || judgedBy !== null || !isGated(comparedMetric)) return false;
  return baseline !== null && candidate !== null && countVaries(countedOf(comparedMetric), baseline, candidate);
}
