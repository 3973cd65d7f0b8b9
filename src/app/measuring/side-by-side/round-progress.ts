import { MOST_ROUNDS } from '../../../core/plan/duets.ts';
import type { NextRound } from './next-round.ts';

/**
 * Which round it is, and how long all of them will still take; null where nobody knows. Within the budget that is what is left of it. Beyond
 * it, as a machine that is slower than the recorded one may get, it is what the rounds that have still room will take as the last one did.
 */
export function roundProgress(
  {
    round,
    before,
    expectedSeconds,
    mostSeconds,
  }: Pick<NextRound, 'round' | 'before' | 'expectedSeconds' | 'mostSeconds'>,
  { spentSeconds, budgetSeconds }: { spentSeconds: number; budgetSeconds: number },
): { text: string; remainingSeconds: number | null } {
  if (spentSeconds + expectedSeconds <= budgetSeconds) {
    return { text: `round ${round} of both sides`, remainingSeconds: budgetSeconds - spentSeconds };
  }
  if (expectedSeconds === 0) return { text: `round ${round} of both sides`, remainingSeconds: null };
  const room = Math.floor(Math.max(0, mostSeconds - spentSeconds) / expectedSeconds);
  const last = Math.min(MOST_ROUNDS, Math.max(round, before + room));
  return {
    text: `round ${round} of at most ${last}, longer than planned`,
    remainingSeconds: (last - before) * expectedSeconds,
  };
}
