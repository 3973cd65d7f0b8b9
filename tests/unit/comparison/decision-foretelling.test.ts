import { describe, expect, it } from 'vitest';
import { answersTo, type Question } from '../../../src/core/comparison/decision.ts';
import { expectedDetectable } from '../../../src/core/comparison/foretelling.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';

describe('the smallest detectable change, foretold', () => {
  const deviation = 0.01;

  it.each([
    { instances: 3, cases: 8, threshold: 0.03 },
    { instances: 5, cases: 1, threshold: 0 },
    { instances: 7, cases: 8, threshold: 0 },
    { instances: 14, cases: 40, threshold: 0.05 },
  ])('agrees within a tenth with what $cases cases tell after $instances instances', (given) => {
    const { instances, cases, threshold } = given;
    const foretold = expectedDetectable({ deviation, instances, questions: cases, neighbours: cases - 1, threshold })!;
    const random = seededRandom(20261121);
    const found = Array.from({ length: 120 / cases }, () => matrix(given, deviation, random)).flatMap((questions) =>
      answersTo(questions, { instances, final: true }).map(({ minimumDetectable }) => minimumDetectable! - threshold),
    );
    const agreement = median(found) / (foretold - threshold);
    expect(Math.abs(Math.log(agreement))).toBeLessThan(0.1);
  });

  it('does not exist with a single instance', () => {
    expect(expectedDetectable({ deviation, instances: 1, questions: 1, neighbours: 0, threshold: 0 })).toBeNull();
  });
});

/** Cases whose change lies at the threshold, so that all stay open to the end. */
function matrix(
  { instances, cases, threshold }: { instances: number; cases: number; threshold: number },
  deviation: number,
  random: { next(): number },
): Question[] {
  // The sum of twelve uniform numbers is all but normal, with a variance of 1.
  const normal = () => Array.from({ length: 12 }, () => random.next() - 0.5).reduce((sum, each) => sum + each);
  return Array.from({ length: cases }, (_, index) => ({
    id: `${index}`,
    group: 'cpu',
    threshold,
    logRatios: Array.from({ length: instances }, (_, at) => ({
      instance: at + 1,
      value: threshold + deviation * normal(),
    })),
  }));
}
