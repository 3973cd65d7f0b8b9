import { type CpuOfParts, dependenciesNs, type TrialMeasurement } from '../measurement/measurement.ts';
import { type MetricDefinition, moreOrLess, noColumns } from './definition.ts';

type Parts = readonly (keyof CpuOfParts)[];

/**
 * What CPU time was spent on, and how much of it. Where it is known what was sent and what that took to its end, it is of that: with 1000
 * connections a server has worked on hundreds of requests that nobody had the answers to when the load ended, of some 500 to 4,000 in
 * 0.8 s, and CPU per answered request scattered by 7 to 11 %, per sent one mostly by 3 to 5 %. Null where nothing was answered.
 * `dependency`: the only one that counts among them; null for all.
 */
export function costOf(
  { outcome, cpu, afterLoad }: TrialMeasurement,
  parts: Parts,
  dependency: string | null = null,
): CpuCost | null {
  const { requests, leadInRequests = 0, sentRequests } = outcome ?? {};
  if (requests === undefined || requests === 0) return null;
  const usedIn = (readings: CpuOfParts) => parts.reduce((sum, part) => sum + usedBy(part, readings, dependency), 0);
  if (afterLoad === undefined || sentRequests === undefined) {
    return { ns: usedIn(cpu), requests: requests + leadInRequests };
  }
  return { ns: usedIn(cpu) + usedIn(afterLoad), requests: sentRequests };
}

function usedBy(part: Parts[number], readings: CpuOfParts, dependency: string | null): number {
  if (part !== 'dependenciesNs') return readings[part] ?? 0;
  return dependency === null ? dependenciesNs(readings) : (readings.dependenciesNs?.[dependency] ?? 0);
}

export interface CpuCost {
  ns: number;
  /** As expected or not: an error costs as well. */
  requests: number;
}

/** Microseconds of CPU time for each request. */
function perRequestUs(cost: CpuCost | null): number | null {
  return cost === null ? null : cost.ns / 1000 / cost.requests;
}

/** Of the service's CPU time: where its main threads use less, they are not what answers. */
const LEAST_MAIN_SHARE = 0.5;

/**
 * What is left of the cost of these parts without the service's background threads; null where those do most of the work. They come in lumps:
 * while two equal Node.js servers answered, collecting garbage in threads of its own was 2 to 14 % of their CPU time, and about two thirds of
 * the variance of CPU per request from trial to trial.
 */
export function costWithoutBackground(trial: TrialMeasurement, parts: Parts): CpuCost | null {
  const all = costOf(trial, parts);
  const service = costOf(trial, ['serviceNs']);
  const main = costOf(trial, ['mainThreadsNs']);
  if (all === null || service === null || main === null || main.ns <= LEAST_MAIN_SHARE * service.ns) return null;
  return { ...all, ns: all.ns - Math.max(0, service.ns - main.ns) };
}

const cpuTime = {
  unit: 'us',
  better: 'lower',
  ofProcess: false,
  gatedBy: 'closed loop and fixed rate',
  inDuets: 'as measured',
  limitedByLevelAlone: false,
  tailRequests: null,
  followsTheMachine: true,
} as const;

/** What a change of the service can move work between; the gateway is the same on both sides. */
const ALL_THAT_ANSWERS: Parts = ['serviceNs', 'databaseNs', 'dependenciesNs'];

export const cpuPerRequest: MetricDefinition = {
  ...cpuTime,
  name: 'cpu-per-request',
  title: 'CPU per request, service and database',
  titleWithDependencies: 'CPU per request, with dependencies',
  sameDataAs: 'CPU time',
  needsDatabase: false,
  movedByCodeLayout: true,
  usualLimit: { 'max-increase': '3%' },
  words: { ...moreOrLess('CPU', 'costs', 'CPU per request'), title: 'CPU per request' },
  columns: { ...noColumns, terminal: 'CPU/req', resources: 'CPU per request, service and database' },
  alwaysCompared: true,
  ofTrial: (trial) => perRequestUs(costOf(trial, ALL_THAT_ANSWERS)),
  withoutBackground: (trial) => perRequestUs(costWithoutBackground(trial, ALL_THAT_ANSWERS)),
};

export const databaseCpuPerRequest: MetricDefinition = {
  ...cpuTime,
  name: 'database-cpu-per-request',
  title: 'CPU per request, database',
  sameDataAs: null,
  needsDatabase: true,
  // The database is the same program on both sides.
  movedByCodeLayout: false,
  usualLimit: null,
  words: moreOrLess('database CPU', 'costs', 'CPU per request in the database'),
  columns: { ...noColumns, resources: 'CPU per request, database' },
  alwaysCompared: false,
  ofTrial: (trial) => (trial.statements === null ? null : perRequestUs(costOf(trial, ['databaseNs']))),
};

export const dependenciesCpuPerRequest: MetricDefinition = {
  ...cpuTime,
  name: 'dependencies-cpu-per-request',
  title: 'CPU per request, dependencies',
  sameDataAs: null,
  needsDatabase: false,
  // They are the same programs on both sides.
  movedByCodeLayout: false,
  usualLimit: null,
  words: moreOrLess('dependency CPU', 'costs', 'CPU per request in its dependencies'),
  columns: { ...noColumns, resources: 'CPU per request, dependencies' },
  alwaysCompared: false,
  ofTrial: (trial) => (trial.cpu.dependenciesNs === undefined ? null : perRequestUs(costOf(trial, ['dependenciesNs']))),
};
