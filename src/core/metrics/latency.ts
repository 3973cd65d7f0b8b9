import type { LatencyMs } from '../generators/outcome.ts';
import { type MetricDefinition, type MetricWords, noColumns } from './definition.ts';

type Own = Pick<
  MetricDefinition,
  'title' | 'tailRequests' | 'usualLimit' | 'isWatched' | 'words' | 'columns' | 'alwaysCompared'
>;

/** As the generator defines latency: never compared across generators. */
function latency(key: keyof LatencyMs, own: Partial<Own> & Pick<Own, 'words'>): MetricDefinition {
  return {
    name: `latency-${key}`,
    title: `Latency, ${key}`,
    unit: 'ms',
    better: 'lower',
    ofProcess: false,
    // Under saturation latency is the length of the queue, and says nothing that throughput does not.
    gatedBy: 'fixed rate',
    inDuets: 'as measured',
    sameDataAs: null,
    limitedByLevelAlone: false,
    tailRequests: null,
    needsDatabase: false,
    followsTheMachine: true,
    movedByCodeLayout: false,
    usualLimit: null,
    columns: noColumns,
    alwaysCompared: false,
    ...own,
    ofTrial: (trial) => trial.outcome?.latencyMs?.[key] ?? null,
  };
}

function slower(short: string, where: string): MetricWords {
  return { short, up: `takes % longer ${where}`, down: `takes % less time ${where}` };
}

/**
 * Fewer than 10 beyond a percentile tell nothing of it: of a p99 they are a hundredth of 1,000. From 1,800 to 10,000 requests a round the
 * p99 of two equal servers differed by 15 to 35 % from round to round on a quiet machine, as often up as down
 * (`research/recordings/noise`), which 8 rounds and more average like any other metric.
 */
function requestsBeyond(share: number): number {
  return Math.round(10 / share);
}

export const latencies: MetricDefinition[] = [
  latency('mean', {
    words: slower('mean latency', 'on average'),
    columns: { ...noColumns, terminal: 'mean', results: 'Mean latency' },
  }),
  latency('p50', {
    words: slower('p50', 'at p50'),
    columns: { ...noColumns, terminal: 'p50', results: 'p50' },
    usualLimit: { 'max-increase': '5%' },
    alwaysCompared: true,
  }),
  latency('p75', { words: slower('p75', 'at p75'), columns: { ...noColumns, results: 'p75' } }),
  latency('p90', {
    words: slower('p90', 'at p90'),
    columns: { ...noColumns, results: 'p90' },
    usualLimit: { 'max-increase': '10%' },
    isWatched: true,
  }),
  latency('p95', {
    tailRequests: requestsBeyond(0.05),
    words: slower('p95', 'at p95'),
    columns: { ...noColumns, results: 'p95' },
  }),
  latency('p99', {
    tailRequests: requestsBeyond(0.01),
    words: slower('p99', 'at p99'),
    columns: { ...noColumns, terminal: 'p99', results: 'p99', resources: 'p99 latency' },
    usualLimit: { 'max-increase': '50%' },
    isWatched: true,
    alwaysCompared: true,
  }),
  latency('p99.9', {
    tailRequests: requestsBeyond(0.001),
    words: slower('p99.9', 'at p99.9'),
    columns: { ...noColumns, results: 'p99.9' },
  }),
  latency('max', {
    tailRequests: requestsBeyond(0.01),
    words: slower('max latency', 'at most'),
    columns: { ...noColumns, resources: 'Max latency' },
  }),
];
