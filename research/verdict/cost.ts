import { FAMILY_ERROR_RATE } from '../../src/core/comparison/decision.ts';
import { estimatesOf } from '../../src/core/comparison/estimates.ts';
import { roundsTogether } from '../../src/core/comparison/rounds-together.ts';
import { analysesUpTo } from '../../src/core/statistics/interim-analyses.ts';
import { sampleVariance } from '../../src/core/statistics/moderated-variance.ts';
import { median } from '../../src/core/statistics/quantile.ts';
import { seededRandom } from '../../src/core/statistics/random.ts';
import { bound } from '../../src/core/statistics/round-mean.ts';
import { studentQuantile } from '../../src/core/statistics/student.ts';
import { hypothesesOf, isRequired, none, type Source } from './source.ts';

/**
 * What the allowances for rounds that hang together and for skewness cost where there is neither: by how much a change must be
 * greater than for Student's t alone, median over services and endpoints.
 */
export function allowanceCost(source: Source, rounds: number, runs: number, seed: number): number {
  const random = seededRandom(seed);
  const { share } = analysesUpTo(rounds, true).at(-1)!;
  const ratios = Array.from({ length: runs }, () => {
    const hypotheses = hypothesesOf(source, source.draw(rounds, random), { threshold: none, change: none });
    return estimatesOf(hypotheses, rounds).flatMap((estimate) => {
      const { hypothesis, count, mean } = estimate;
      if (!isRequired(hypothesis)) return [];
      const level = FAMILY_ERROR_RATE * hypothesis.share * share;
      const plain =
        studentQuantile(1 - level, count - 1) *
        deviationOfMean(roundsTogether(hypothesis, rounds).rounds.map(({ value }) => value));
      return [(mean - bound(estimate, 1, level)) / plain];
    });
  });
  return median(ratios.flat());
}

function deviationOfMean(values: readonly number[]): number {
  return Math.sqrt(sampleVariance(values)!.value / values.length);
}
