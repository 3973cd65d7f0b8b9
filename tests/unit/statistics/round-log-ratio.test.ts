import { describe, expect, it } from 'vitest';
import { roundLogRatio } from '../../../src/core/statistics/round-log-ratio.ts';

const ratioOf = (...ratios: number[]) =>
  Math.exp(roundLogRatio(ratios.map((candidate) => ({ baseline: 1, candidate }))));

describe('the ratio of a round', () => {
  it('is the geometric mean of one or two pairs', () => {
    expect(ratioOf(1.1)).toBeCloseTo(1.1, 12);
    expect(ratioOf(1.1, 1.3)).toBeCloseTo(Math.sqrt(1.43), 12);
  });

  it('is not decided by one wild pair of four', () => {
    const usual = ratioOf(1.01, 1.02, 1.03, 1.04);
    expect(usual).toBeCloseTo(1.025, 3);
    expect(Math.abs(ratioOf(1.01, 1.02, 1.03, 1.9) - usual)).toBeLessThan(0.006);
  });

  it('has the sign of the change: twice as much is as far up as half is down', () => {
    const pair = (baseline: number, candidate: number) => roundLogRatio([{ baseline, candidate }]);
    expect(pair(10, 20)).toBeCloseTo(Math.LN2, 12);
    expect(pair(20, 10)).toBeCloseTo(-Math.LN2, 12);
  });

  it('is no number without a pair', () => {
    expect(roundLogRatio([])).toBeNaN();
  });
});
