import { generators } from '../generators/registry.ts';
import type { DuetReadings, TrialMeasurement } from '../measurement/measurement.ts';
import { costOf, costWithoutBackground } from './cpu.ts';
import { insteadOf, type MetricDefinition, noColumns } from './definition.ts';

/**
 * Requests that were answered as expected. Some generators count a bad status among their failed requests; others count it apart,
 * and wrk has no total of failures, since a request that failed is none of its `requests`.
 */
export function answeredRequests(trial: TrialMeasurement): number | null {
  const outcome = trial.outcome;
  if (outcome?.requests === undefined) return null;
  const badStatus = generators[outcome.tool].failedHoldsBadStatus ? 0 : (outcome.errors?.status ?? 0);
  return Math.max(0, outcome.requests - (outcome.failedRequests ?? 0) - badStatus);
}

export const throughput: MetricDefinition = {
  name: 'throughput',
  title: 'Throughput',
  unit: 'req/s',
  better: 'higher',
  ofProcess: false,
  gatedBy: 'closed loop',
  inDuets: 'where both compete',
  // In duets that fill the CPU, half of it each, throughput is what CPU per request leaves.
  sameDataAs: 'CPU time',
  limitedByLevelAlone: false,
  tailRequests: null,
  needsDatabase: false,
  followsTheMachine: true,
  movedByCodeLayout: true,
  usualLimit: { 'max-decrease': '5%' },
  words: {
    short: 'throughput',
    up: 'answers % more requests per second',
    down: 'answers % fewer requests per second',
  },
  columns: { ...noColumns, terminal: 'RPS', results: 'RPS', resources: 'Requests per second' },
  alwaysCompared: true,
  requestsOf: answeredRequests,
  // The generator's own duration: ours holds some milliseconds of no load as well, and of k6 and ab the whole start.
  ofTrial(trial) {
    const answered = answeredRequests(trial);
    if (trial.duet !== undefined && !isLoadedTogether(trial)) return duetThroughput(trial, trial.duet, answered);
    const seconds = trial.outcome?.durationSeconds ?? trial.durationNs / 1e9;
    return answered === null || seconds <= 0 ? null : answered / seconds;
  },
  // What background threads use of the CPU that both sides share, nobody answers with. Alone, a side may have other CPUs for them.
  withoutBackground(trial) {
    if (trial.duet === undefined || isLoadedTogether(trial)) return null;
    const value = duetThroughput(trial, trial.duet, answeredRequests(trial));
    const [cost, main] = [costOf(trial, ALL_PARTS), costWithoutBackground(trial, ALL_PARTS)];
    return value === null || cost === null || main === null ? null : (value * cost.ns) / main.ns;
  },
};

/**
 * Of one case of a round, another one in each: in a duet each side gets half of the CPUs, and one that lost a worker, or waits for a
 * lock, uses its half as well as the other.
 */
export const soloThroughput: MetricDefinition = {
  ...throughput,
  name: 'throughput-solo',
  title: 'Throughput, solo',
  ofProcess: true,
  inDuets: 'solo beside them',
  sameDataAs: null,
  usualLimit: { 'max-decrease': '10%' },
  isWatched: true,
  words: {
    short: 'solo throughput',
    up: 'answers % more requests per second by itself',
    down: 'answers % fewer requests per second by itself',
  },
  columns: noColumns,
  alwaysCompared: false,
  ofTrial: (trial) => (trial.ofAllCpus === true ? throughput.ofTrial!(trial) : null),
  withoutBackground: () => null,
};

/** One process loads both sides for the same time. */
function isLoadedTogether({ outcome }: TrialMeasurement): boolean {
  return outcome !== null && generators[outcome.tool].duet !== undefined;
}

const ALL_PARTS = ['serviceNs', 'databaseNs', 'gatewayNs', 'dependenciesNs'] as const;

/**
 * Of a closed loop in a duet, in the overlap alone. The sides differ in length, by milliseconds with wrk and by what their
 * requests take with ab, and the longer one has the CPU to itself for the rest. A request costs the same CPU time throughout: what this side
 * used in the overlap, by what one costs, is what it served there. Those that were not answered as expected are no part of it.
 */
function duetThroughput(trial: TrialMeasurement, duet: DuetReadings, answered: number | null): number | null {
  const requests = trial.outcome?.requests;
  if (answered === null || requests === undefined || duet.overlapNs <= 0) return null;
  const cost = costOf(trial, ALL_PARTS);
  if (cost === null) return 0;
  if (cost.ns <= 0) return null;
  const served = cost.requests * Math.min(1, duet.ownNs / cost.ns);
  return (served * (answered / requests)) / (duet.overlapNs / 1e9);
}

export const errors: MetricDefinition = {
  name: 'errors',
  title: 'Errors',
  unit: '1/request',
  better: 'lower',
  ofProcess: false,
  gatedBy: 'every case',
  inDuets: 'as measured',
  sameDataAs: null,
  limitedByLevelAlone: true,
  tailRequests: null,
  needsDatabase: false,
  followsTheMachine: false,
  movedByCodeLayout: false,
  usualLimit: null,
  words: insteadOf('errors', 'fails', 'of its requests'),
  columns: noColumns,
  alwaysCompared: false,
  ofTrial(trial) {
    const requests = trial.outcome?.requests;
    if (requests === undefined) return null;
    const count = errorCount(trial);
    return requests === 0 ? (count > 0 ? 1 : null) : count / requests;
  },
};

/** All that went wrong, of whatever kind: a request that failed twice over (late and 503) counts twice. */
export function errorCount(trial: TrialMeasurement): number {
  return Object.values(trial.outcome?.errors ?? {}).reduce<number>((sum, count) => sum + (count ?? 0), 0);
}
