import { type MetricDefinition, noColumns } from './definition.ts';

/**
 * Until the service answered after its start, all beside it being up. Both sides of a round are started at the same time, on the same
 * CPUs: figures are those of a machine that has more to do.
 */
export const startUp: MetricDefinition = {
  name: 'start-up',
  title: 'Start-up',
  unit: 'ms',
  better: 'lower',
  ofProcess: true,
  gatedBy: 'every case',
  inDuets: 'as measured, solo too',
  sameDataAs: null,
  limitedByLevelAlone: false,
  tailRequests: null,
  // Nobody waits for less, and it is asked 20 times a second whether it is up.
  leastJudged: 500,
  needsDatabase: false,
  followsTheMachine: true,
  movedByCodeLayout: false,
  usualLimit: { 'max-increase': '20%' },
  isWatched: true,
  words: { short: 'time to start', up: 'takes % longer to start', down: 'takes % less time to start' },
  columns: { ...noColumns, resources: 'Start-up' },
  alwaysCompared: false,
  ofTrial: ({ startUpNs }) => (startUpNs === undefined || startUpNs === 0 ? null : startUpNs / 1e6),
};
