import type { TrialMeasurement } from '../../../core/measurement/measurement.ts';

/** Half of it is what a connection waits on average for a service that answers 500 requests/s to 1000 connections. */
const MOST_SECONDS = 4;

/** Of each side: one more or less is two thirds of a percent, a few times less than the limits of throughput. */
const LEAST_ANSWERS = 150;
/** Both sides take twice as long as one alone: what would be late in a longer duet says nothing of the service. */
const TIMEOUT_SHARE = 0.9;

/**
 * Seconds of a closed loop's duets: those that were planned, or what it takes each side to answer enough requests to be counted. Throughput
 * of two equal services that answer 190 requests/s together scattered by 4 to 8 % in duets of half a second, where CPU per request did
 * by 0.3 to 2 %. `requestsPerSecond` is of both sides together; null where that is not known.
 */
export function answeredSeconds(
  plannedSeconds: number,
  requestsPerSecond: number | null,
  timeoutSeconds = Number.POSITIVE_INFINITY,
): number {
  if (plannedSeconds === 0 || requestsPerSecond === null) return plannedSeconds;
  const most = Math.min(MOST_SECONDS, TIMEOUT_SHARE * timeoutSeconds);
  const wanted = Math.min(most, (2 * LEAST_ANSWERS) / requestsPerSecond);
  // wrk looks whether to stop ten times a second.
  return Math.max(plannedSeconds, Math.round(10 * wanted) / 10);
}

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
