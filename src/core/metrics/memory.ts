import { type MetricDefinition, moreOrLess, noColumns } from './definition.ts';

type Own = Pick<MetricDefinition, 'words' | 'columns' | 'usualLimit' | 'alwaysCompared'> &
  Partial<Pick<MetricDefinition, 'inDuets'>>;

/** Of the service, without page cache: what the kernel cannot take back without the service noticing. */
function memory(name: string, key: 'idleBytes' | 'peakBytes' | 'settledBytes', own: Own): MetricDefinition {
  return {
    name: `memory-${name}`,
    title: `Memory, ${name}`,
    unit: 'bytes',
    better: 'lower',
    ofProcess: true,
    gatedBy: 'every case',
    // Each variant has a cgroup of its own: what the other does is not in its memory.
    inDuets: 'as measured, solo too',
    sameDataAs: null,
    limitedByLevelAlone: false,
    tailRequests: null,
    needsDatabase: false,
    followsTheMachine: false,
    movedByCodeLayout: false,
    ...own,
    ofTrial: (trial) => (trial.memory[key] > 0 ? trial.memory[key] : null),
  };
}

/**
 * By which a round's peaks rise with each request that was answered before them. No trial holds it: it is the slope over those of a round,
 * and judged of them all (`growingMemory`).
 */
const growth: MetricDefinition = {
  name: 'memory-growth',
  title: 'Memory, growth per request',
  unit: 'bytes',
  better: 'lower',
  ofProcess: true,
  gatedBy: 'every case',
  inDuets: 'as measured, solo too',
  sameDataAs: null,
  limitedByLevelAlone: false,
  tailRequests: null,
  needsDatabase: false,
  followsTheMachine: false,
  movedByCodeLayout: false,
  words: moreOrLess('growth of memory', 'keeps', 'memory of each request'),
  columns: noColumns,
  usualLimit: { 'max-increase': 100 },
  isWatched: true,
  alwaysCompared: false,
  ofTrial: () => null,
};

export const memories: MetricDefinition[] = [
  memory('idle', 'idleBytes', {
    words: moreOrLess('idle memory', 'needs', 'memory before the load'),
    columns: { ...noColumns, resources: 'Memory idle' },
    usualLimit: null,
    alwaysCompared: false,
  }),
  memory('peak', 'peakBytes', {
    words: moreOrLess('peak memory', 'needs', 'memory at its peak'),
    columns: { ...noColumns, terminal: 'memory', resources: 'Memory peak' },
    usualLimit: { 'max-increase': '10%' },
    alwaysCompared: true,
  }),
  memory('settled', 'settledBytes', {
    words: moreOrLess('settled memory', 'keeps', 'memory after the load'),
    columns: { ...noColumns, resources: 'Memory settled' },
    // A duet has no time of rest after it.
    inDuets: 'not measured',
    usualLimit: null,
    alwaysCompared: false,
  }),
  growth,
];
