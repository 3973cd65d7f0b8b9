import { describe, expect, it } from 'vitest';
import { analysesUpTo, FIRST_ANALYSIS_ROUNDS, plannedLooks } from '../../../src/core/statistics/interim-analyses.ts';

const spent = (rounds: number, final: boolean) =>
  analysesUpTo(rounds, final).reduce((sum, { share }) => sum + share, 0);

const near = (share: number) => expect.closeTo(share, 12);

describe('planned looks', () => {
  it('come at 8, 10, 12, 16, 20, 28 and 40 rounds, and then at twice as many as the time before the last', () => {
    expect(plannedLooks(170)).toEqual([8, 10, 12, 16, 20, 28, 40, 56, 80, 112, 160]);
    expect(plannedLooks(FIRST_ANALYSIS_ROUNDS)).toEqual([8]);
    expect(plannedLooks(FIRST_ANALYSIS_ROUNDS - 1)).toEqual([]);
  });

  it('spend a third of what is left each', () => {
    expect(analysesUpTo(19, false)).toEqual([
      { rounds: 8, share: near(1 / 3) },
      { rounds: 10, share: near(2 / 9) },
      { rounds: 12, share: near(4 / 27) },
      { rounds: 16, share: near(8 / 81) },
    ]);
  });

  it('are none before 8 rounds, not even where the budget ends there', () => {
    for (const rounds of [0, 1, 2, 5, 7]) {
      expect(analysesUpTo(rounds, false)).toEqual([]);
      expect(analysesUpTo(rounds, true)).toEqual([]);
    }
  });

  it('end with one that spends all that is left, wherever the budget ends', () => {
    expect(analysesUpTo(9, true)).toEqual([
      { rounds: 8, share: near(1 / 3) },
      { rounds: 9, share: near(2 / 3) },
    ]);
  });

  it('do not pay twice for the same data: a last look at a planned time has what was spent there as well', () => {
    expect(analysesUpTo(12, true)).toEqual([
      { rounds: 8, share: near(1 / 3) },
      { rounds: 10, share: near(2 / 9) },
      { rounds: 12, share: near(4 / 27) },
      { rounds: 12, share: near(4 / 27 + 8 / 27) },
    ]);
  });

  it('spend less than all that there is while they go on, and all of it in the end', () => {
    for (const rounds of [9, 13, 21, 39, 100]) {
      expect(spent(rounds, false)).toBeLessThan(1);
      expect(spent(rounds, true)).toBeCloseTo(1, 12);
    }
  });
});
