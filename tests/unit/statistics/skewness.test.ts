import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { skewnessAllowance, skewnessOf } from '../../../src/core/statistics/skewness.ts';

describe('the skewness of several series', () => {
  it('is 0 of what is symmetric, and has the sign of the longer tail', () => {
    expect(skewnessOf([[-2, -1, 0, 1, 2]], 5)).toBe(0);
    expect(skewnessOf([[-1, -1, -1, 3]], 4)).toBeGreaterThan(0);
    expect(skewnessOf([[1, 1, 1, -3]], 4)).toBeLessThan(0);
  });

  it('is the mean third power in standard deviations, raised by 1 + 6/n and by three quarters', () => {
    // Squares 1 + 1 + 1 + 9 over 3 degrees of freedom: a variance of 4, cubes of -1/8, -1/8, -1/8 and 27/8.
    expect(skewnessOf([[-1, -1, -1, 3]], 4)).toBeCloseTo(1.75 * (1 + 6 / 4) * (24 / 8 / 4), 12);
  });

  it('does not depend on how much a series scatters', () => {
    const one = [-1, -1, -1, 3];
    expect(skewnessOf([one, one.map((each) => 1000 * each)], 4)).toBeCloseTo(skewnessOf([one], 4), 12);
  });

  it('is at least that of the distribution: of exponential values 2', () => {
    const random = seededRandom(20261122);
    const series = Array.from({ length: 2000 }, () => {
      const values = Array.from({ length: 10 }, () => -Math.log(1 - random.next()));
      const centre = values.reduce((sum, each) => sum + each, 0) / 10;
      return values.map((value) => value - centre);
    });
    const found = skewnessOf(series, 10);
    expect(found).toBeGreaterThan(1.8);
    expect(found).toBeLessThan(3.2);
  });

  it('is 0 of what does not scatter, and of nothing', () => {
    expect(skewnessOf([[0, 0, 0]], 3)).toBe(0);
    expect(skewnessOf([], 0)).toBe(0);
  });
});

describe('the allowance for skewness', () => {
  it('is |skewness| (1 + 2 t^2) / (6 sqrt(n)) towards the side without the tail, and nothing towards the other', () => {
    expect(skewnessAllowance(-1, 3, 9)).toBeCloseTo(19 / 18, 12);
    expect(skewnessAllowance(-2, 0, 4)).toBeCloseTo(1 / 6, 12);
    expect(skewnessAllowance(1, 3, 9)).toBe(0);
    expect(skewnessAllowance(0, 3, 9)).toBe(0);
  });
});
