import { describe, expect, it } from 'vitest';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';
import { skewnessFactor, skewnessOf } from '../../../src/core/statistics/skewness.ts';
import { studentQuantile } from '../../../src/core/statistics/student.ts';
import { normal } from '../../support/made-up/samples.ts';

/** Residuals about their own means of so many series of `count` values. */
function seriesOf(many: number, count: number, value: (random: Random) => number): number[][] {
  const random = seededRandom(20261122);
  return Array.from({ length: many }, () => {
    const values = Array.from({ length: count }, () => value(random));
    const centre = values.reduce((sum, each) => sum + each, 0) / count;
    return values.map((each) => each - centre);
  });
}

const exponential = (random: Random) => -Math.log(1 - random.next());

describe('the skewness of several series', () => {
  it('is 0 of what is symmetric, and has the sign of the longer tail', () => {
    expect(skewnessOf([[-2, -1, 0, 1, 2]], 5, 1)).toBe(0);
    expect(skewnessOf([[-1, -1, -1, 3]], 4, 10)).toBeGreaterThan(0);
    expect(skewnessOf([[1, 1, 1, -3]], 4, 10)).toBeLessThan(0);
  });

  it('is how far the mean is beyond the median in standard deviations, less half of what that is by chance', () => {
    // Squares 16 + 4 + 1 + 49 over 3 degrees of freedom, and the median 1.5 below the mean.
    const ofGamma = 6.3 * (1 + 2 / 4);
    const expected = (1.3 * ofGamma * 1.5) / Math.sqrt(70 / 3) - (0.5 * ofGamma * 0.755) / Math.sqrt(4 * 20);
    expect(skewnessOf(Array(20).fill([-4, -2, -1, 7]), 4, 20)).toBeCloseTo(expected, 12);
  });

  it('is 2 at most where few values tell it, either way, and 4 where many do', () => {
    const found = [1, 8, 12, 16, 1000].map((many) => skewnessOf(Array(many).fill([-1, -1, -1, 3]), 4, many));
    expect(found).toEqual([2, 2, 3, 4, 4]);
    expect(skewnessOf([[1, 1, 1, -3]], 4, 1)).toBe(-2);
  });

  it('is 0 where it may well be chance', () => {
    expect(skewnessOf([[-1.1, -1, 0.1, 2]], 4, 1)).not.toBe(0);
    expect(skewnessOf([[-1.1, -1, 0.9, 1.2]], 4, 1)).toBe(0);
  });

  it('does not depend on how much a series scatters', () => {
    const one = [-1, -1, -1, 3];
    expect(skewnessOf([one, one.map((each) => 1000 * each)], 4, 2)).toBeCloseTo(skewnessOf([one], 4, 2), 12);
  });

  it.each([8, 10, 28])('is three tenths more than that of the distribution: of %d exponential values 2', (count) => {
    const found = skewnessOf(seriesOf(4000, count, exponential), count, 4000);
    expect(found / (1.3 * 2)).toBeGreaterThan(0.9);
    expect(found / (1.3 * 2)).toBeLessThan(1.1);
  });

  it('is next to none where one value of ten is far off, to either side', () => {
    const collected = (random: Random) => normal(random) + (random.next() < 0.1 ? (random.next() < 0.5 ? -8 : 8) : 0);
    const each = seriesOf(400, 10, collected).map((own) => skewnessOf([own], 10, 1));
    const scatter = Math.sqrt(each.reduce((sum, value) => sum + value ** 2, 0) / each.length);
    // Its third moment, raised as few values need it, would scatter by 2.7.
    expect(scatter).toBeLessThan(1.8);
  });

  it('is 0 of what does not scatter, and of nothing', () => {
    expect(skewnessOf([[0, 0, 0]], 3, 1)).toBe(0);
    expect(skewnessOf([], 0, 1)).toBe(0);
  });
});

describe('the allowance for skewness', () => {
  it('is a factor towards the side without the tail, and none towards the other', () => {
    expect(skewnessFactor(-1, 3, 9)).toBeCloseTo(Math.exp((1 / 3) * (0.34 + 3 * (0.22 + 0.06 - 0.43 / 9))), 12);
    expect(skewnessFactor(1, 3, 9)).toBe(1);
    expect(skewnessFactor(0, 3, 9)).toBe(1);
  });

  // Quantiles of 60 million simulated values each, as means of `count` of a gamma distribution that is turned round.
  it.each([
    { skewness: 0.5, count: 8, level: 1e-4, quantile: 8.35 },
    { skewness: 1, count: 8, level: 1e-4, quantile: 10.35 },
    { skewness: 2, count: 8, level: 1e-4, quantile: 19.5 },
    { skewness: 1, count: 12, level: 1e-4, quantile: 7.68 },
    { skewness: 1, count: 12, level: 1e-3, quantile: 5.52 },
    { skewness: 2, count: 16, level: 1e-4, quantile: 10.3 },
    { skewness: 1, count: 28, level: 1e-4, quantile: 5.53 },
    { skewness: 2, count: 28, level: 1e-5, quantile: 10.1 },
    { skewness: 2, count: 40, level: 1e-4, quantile: 6.7 },
  ])('makes of Student the quantile of $count values with a skewness of -$skewness at $level', (given) => {
    const { skewness, count, level, quantile } = given;
    const found =
      studentQuantile(1 - level, count - 1) * skewnessFactor(-skewness, studentQuantile(1 - level, 1e9), count);
    expect(Math.abs(found / quantile - 1)).toBeLessThan(0.05);
  });

  it('keeps the chance of a mean of skewed values beyond it: 3 in 1,000 of ten exponential values', () => {
    const random = seededRandom(20261124);
    const [level, count, runs] = [0.003, 10, 40_000];
    const critical = studentQuantile(1 - level, count - 1) * skewnessFactor(-2, studentQuantile(1 - level, 1e9), count);
    let beyond = 0;
    for (let run = 0; run < runs; run++) {
      const values = Array.from({ length: count }, () => 1 - exponential(random));
      const mean = values.reduce((sum, each) => sum + each, 0) / count;
      const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1);
      if (mean / Math.sqrt(variance / count) > critical) beyond += 1;
    }
    expect(beyond / runs / level).toBeGreaterThan(0.7);
    expect(beyond / runs / level).toBeLessThan(1.3);
  });
});
