import { expect, it } from 'vitest';
import { roundProgress } from '../../../src/app/measuring/side-by-side/round-progress.ts';

const BUDGET = 300;

/** Of rounds that take 40 s each, where 720 s are the most. */
const at = (round: number) =>
  roundProgress(
    { round, before: round - 1, expectedSeconds: round === 1 ? 0 : 40, mostSeconds: 720 },
    { spentSeconds: (round - 1) * 40, budgetSeconds: BUDGET },
  );

it('a round has what is left of the budget, and beyond it what the rounds that have room will take', () => {
  expect(Array.from({ length: 18 }, (_, index) => at(index + 1))).toEqual([
    ...[300, 260, 220, 180, 140, 100, 60].map((remainingSeconds, index) => ({
      text: `round ${index + 1} of both sides`,
      remainingSeconds,
    })),
    ...[440, 400, 360, 320, 280, 240, 200, 160, 120, 80, 40].map((remainingSeconds, index) => ({
      text: `round ${index + 8} of at most 18, longer than planned`,
      remainingSeconds,
    })),
  ]);
});

it('a round that is begun beyond all time is the last one, and none knows its length where there was none before it', () => {
  const over = { spentSeconds: 900, budgetSeconds: BUDGET };
  const round = { round: 9, before: 8, mostSeconds: 720 };
  expect(roundProgress({ ...round, expectedSeconds: 40 }, over)).toEqual({
    text: 'round 9 of at most 9, longer than planned',
    remainingSeconds: 40,
  });
  expect(roundProgress({ ...round, expectedSeconds: 0 }, over)).toEqual({
    text: 'round 9 of both sides',
    remainingSeconds: null,
  });
});
