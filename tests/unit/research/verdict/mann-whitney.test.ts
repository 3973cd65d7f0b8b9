import { describe, expect, it } from 'vitest';
import { mannWhitneyP } from '../../../../research/verdict/rivals/mann-whitney.ts';

describe('the Mann-Whitney test that verdicts are held beside', () => {
  // SciPy 1.17.1: tests/unit/statistics/golden.py prints them.
  it.each([
    { one: [1.1, 2.5, 3.3, 4.9, 5.2], other: [2.2, 6.1, 7.4, 8.8, 9.7], p: 0.09523809523809523 },
    { one: [1, 2, 3, 4, 5], other: [6, 7, 8, 9, 10, 11], p: 0.004329004329004329 },
  ])('gives $p as SciPy does', ({ one, other, p }) => {
    expect(mannWhitneyP(one, other)).toBeCloseTo(p, 12);
    expect(mannWhitneyP(other, one)).toBeCloseTo(p, 12);
  });
});
