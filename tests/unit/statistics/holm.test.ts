import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { holm } from '../../../src/core/statistics/holm.ts';

describe("Holm's procedure", () => {
  it('holds the smallest p value against the level by all, the next one by one fewer, until one stands', () => {
    // R: p.adjust(c(0.03, 0.005, 0.012, 0.9), "holm") is 0.06, 0.02, 0.036, 0.9.
    expect(holm([0.03, 0.005, 0.012, 0.9], 4, 0.05)).toEqual([
      { rejected: false, level: 0.025 },
      { rejected: true, level: 0.0125 },
      { rejected: true, level: 0.05 / 3 },
      { rejected: false, level: 0.025 },
    ]);
  });

  it('counts hypotheses of the family that have no p value yet', () => {
    expect(holm([0.02], 2, 0.05)).toEqual([{ rejected: true, level: 0.025 }]);
    expect(holm([0.02], 3, 0.05)).toEqual([{ rejected: false, level: 0.05 / 3 }]);
    expect(holm([], 3, 0.05)).toEqual([]);
  });

  it('rejects at least what Bonferroni does, and nothing above the level', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }), (pValues) => {
        holm(pValues, pValues.length, 0.05).forEach(({ rejected, level }, index) => {
          if (pValues[index]! < 0.05 / pValues.length) expect(rejected).toBe(true);
          if (rejected) expect(pValues[index]!).toBeLessThan(level);
          else expect(pValues[index]!).toBeGreaterThanOrEqual(level);
          expect(level).toBeLessThanOrEqual(0.05);
        });
      }),
      { seed: 1979 },
    );
  });
});
