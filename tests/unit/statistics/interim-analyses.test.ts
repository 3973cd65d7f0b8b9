import { describe, expect, it } from 'vitest';
import { analysesUpTo, FIRST_ANALYSIS_ROUNDS, plannedLooks } from '../../../src/core/statistics/interim-analyses.ts';
import { mean, sampleVariance } from '../../../src/core/statistics/moderated-variance.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { studentQuantile } from '../../../src/core/statistics/student.ts';
import { normal } from '../../support/made-up/samples.ts';

const spent = (rounds: number, final: boolean) =>
  analysesUpTo(rounds, final).reduce((sum, { share }) => sum + share, 0);

const look = (rounds: number, share: number, noChangeShare: number) => ({
  rounds,
  share: expect.closeTo(share, 12),
  noChangeShare: expect.closeTo(noChangeShare, 12),
});

describe('planned looks', () => {
  it('come at 6, 8, 10, 12, 16, 20, 28 and 40 rounds, and then at twice as many as the time before the last', () => {
    expect(plannedLooks(170)).toEqual([6, 8, 10, 12, 16, 20, 28, 40, 56, 80, 112, 160]);
    expect(plannedLooks(FIRST_ANALYSIS_ROUNDS)).toEqual([6, 8]);
    expect(plannedLooks(5)).toEqual([]);
  });

  it('spend a third of what is left each, from 8 rounds on', () => {
    expect(analysesUpTo(19, false)).toEqual([
      look(6, 0, 0.5),
      look(8, 1 / 3, 0.5 * 0.7),
      look(10, 2 / 9, 0.5 * 0.7 ** 2),
      look(12, 4 / 27, 0.5 * 0.7 ** 3),
      look(16, 8 / 81, 0.5 * 0.7 ** 4),
    ]);
  });

  it('are none before 6 rounds, not even where the budget ends there', () => {
    for (const rounds of [0, 1, 2, 5]) {
      expect(analysesUpTo(rounds, false)).toEqual([]);
      expect(analysesUpTo(rounds, true)).toEqual([]);
    }
  });

  it('spend nothing before 8 rounds, not even where the budget ends there', () => {
    expect(analysesUpTo(7, false)).toEqual([look(6, 0, 0.5)]);
    expect(analysesUpTo(7, true)).toEqual([look(6, 0, 0.5), look(7, 0, 0.75)]);
  });

  it('end with one that spends all that is left, wherever the budget ends', () => {
    expect(analysesUpTo(9, true)).toEqual([look(6, 0, 0.5), look(8, 1 / 3, 0.35), look(9, 2 / 3, 0.525)]);
  });

  it('do not pay twice for the same data: a last look at a planned time has what was spent there as well', () => {
    expect(analysesUpTo(12, true)).toEqual([
      look(6, 0, 0.5),
      look(8, 1 / 3, 0.35),
      look(10, 2 / 9, 0.245),
      look(12, 4 / 27, 0.1715),
      look(12, 4 / 27 + 8 / 27, 1.5 * 0.1715),
    ]);
  });

  it('spend less than all that there is while they go on, and all of it in the end', () => {
    for (const rounds of [9, 13, 21, 39, 100]) {
      expect(spent(rounds, false)).toBeLessThan(1);
      expect(spent(rounds, true)).toBeCloseTo(1, 12);
    }
  });
});

describe('the claim that nothing changed, of a change of exactly the limit', () => {
  const RUNS = 20_000;
  const MOST = 60;

  /** Share of runs of so many normal rounds that claim it at some look, by Student's t; their mean is the limit itself. */
  function claimed(rounds: number): number {
    const looks = analysesUpTo(rounds, true).map(({ rounds: count, noChangeShare }) => ({
      count,
      critical: studentQuantile(1 - 0.025 * noChangeShare, count - 1),
    }));
    const isClaimed = (values: readonly number[]) =>
      looks.some(({ count, critical }) => {
        const seen = values.slice(0, count);
        return mean(seen) + critical * Math.sqrt(sampleVariance(seen)!.value / count) < 0;
      });
    return runs.filter(isClaimed).length / RUNS;
  }

  const random = seededRandom(15);
  const runs = Array.from({ length: RUNS }, () => Array.from({ length: MOST }, () => normal(random)));

  it.each([6, 7, 8, 9, 12, 16, 28, MOST])('is made in 2.5 %% of the runs of %d rounds at most', (rounds) => {
    // Three standard errors of so many runs.
    const chance = 3 * Math.sqrt((0.025 * 0.975) / RUNS);
    expect(claimed(rounds)).toBeLessThan(0.025 + chance);
    expect(claimed(rounds)).toBeGreaterThan(0.015);
  });
});
