import { DEFAULT_LIMITS } from '../config/gate.ts';
import type { Limit } from '../config/resolved.ts';
import type { MetricDefinition } from '../metrics/definition.ts';
import { metricNamed } from '../metrics/registry.ts';
import { analysesUpTo, LEAST_VALUES } from '../statistics/interim-analyses.ts';
import { detectableBeyond } from '../statistics/round-mean.ts';
import { FAMILY_ERROR_RATE } from './decision.ts';
import { estimatesOf } from './estimates.ts';
import type { Hypothesis } from './hypothesis.ts';
import { logBorders } from './thresholds.ts';

/**
 * Whether a run that ended after these rounds shows a change of twice the limit in nine of ten cases, for each service and endpoint
 * among `waiting` (ids). This looks at how much rounds scatter and never at what changed: more rounds for what is nearly red would be
 * one more chance to call it red, more rounds for what scatters are not (Gould, Statistics in Medicine 14, 1995). `errorRate` is as
 * for `decisionsOn`.
 */
export function seesTwiceEachLimit(
  hypotheses: readonly Hypothesis[],
  waiting: ReadonlySet<string>,
  rounds: number,
  errorRate: number = FAMILY_ERROR_RATE,
): boolean {
  const { share = 0 } = analysesUpTo(rounds, true).at(-1) ?? {};
  return estimatesOf(hypotheses, rounds).every((estimate) => {
    const { id, level, metric, threshold, share: own } = estimate.hypothesis;
    if (level === 'case' || !waiting.has(id)) return true;
    if (share === 0 || estimate.count < LEAST_VALUES) return false;
    return detectableBeyond(estimate, errorRate * own * share) <= (threshold || usualThreshold(metricNamed(metric)!));
  });
}

/** Of a limit of 0 twice the limit says nothing: it asks for as much as the default one. */
export function usualThreshold(metric: Pick<MetricDefinition, 'name' | 'better'>): number {
  const { maxIncrease, maxDecrease } = DEFAULT_LIMITS[metric.name] ?? {};
  const limit = maxIncrease ?? maxDecrease ?? { kind: 'ratio', value: 0 };
  return logBorders(metric, limit.value === 0 ? USUAL_LIMIT : limit, 1).worse;
}

const USUAL_LIMIT: Limit = { kind: 'ratio', value: 0.05 };
