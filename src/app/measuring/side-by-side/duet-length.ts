import type { TrialMeasurement } from '../../../core/measurement/measurement.ts';

/** Half of it is what a connection waits on average for a service that answers 500 requests/s to 1000 connections. */
const MOST_SECONDS = 4;

/**
 * Seconds of the duets of a closed loop from now on, where a side answered nothing in `seconds`; null where it is not to be measured again.
 *
 * What sends two statements one after the other for each request, through a pool that serves them in order, answers nobody before it has
 * sent the first statement of everybody:
 *
 *     1000 connections │ 1st statement of each │ 2nd statement of each │
 *     answers          │ none                  │ one after the other   │
 *
 * Of two equal Node.js servers with two statements each answered 14 to 178 requests in half a second; with four statements neither any
 * in four of eight duets, and one side alone none in two. Which side that is, is chance, and would fail a check if it stood.
 */
export function longerSeconds(trials: readonly TrialMeasurement[], seconds: number): number | null {
  if (seconds === 0 || seconds >= MOST_SECONDS) return null;
  if (trials.some(({ testbedFailure }) => testbedFailure !== null)) return null;
  const isSilent = trials.some(({ outcome }) => outcome?.requests === 0);
  return isSilent ? Math.min(MOST_SECONDS, 2 * seconds) : null;
}
