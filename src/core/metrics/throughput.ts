import type { DuetReadings, SliceMeasurement } from '../record/measurement.ts';
import type { MetricDefinition } from './definition.ts';

/**
 * Requests that were answered as expected. k6 counts a bad status among its failed requests; wrk and ab count it apart,
 * and wrk has no total of failures, since a request that failed is none of its `requests`.
 */
export function answeredRequests(slice: SliceMeasurement): number | null {
  const outcome = slice.outcome;
  if (outcome?.requests === undefined) return null;
  const badStatus = outcome.tool === 'k6' ? 0 : (outcome.errors?.status ?? 0);
  return Math.max(0, outcome.requests - (outcome.failedRequests ?? 0) - badStatus);
}

export const throughput: MetricDefinition = {
  name: 'throughput',
  title: 'Throughput',
  unit: 'req/s',
  better: 'higher',
  requestsOf: answeredRequests,
  // The generator's own duration: ours holds some milliseconds of no load as well, and of k6 and ab the whole start.
  ofSlice(slice) {
    const answered = answeredRequests(slice);
    // One process of k6 loads both sides for the same time.
    if (slice.duet !== undefined && slice.outcome?.tool !== 'k6') return duetThroughput(slice, slice.duet, answered);
    const seconds = slice.outcome?.durationSeconds ?? slice.durationNs / 1e9;
    return answered === null || seconds <= 0 ? null : answered / seconds;
  },
};

/**
 * Of a closed loop in a duet, in the overlap alone. The sides differ in length, by milliseconds with wrk and by what their
 * requests take with ab, and the longer one has the CPU to itself for the rest. A request costs the same CPU time throughout: the share of this side's
 * CPU time that it used in the overlap is the share of its requests that it answered there.
 */
function duetThroughput({ cpu }: SliceMeasurement, duet: DuetReadings, answered: number | null): number | null {
  const usedNs = cpu.serviceNs + cpu.databaseNs + cpu.gatewayNs;
  if (answered === null || duet.overlapNs <= 0 || usedNs <= 0) return null;
  return (answered * Math.min(1, duet.ownNs / usedNs)) / (duet.overlapNs / 1e9);
}

export const errors: MetricDefinition = {
  name: 'errors',
  title: 'Errors',
  unit: '1/request',
  better: 'lower',
  ofSlice(slice) {
    const requests = slice.outcome?.requests;
    if (requests === undefined) return null;
    const count = errorCount(slice);
    return requests === 0 ? (count > 0 ? 1 : null) : count / requests;
  },
};

/** All that went wrong, of whatever kind: a request that failed twice over (late and 503) counts twice. */
export function errorCount(slice: SliceMeasurement): number {
  return Object.values(slice.outcome?.errors ?? {}).reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
