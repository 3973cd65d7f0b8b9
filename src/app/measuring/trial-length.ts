import type { Case } from '../../core/config/case.ts';
import type { TrialMeasurement } from '../../core/measurement/measurement.ts';

/** Half of it is what a connection waits on average for a service that answers 500 requests/s to 1000 connections. */
export const MOST_SECONDS = 4;
/** Of a slow service: longer ones leave too few rounds. */
export const LONGEST_TRIAL_SECONDS = 15;

/** Of each side: one more or less is two thirds of a percent, a few times less than the limits of throughput. */
export const ANSWERS = 150;
/** The same of a service that is too slow for so many. */
const LEAST_ANSWERS = 50;
/** Both sides take twice as long as one alone: what would be late in a longer duet says nothing of the service. */
const TIMEOUT_SHARE = 0.9;

/**
 * Seconds of a closed loop's duets: those that were planned, or what it takes each side to answer enough requests to be counted. Throughput
 * of two equal services that answer 190 requests/s together scattered by 4 to 8 % in duets of half a second, where CPU per request did
 * by 0.3 to 2 %. `requestsPerSecond` is of both sides together; null where that is not known. `longestSeconds` is what the budget has
 * for a duet of each case.
 */
export function answeredSeconds(
  plannedSeconds: number,
  requestsPerSecond: number | null,
  timeoutSeconds = Number.POSITIVE_INFINITY,
  longestSeconds = MOST_SECONDS,
): number {
  if (plannedSeconds === 0 || requestsPerSecond === null) return plannedSeconds;
  const wanted = Math.min(usualMostSeconds(timeoutSeconds), (2 * ANSWERS) / requestsPerSecond);
  const least = Math.min(longestSeconds, (2 * LEAST_ANSWERS) / requestsPerSecond);
  return Math.max(plannedSeconds, inTenths(wanted), inTenths(least));
}

/** Duets that see enough answers are no longer. */
export function usualMostSeconds(timeoutSeconds = Number.POSITIVE_INFINITY): number {
  return Math.min(MOST_SECONDS, TIMEOUT_SHARE * timeoutSeconds);
}

/** What an answer may take in a duet of so many seconds, where that is long enough to tell: twice as long as from one side by itself. */
export function timeoutInDuet(timeoutSeconds: number, durationSeconds: number): number {
  return durationSeconds <= TIMEOUT_SHARE * timeoutSeconds ? timeoutSeconds : 2 * timeoutSeconds;
}

/** Seconds of a trial that sends a side so many requests a second. */
export function secondsAtRate(
  plannedSeconds: number,
  requestsPerSecond: number,
  longestSeconds = LONGEST_TRIAL_SECONDS,
): number {
  if (plannedSeconds === 0) return plannedSeconds;
  return Math.max(plannedSeconds, inTenths(Math.min(longestSeconds, LEAST_ANSWERS / requestsPerSecond)));
}

/** At a rate so low that a trial as long as the spec has it would hold too few requests, with a longer one. */
export function atRate(testCase: Case, rate: number | null): Case {
  const { load } = testCase;
  if (rate === null || !('durationSeconds' in load)) return testCase;
  return { ...testCase, load: { ...load, durationSeconds: secondsAtRate(load.durationSeconds, rate) } };
}

/** Of the beginning of a trial nothing is answered: so many times what a request takes leaves something of it. */
const TIMES_A_REQUEST = 1.5;

/** Seconds of a short trial of one side by itself, in a closed loop. `requestsPerSecond` as far as it is known. */
export function shortSeconds(plannedSeconds: number, connections: number, requestsPerSecond: number | null): number {
  if (plannedSeconds === 0 || requestsPerSecond === null) return plannedSeconds;
  const wanted = Math.max(LEAST_ANSWERS, TIMES_A_REQUEST * connections) / requestsPerSecond;
  return Math.max(plannedSeconds, inTenths(Math.min(MOST_SECONDS, wanted)));
}

/** Of a round, as long as nobody knows what its starts and warm-ups take. */
const SHARE_OF_LOAD = 0.5;

/** Seconds that a duet of a slow endpoint may take, of so many in a round; `otherSeconds` is what the last one took besides them. */
export function longestTrialSeconds(roundSeconds: number, duets: number, otherSeconds: number | null = null): number {
  const load = otherSeconds === null ? SHARE_OF_LOAD * roundSeconds : roundSeconds - otherSeconds;
  const each = Math.floor((10 * load) / Math.max(1, duets)) / 10;
  return Math.min(LONGEST_TRIAL_SECONDS, Math.max(MOST_SECONDS, each));
}

/** How often a duet is measured in a round whose planned ones are shorter by far. */
export function pairsWithin(pairsEach: number, plannedSeconds: number, seconds: number): number {
  return seconds < 2 * plannedSeconds ? pairsEach : Math.max(1, Math.round((pairsEach * plannedSeconds) / seconds));
}

/** wrk looks whether to stop ten times a second. */
function inTenths(seconds: number): number {
  return Math.round(10 * seconds) / 10;
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
