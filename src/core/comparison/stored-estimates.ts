import { moderatedVariance } from '../statistics/moderated-variance.ts';
import { hypothesisId } from './compared-metric.ts';
import type { RatioEstimate } from './estimates.ts';
import type { StoredMetric } from './stored-metric.ts';
import { logBorders } from './thresholds.ts';

/**
 * As decisions take them, the scatter of each moderated by that of the same metric and generator; all have the same share of the
 * error rate.
 */
export function storedEstimates(all: readonly StoredMetric[]): RatioEstimate[] {
  const judged = all.flatMap(({ comparedMetric, observed }) =>
    observed === null || observed.variance === null ? [] : [{ comparedMetric, observed, variance: observed.variance }],
  );
  const groupOf = ({ comparedMetric }: Pick<StoredMetric, 'comparedMetric'>) =>
    `${comparedMetric.metric.name} ${comparedMetric.case.candidate!.generator}`;
  return judged.map((one) => {
    const { comparedMetric, observed, variance } = one;
    const neighbours = judged.filter((other) => other !== one && groupOf(other) === groupOf(one));
    const { value, degreesOfFreedom } = moderatedVariance(
      variance,
      neighbours.map((other) => other.variance),
    );
    const borders =
      comparedMetric.threshold === null
        ? { worse: 0, better: 0 }
        : logBorders(comparedMetric.metric, comparedMetric.threshold, comparedMetric.baseline!.value);
    return {
      hypothesis: {
        id: hypothesisId(comparedMetric),
        level: comparedMetric.level,
        metric: comparedMetric.metric.name,
        groups: [],
        threshold: borders.worse,
        improvement: borders.better,
        share: 1 / judged.length,
        after: null,
      },
      count: observed.runs,
      mean: observed.change,
      standardError: Math.sqrt(value),
      degreesOfFreedom,
      skewness: 0,
    };
  });
}
