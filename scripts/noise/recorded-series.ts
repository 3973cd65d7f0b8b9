import { cpuShareTolerance, LEAST_BUSY_SHARE } from '../../src/core/comparison/gating.ts';
import { median } from '../../src/core/statistics/quantile.ts';
import type { NoiseLine } from './noise-line.ts';
import type { Pairing } from './noise-spec.ts';

/** One metric of one case of a recording, as the product would judge it. */
export interface RecordedSeries {
  caseKey: string;
  metric: string;
  generator: 'wrk' | 'k6';
  pairing: Pairing;
  endpoint: 'database' | 'no database';
  held: 'keep-alive' | 'close';
  connections: number;
  /** The pairs of each instance, in order; none is empty. */
  instances: { baseline: number; candidate: number }[][];
  /** Number of each of `instances`. */
  numbers: number[];
}

export interface SlicePair {
  instance: number;
  baseline: NoiseLine;
  candidate: NoiseLine;
}

/** A Postgres that nobody asks does some work of its own. */
const DATABASE_SHARE = 0.05;

const FIGURES: Record<string, { of: readonly ('wrk' | 'k6')[]; figure(slice: NoiseLine): number | null }> = {
  throughput: { of: ['wrk'], figure: ({ throughput }) => throughput },
  'latency-p50': { of: ['k6'], figure: ({ p50 }) => p50 },
  'latency-p90': { of: ['k6'], figure: ({ p90 }) => p90 },
  'latency-p99': { of: ['k6'], figure: ({ p99 }) => p99 },
  'cpu-per-request': { of: ['wrk', 'k6'], figure: ({ cpuUs, requests }) => (requests > 0 ? cpuUs / requests : null) },
  'memory-peak': { of: ['wrk', 'k6'], figure: ({ peakBytes }) => peakBytes },
};

/** Every metric that a scatter was recorded of, of every case, from valid pairs. */
export function recordedSeriesOf(pairing: Pairing, slices: readonly NoiseLine[]): RecordedSeries[] {
  return [...pairsByCase(slices)].flatMap(([caseKey, pairs]) => {
    const load = loadOf(caseKey, pairs);
    return Object.entries(FIGURES).flatMap(([metric, { of, figure }]) => {
      if (!of.includes(load.generator)) return [];
      const used = pairs.filter(({ baseline }) => baseline.mode === judgedMode(metric, pairing, pairs));
      const found = byInstance(used, figure);
      return [{ caseKey, metric, pairing, ...load, instances: [...found.values()], numbers: [...found.keys()] }];
    });
  });
}

/** Pairs of valid slices; a case without any is not in it. */
export function pairsByCase(slices: readonly NoiseLine[]): Map<string, SlicePair[]> {
  const keys = [...new Set(slices.map((slice) => slice.case))];
  const pairs = keys.map((key) => [key, pairsOf(slices.filter((slice) => slice.case === key))] as const);
  return new Map(pairs.filter(([, own]) => own.length > 0));
}

function pairsOf(slices: readonly NoiseLine[]): SlicePair[] {
  const found = new Map<string, Partial<SlicePair>>();
  for (const slice of slices) {
    if (slice.pair === null || !slice.valid) continue;
    const { instance, mode, pair, variant } = slice;
    const id = `${instance} ${mode} ${pair}`;
    found.set(id, { ...found.get(id), instance, [variant]: slice });
  }
  return [...found.values()].filter((pair): pair is SlicePair => Boolean(pair.baseline && pair.candidate));
}

/** `service/endpoint/route/generator/keep-alive/connections`, as a case key is made. */
function loadOf(
  key: string,
  pairs: readonly SlicePair[],
): Pick<RecordedSeries, 'generator' | 'endpoint' | 'held' | 'connections'> {
  const [, , , generator, held, connections] = key.split('/');
  const shares = pairs.map(({ baseline }) => baseline.databaseUs / baseline.cpuUs);
  return {
    generator: generator as 'wrk' | 'k6',
    endpoint: median(shares) > DATABASE_SHARE ? 'database' : 'no database',
    held: held as 'keep-alive' | 'close',
    connections: Number.parseInt(connections!, 10),
  };
}

/** By the product's own rule, at the usual limit: throughput of duets tells nothing where a side waits, and solo trials stand in. */
function judgedMode(metric: string, pairing: Pairing, pairs: readonly SlicePair[]): NoiseLine['mode'] {
  if (pairing === 'interleaved') return 'alone';
  const duets = pairs.filter(({ baseline }) => baseline.mode === 'duet');
  if (metric !== 'throughput' || duets.length === 0) return 'duet';
  const busy = median(duets.map(({ baseline }) => baseline.busyShare));
  const uneven = median(duets.map(({ baseline }) => baseline.cpuShare ?? 0.5)) - 0.5;
  return busy >= LEAST_BUSY_SHARE && Math.abs(uneven) <= cpuShareTolerance(null) ? 'duet' : 'alone';
}

function byInstance(
  pairs: readonly SlicePair[],
  figure: (slice: NoiseLine) => number | null,
): Map<number, RecordedSeries['instances'][number]> {
  const found = new Map<number, RecordedSeries['instances'][number]>();
  for (const { instance, ...sides } of pairs) {
    const [baseline, candidate] = [figure(sides.baseline), figure(sides.candidate)];
    if (!baseline || !candidate) continue;
    found.set(instance, [...(found.get(instance) ?? []), { baseline, candidate }]);
  }
  return found;
}
