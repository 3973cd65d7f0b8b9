import { moderatedVariance } from '../statistics/moderated-variance.ts';
import { hypothesisId } from './contrast.ts';
import type { RatioEstimate } from './estimates.ts';
import type { StoredContrast } from './stored-contrast.ts';
import { logBorders } from './thresholds.ts';

/**
 * As decisions take them, the scatter of each moderated by that of the same metric and generator; all have the same share of the
 * error rate.
 */
export function storedEstimates(all: readonly StoredContrast[]): RatioEstimate[] {
  const judged = all.flatMap(({ contrast, observed }) =>
    observed === null || observed.variance === null ? [] : [{ contrast, observed, variance: observed.variance }],
  );
  const groupOf = ({ contrast }: Pick<StoredContrast, 'contrast'>) =>
    `${contrast.metric.name} ${contrast.case.candidate!.generator}`;
  return judged.map((one) => {
    const { contrast, observed, variance } = one;
    const neighbours = judged.filter((other) => other !== one && groupOf(other) === groupOf(one));
    const { value, degreesOfFreedom } = moderatedVariance(
      variance,
      neighbours.map((other) => other.variance),
    );
    const borders =
      contrast.threshold === null
        ? { worse: 0, better: 0 }
        : logBorders(contrast.metric, contrast.threshold, contrast.baseline!.value);
    return {
      hypothesis: {
        id: hypothesisId(contrast),
        level: contrast.level,
        metric: contrast.metric.name,
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
