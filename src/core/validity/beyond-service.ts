import type { Case } from '../config/case.ts';
import { counted, grouped } from '../format/figures.ts';
import { generators } from '../generators/registry.ts';
import type { TrialMeasurement } from '../measurement/measurement.ts';
import type { Reason } from '../measurement/names.ts';
import { requestTime } from './settings-advice.ts';

/** Code of the one reason of a case that is more than its service can be asked: nothing went wrong in it, and nothing is measured. */
export const BEYOND_SERVICE = 'beyond-service';

/** How a case is more than a service answers. */
export interface Beyond {
  /** By what this is known: requests per second that the endpoint answers. */
  answersPerSecond: number;
  /** That a request would take, of a closed loop; absent where a rate is asked for. */
  requestSeconds?: number;
}

/** Of a run in which no case is left; what to change stands in the line of those cases. */
export const ALL_BEYOND = 'Every case asks more than the service answers in time, and none was measured.';

/** Whether the case of a record is so. */
export function isBeyondService({ status }: { status: string }): boolean {
  return status === 'beyond';
}

/**
 * Of its timeout that a request of a side by itself may take. Beside the other side it takes twice as long, and a warm-up of an endpoint
 * that is still cold, or a short trial, makes it seem up to twice as long as it is.
 */
const MOST_OF_TIMEOUT = 1 / 2;

/**
 * Whether a case asks more than a service that answers so many requests a second can answer in time; null where it does not. With so
 * many connections always waiting for an answer, each takes connections / answers per second (Little's law).
 */
export function beyondService({ load, connections }: Case, answersPerSecond: number): Beyond | null {
  const arrival = generators[load.generator].arrivalOf(load);
  if (arrival !== null) {
    return arrival.kind === 'rate' && arrival.requestsPerSecond > answersPerSecond ? { answersPerSecond } : null;
  }
  const requestSeconds = connections / answersPerSecond;
  if (load.timeoutSeconds === undefined || requestSeconds <= MOST_OF_TIMEOUT * load.timeoutSeconds) return null;
  return { answersPerSecond, requestSeconds };
}

/** The same by what a trial alone has shown; null as well where nothing was answered, which says nothing of how long it takes. */
export function beyondByTrial(trial: TrialMeasurement, testCase: Case): Beyond | null {
  const time = requestTime({ trial, case: testCase });
  return time === null ? null : beyondService(testCase, testCase.connections / time.took);
}

/** Of trials at a fixed rate: with fewer requests they tell nothing of a request, and a share of what is next to nothing is no rate. */
const LEAST_REQUESTS = 20;

/** Of a rate that is a share of the capacity: whether the longest trial would send next to nothing; null where it sends enough. */
export function tooSlowForRate(
  { load }: Case,
  requestsPerSecond: number,
  longestSeconds: number,
  answersPerSecond: number,
): Beyond | null {
  const isShare = generators[load.generator].arrivalOf(load)?.kind === 'share';
  return isShare && requestsPerSecond * longestSeconds < LEAST_REQUESTS ? { answersPerSecond } : null;
}

/** For a record, and for a reader of one case. */
export function beyondReason({ connections, load }: Case, { answersPerSecond, requestSeconds }: Beyond): Reason {
  const answers = `it answers about ${perSecond(answersPerSecond)}/s`;
  const arrival = generators[load.generator].arrivalOf(load);
  const what =
    requestSeconds !== undefined
      ? `a request would take about ${Number(requestSeconds.toPrecision(2))} s at ${counted(connections, 'connection')}, and its timeout is ${load.timeoutSeconds} s`
      : arrival?.kind === 'rate'
        ? `${grouped(arrival.requestsPerSecond)} requests/s are more than it answers`
        : 'a share of that is too few requests for a trial';
  return { code: BEYOND_SERVICE, message: `beyond the service: ${what}; ${answers}` };
}

function perSecond(value: number): string {
  return value < 10 ? String(Number(value.toPrecision(2))) : grouped(value);
}
