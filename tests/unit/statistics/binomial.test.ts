import { describe, expect, it } from 'vitest';
import { binomialUpperTail } from '../../../src/core/statistics/binomial.ts';

describe('the upper tail of a binomial distribution', () => {
  it.each([
    [8, 8, 0.5, 1 / 256],
    [5, 6, 0.5, 7 / 64],
    [1, 6, 0.5, 63 / 64],
    [0, 6, 0.5, 1],
    [7, 6, 0.5, 0],
    [2, 3, 0.25, 3 * 0.0625 * 0.75 + 0.015625],
    [1, 3, 0.75, 1 - 0.25 ** 3],
    [3, 3, 1, 1],
    [1, 3, 0, 0],
    // Of 200 requests with one statement more, and none on the other side.
    [200, 200, 0.5, 2 ** -200],
  ])('of %d or more in %d with a chance of %d', (least, trials, probability, expected) => {
    const found = binomialUpperTail(least, trials, probability);
    if (expected === 0) expect(found).toBe(0);
    else expect(found / expected).toBeCloseTo(1, 12);
  });

  it('and of fewer add up to 1, in long series too', () => {
    for (const least of [40_100, 49_800, 50_000, 50_700]) {
      const fewer = binomialUpperTail(100_000 - least + 1, 100_000, 0.5);
      expect(binomialUpperTail(least, 100_000, 0.5) + fewer).toBeCloseTo(1, 9);
    }
  });
});
