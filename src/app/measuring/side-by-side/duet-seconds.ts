import type { Case } from '../../../core/config/case.ts';
import type { TrialMeasurement } from '../../../core/measurement/measurement.ts';
import { SHORT_SOLO_SECONDS } from '../../../core/plan/duets.ts';
import { beyondService } from '../../../core/validity/beyond-service.ts';
import { capacityKey, capacityOf } from '../rate.ts';
import {
  ANSWERS,
  answeredSeconds,
  LONGEST_TRIAL_SECONDS,
  MOST_SECONDS,
  pairsWithin,
  secondsAtRate,
  shortSeconds,
  timeoutInDuet,
  usualMostSeconds,
} from '../trial-length.ts';
import type { RunningRound } from './running-round.ts';

/** Answers of each side, twice what a duet is made long enough for. */
const MORE_THAN_ENOUGH = 2 * ANSWERS;

/** How many duets of a case a round has, which plans so many of each: fewer where they take far longer. */
export function duetsInRound(testCase: Case, pairsEach: number, running: RunningRound): number {
  return pairsWithin(pairsEach, running.lengths[testCase.generator], duetSeconds(testCase, running));
}

/** Seconds of the next duet of a case. */
export function duetSeconds(testCase: Case, running: RunningRound): number {
  const { lengths, longestSeconds, rates } = running;
  const known = rates.get(testCase.key);
  if (known === undefined) return closedLoopSeconds(testCase, running);
  return secondsAtRate(lengths[testCase.generator], known.duet, longestSeconds());
}

/**
 * Alike in all rounds from the first on whose warm-up showed how much is answered, but for what a side that answered nothing adds, and for
 * what the budget lets through.
 */
function closedLoopSeconds(testCase: Case, running: RunningRound): number {
  const { longer, lengths, longestSeconds } = running;
  const planned = lengths[testCase.generator];
  const known = longer.get(testCase.key);
  if (known !== undefined) return Math.max(planned, Math.min(known, longestSeconds()));
  const perSecond = knownCapacity(testCase, running);
  const wanted = answeredSeconds(planned, perSecond, testCase.load.timeoutSeconds, LONGEST_TRIAL_SECONDS);
  if (perSecond !== null) longer.set(testCase.key, wanted);
  return Math.max(planned, Math.min(wanted, longestSeconds()));
}

/**
 * What the first duet of a case answered is known better than what its warm-up did: of 64 connections that wait for half a second each, half a
 * second of warm-up sees next to nobody answered. The duets that come are then as long as those of any slow endpoint (`usualMostSeconds`), and not
 * only as long as so many answers took here: Miniflux' CPU per request scattered by 4 to 8 % in 1.3 s, of which a third passes before anybody is
 * answered, by 2 to 3 % in 1.9 s, and by 1 to 2 % in 7 s.
 */
export function learnSeconds(
  testCase: Case,
  trials: readonly Pick<TrialMeasurement, 'outcome'>[],
  seconds: number,
  { longer }: Pick<RunningRound, 'longer'>,
): void {
  const answered = trials.map(({ outcome }) => outcome?.requests ?? 0);
  // Those that are as long since a side was silent in shorter ones are no longer than this.
  if (seconds <= MOST_SECONDS || Math.min(...answered) < MORE_THAN_ENOUGH) return;
  if (longer.has(testCase.key)) longer.set(testCase.key, usualMostSeconds(testCase.load.timeoutSeconds));
}

/** Of one side by itself, which answers in half the time what both do together. */
export function interleavedSeconds(testCase: Case, rate: number | null, running: RunningRound): number {
  const { lengths, longestSeconds } = running;
  const planned = lengths[testCase.generator];
  if (rate !== null) return secondsAtRate(planned, rate, longestSeconds());
  const perSecond = knownCapacity(testCase, running);
  const { timeoutSeconds } = testCase.load;
  return answeredSeconds(
    planned,
    perSecond === null ? null : 2 * perSecond,
    timeoutSeconds,
    Math.floor(5 * longestSeconds()) / 10,
  );
}

/** Of the short trials of each side by itself. Where a side would be late, a longer one tells no more of it. */
export function shortSoloSeconds(testCase: Case, rate: number | null, running: RunningRound): number {
  const planned = SHORT_SOLO_SECONDS[testCase.generator];
  if (rate !== null) return secondsAtRate(planned, rate, running.longestSeconds());
  const perSecond = capacityOf(testCase, running.capacities);
  const isLate = perSecond !== null && beyondService(testCase, perSecond) !== null;
  return isLate ? planned : shortSeconds(planned, testCase.connections, perSecond);
}

/** A short warm-up of a slow endpoint may have found nothing. */
export function knownCapacity(testCase: Case, { capacities, bestCapacities }: RunningRound): number | null {
  return capacityOf(testCase, capacities) ?? bestCapacities.get(capacityKey(testCase)) ?? null;
}

/** A case whose duets are so long: what comes late in them may be so since the other side is loaded as well. */
export function withTimeout(testCase: Case, seconds: number): Case {
  const { load } = testCase;
  if (load.timeoutSeconds === undefined) return testCase;
  return {
    ...testCase,
    load: { ...load, timeoutSeconds: timeoutInDuet(load.timeoutSeconds, seconds) } as Case['load'],
  };
}
