import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ascending, median, quantile } from '../../../src/core/statistics/quantile.ts';

describe('a quantile', () => {
  it('is that of R and NumPy by default: numpy.quantile([1, 2, 4, 8], [0, .1, .5, .75, 1])', () => {
    const values = ascending([8, 1, 4, 2]);
    expect([0, 0.1, 0.5, 0.75, 1].map((p) => quantile(values, p))).toEqual([1, 1.3, 3, 5, 8]);
  });

  it('is no number where there are none', () => {
    expect(median([])).toBeNaN();
  });

  it('lies within the values, and does not change them', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 }), (values) => {
        const before = [...values];
        const middle = median(values);
        expect(middle).toBeGreaterThanOrEqual(Math.min(...values));
        expect(middle).toBeLessThanOrEqual(Math.max(...values));
        expect(values).toEqual(before);
      }),
      { seed: 20261120 },
    );
  });
});
