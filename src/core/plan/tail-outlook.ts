import { LEAST_TAIL_REQUESTS } from '../comparison/observations.ts';
import type { Case } from '../config/case.ts';
import { grouped } from '../format/figures.ts';
import type { PlannedRound } from './duets.ts';

/**
 * Whether a round can be expected to send as many requests as a tail takes, and what that takes. A rate that is a share
 * of capacity is not known yet and may be enough.
 */
export function tailOutlook(
  { generator, load }: Case,
  { lengths, pairsEach }: Pick<PlannedRound, 'lengths' | 'pairsEach'>,
): { mayBeEnough: boolean; note: string } {
  const least = Math.ceil(LEAST_TAIL_REQUESTS / (lengths[generator] * Math.max(1, pairsEach)));
  const needed = `${grouped(LEAST_TAIL_REQUESTS)} requests per round are needed, ${grouped(least)}/s of each side`;
  const rate = load.generator === 'k6' && load.arrival.kind === 'rate' ? load.arrival.requestsPerSecond : null;
  const mayBeEnough = rate === null || rate >= least;
  return {
    mayBeEnough,
    note: mayBeEnough ? `${needed}; else undecided` : `${needed}: at ${grouped(rate)}/s undecided`,
  };
}
