import { cost, isUneven, LEAST_BUSY_SHARE } from '../../src/core/comparison/gating.ts';
import type { KeepAliveName } from '../../src/core/measurement/names.ts';
import { metricNamed } from '../../src/core/metrics/registry.ts';
import { mean } from '../../src/core/statistics/moderated-variance.ts';
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
  held: KeepAliveName;
  connections: number;
  /** The pairs of each round, in order; none is empty. */
  rounds: { baseline: number; candidate: number }[][];
  /** Number of each of `rounds`. */
  numbers: number[];
}

export interface TrialPair {
  round: number;
  baseline: NoiseLine;
  candidate: NoiseLine;
}

/** A Postgres that nobody asks does some work of its own. */
const DATABASE_SHARE = 0.05;

type Figure = (trial: NoiseLine) => number | null;

const FIGURES: Record<string, { of: readonly ('wrk' | 'k6')[]; figure: Figure }> = {
  throughput: { of: ['wrk'], figure: ({ throughput }) => throughput },
  'latency-p50': { of: ['k6'], figure: ({ p50 }) => p50 },
  'latency-p90': { of: ['k6'], figure: ({ p90 }) => p90 },
  'latency-p99': { of: ['k6'], figure: ({ p99 }) => p99 },
  'cpu-per-request': { of: ['wrk', 'k6'], figure: ({ cpuUs, requests }) => (requests > 0 ? cpuUs / requests : null) },
  'memory-peak': { of: ['wrk', 'k6'], figure: ({ peakBytes }) => peakBytes },
};

/** Every metric that a scatter was recorded of, of every case, from valid pairs. */
export function recordedSeriesOf(pairing: Pairing, trials: readonly NoiseLine[]): RecordedSeries[] {
  return [...pairsByCase(trials)].flatMap(([caseKey, pairs]) => {
    const load = loadOf(caseKey, pairs);
    return Object.entries(FIGURES).flatMap(([metric, { of, figure }]) => {
      if (!of.includes(load.generator)) return [];
      const used = pairs.filter(({ baseline }) => baseline.mode === judgedMode(metric, pairing, pairs));
      const found = byRound(used, withUsualBackground(metric, used, figure));
      return [{ caseKey, metric, pairing, ...load, rounds: [...found.values()], numbers: [...found.keys()] }];
    });
  });
}

/** Pairs of valid trials; a case without any is not in it. */
export function pairsByCase(trials: readonly NoiseLine[]): Map<string, TrialPair[]> {
  const keys = [...new Set(trials.map((trial) => trial.case))];
  const pairs = keys.map((key) => [key, pairsOf(trials.filter((trial) => trial.case === key))] as const);
  return new Map(pairs.filter(([, own]) => own.length > 0));
}

function pairsOf(trials: readonly NoiseLine[]): TrialPair[] {
  const found = new Map<string, Partial<TrialPair>>();
  for (const trial of trials) {
    if (trial.pair === null || !trial.valid) continue;
    const { round, mode, pair, variant } = trial;
    const id = `${round} ${mode} ${pair}`;
    found.set(id, { ...found.get(id), round, [variant]: trial });
  }
  return [...found.values()].filter((pair): pair is TrialPair => Boolean(pair.baseline && pair.candidate));
}

/** `service/endpoint/route/generator/keep-alive/connections`, as a case key is made. */
function loadOf(
  key: string,
  pairs: readonly TrialPair[],
): Pick<RecordedSeries, 'generator' | 'endpoint' | 'held' | 'connections'> {
  const [, , , generator, held, connections] = key.split('/');
  const shares = pairs.map(({ baseline }) => baseline.databaseUs / baseline.cpuUs);
  return {
    generator: generator as 'wrk' | 'k6',
    endpoint: median(shares) > DATABASE_SHARE ? 'database' : 'no database',
    held: held as KeepAliveName,
    connections: Number.parseInt(connections!, 10),
  };
}

/** By the product's own rule, at the usual limit: throughput of duets tells nothing where a side waits, and solo trials stand in. */
function judgedMode(metric: string, pairing: Pairing, pairs: readonly TrialPair[]): NoiseLine['mode'] {
  if (pairing === 'interleaved') return 'solo';
  const duets = pairs.filter(({ baseline }) => baseline.mode === 'duet');
  if (metric !== 'throughput' || duets.length === 0) return 'duet';
  const busy = median(duets.map(({ baseline }) => baseline.busyShare));
  const cpuShare = mean(duets.map(({ baseline }) => baseline.cpuShare ?? 0.5));
  return busy >= LEAST_BUSY_SHARE && !isUneven({ cpuShare }, null) ? 'duet' : 'solo';
}

/**
 * The figures of duets as the product has them (`backgroundsOf`), where every trial tells of background threads: those of a recording are alike
 * on both sides.
 */
function withUsualBackground(metric: string, pairs: readonly TrialPair[], figure: Figure): Figure {
  const definition = metricNamed(metric);
  if (definition?.withoutBackground === undefined) return figure;
  const costOf = (trial: NoiseLine) => {
    const value = figure(trial);
    return value === null || value === 0 ? null : cost(definition, value);
  };
  const shareOf = ({ cpuUs, withoutBackgroundUs }: NoiseLine) =>
    withoutBackgroundUs === undefined ? null : withoutBackgroundUs / cpuUs;
  const background = pairs
    .flatMap(({ baseline, candidate }) => [baseline, candidate])
    .map((trial) => {
      const [whole, share] = [costOf(trial), shareOf(trial)];
      return whole === null || share === null || trial.mode === 'solo' ? null : whole * (1 - share);
    });
  if (background.includes(null)) return figure;
  const usual = mean(background as number[]);
  return (trial) => cost(definition, costOf(trial)! * shareOf(trial)! + usual);
}

function byRound(pairs: readonly TrialPair[], figure: Figure): Map<number, RecordedSeries['rounds'][number]> {
  const found = new Map<number, RecordedSeries['rounds'][number]>();
  for (const { round, ...sides } of pairs) {
    const [baseline, candidate] = [figure(sides.baseline), figure(sides.candidate)];
    if (!baseline || !candidate) continue;
    found.set(round, [...(found.get(round) ?? []), { baseline, candidate }]);
  }
  return found;
}
