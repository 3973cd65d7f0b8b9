import { moderatedVariance } from '../statistics/moderated-variance.ts';
import { questionId } from './contrast.ts';
import type { Known } from './question.ts';
import type { StoredContrast } from './stored-contrast.ts';
import { logBorders } from './thresholds.ts';

/** As the decision takes them, the scatter of each moderated by that of the same metric and generator. */
export function knownOfStored(all: readonly StoredContrast[]): Known[] {
  const judged = all.flatMap(({ contrast, observed }) =>
    observed === null || observed.variance === null ? [] : [{ contrast, observed, variance: observed.variance }],
  );
  const groupOf = ({ contrast }: Pick<StoredContrast, 'contrast'>) =>
    `${contrast.metric.name} ${contrast.case.candidate!.generator} stored`;
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
      question: {
        id: questionId(contrast),
        group: groupOf(one),
        logRatios: [],
        threshold: borders.worse,
        improvement: borders.better,
      },
      instances: observed.runs,
      mean: observed.change,
      standardError: Math.sqrt(value),
      degreesOfFreedom,
    };
  });
}
