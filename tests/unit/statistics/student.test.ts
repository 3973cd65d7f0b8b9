import { describe, expect, it } from 'vitest';
import { ratioInterval } from '../../../scripts/bench/ratio-interval.ts';
import { studentQuantile, studentUpperTail } from '../../../src/core/statistics/student.ts';

describe("Student's t", () => {
  // SciPy 1.17.1: golden.py beside this file prints them.
  it.each([
    [0.975, 1, 12.706204736432095],
    [0.975, 2, 4.302652729911275],
    [0.975, 4, 2.7764451051977987],
    [0.995, 4, 4.604094871415897],
    [0.9995, 9, 4.780912585931139],
    [0.975, 30, 2.0422724563012373],
    [0.975, 1000, 1.9623390808264078],
    [0.9, 2.5, 1.7302509288071766],
    [0.99999, 5, 15.546854534969158],
  ])('has the %d quantile of %d degrees of freedom that SciPy has', (p, df, expected) => {
    expect(studentQuantile(p, df) / expected).toBeCloseTo(1, 9);
  });

  it('is symmetric about 0', () => {
    expect(studentQuantile(0.5, 3)).toBe(0);
    expect(studentQuantile(0.025, 7)).toBe(-studentQuantile(0.975, 7));
    expect(studentUpperTail(-1.5, 6)).toBeCloseTo(1 - studentUpperTail(1.5, 6), 14);
  });
});

describe('the interval of a ratio', () => {
  it('is that of the logarithms', () => {
    const pairs = [1.1, 1.0, 1.2].map((numerator) => ({ numerator, denominator: 1 }));
    const interval = ratioInterval(pairs, 0.95)!;
    expect(interval.ratio).toBeCloseTo(1.32 ** (1 / 3), 12);
    expect(interval.low * interval.high).toBeCloseTo(interval.ratio ** 2, 12);
    expect(interval.high / interval.ratio).toBeCloseTo(1.254245391976752, 9);
  });

  it('does not exist for one pair', () => {
    expect(ratioInterval([{ numerator: 1, denominator: 1 }], 0.95)).toBeNull();
  });
});
