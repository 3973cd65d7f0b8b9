import type { TrialMeasurement } from '../measurement/measurement.ts';
import { type MetricDefinition, moreOrLess, noColumns } from './definition.ts';

/** Microseconds of CPU time for each request that was answered, as expected or not: an error costs as well. */
function perRequestUs(trial: TrialMeasurement, ns: number): number | null {
  const { requests, leadInRequests = 0 } = trial.outcome ?? {};
  return requests === undefined || requests === 0 ? null : ns / 1000 / (requests + leadInRequests);
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

export const cpuPerRequest: MetricDefinition = {
  ...cpuTime,
  name: 'cpu-per-request',
  title: 'CPU per request, service and database',
  sameDataAs: 'CPU time',
  needsDatabase: false,
  movedByCodeLayout: true,
  usualLimit: { 'max-increase': '3%' },
  words: { ...moreOrLess('CPU', 'costs', 'CPU per request'), title: 'CPU per request' },
  columns: { ...noColumns, terminal: 'CPU/req', resources: 'CPU per request, service and database' },
  alwaysCompared: true,
  ofTrial: (trial) => perRequestUs(trial, trial.cpu.serviceNs + trial.cpu.databaseNs),
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
  ofTrial: (trial) => (trial.statements === null ? null : perRequestUs(trial, trial.cpu.databaseNs)),
};
