import { PUBLISHING_ROUND } from '../../../src/core/measurement/names.ts';
import { published } from '../../../src/core/record/published.ts';
import type { MetricRecord, Sample } from '../../../src/core/record/run-record.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import type { Random } from '../../../src/core/statistics/random.ts';

const UNITS: Record<string, string> = {
  throughput: 'req/s',
  errors: '1/request',
  'cpu-per-request': 'us',
  'database-cpu-per-request': 'us',
  'queries-per-request': '1/request',
  'rows-per-request': '1/request',
};

export type Sampling = {
  rounds: number;
  scatter: number;
  drift: number;
  mode: 'duet' | 'interleaved';
  /** Whether a round of its own gives the published figures. */
  publishes: boolean;
};

/** Alone in the round of the published figures, and twice in every other one as a pair of the record's mode. */
export function sampled(
  level: number,
  ratio: number,
  { rounds, scatter, drift, mode, publishes }: Sampling,
  random: Random,
): [Sample[], Sample[]] {
  const sides: [Sample[], Sample[]] = [[], []];
  let trial = 0;
  const add = (round: number, pair: number, sampleMode: Sample['mode']) => {
    const moment = level * (1 + drift * normal(random));
    for (const [side, samples] of sides.entries()) {
      trial += 1;
      samples.push({
        round,
        trial,
        pair,
        mode: sampleMode,
        startedNs: 1_000_000_000 * trial,
        durationNs: round === PUBLISHING_ROUND || !publishes ? 10_000_000_000 : 2_000_000_000,
        value: Number(
          (moment * (side === 0 ? 1 : ratio) * (1 + (scatter / Math.SQRT2) * normal(random))).toPrecision(6),
        ),
      });
    }
  };
  if (publishes) add(PUBLISHING_ROUND, 1, 'solo');
  for (let round = 1; round <= rounds; round++) {
    for (const pair of [2, 3]) add(round, pair, mode === 'duet' ? 'duet' : 'solo');
  }
  return sides;
}

export function passes(value: number | number[], rounds: number): Sample[] {
  const values = Array.isArray(value) ? value : Array.from({ length: rounds }, () => value);
  return values.map((each, index) => ({
    round: index + 1,
    trial: 0,
    pair: null,
    mode: 'solo',
    startedNs: index,
    durationNs: 100_000_000,
    value: each,
  }));
}

export function metricRecord(metric: string, samples: Sample[]): MetricRecord {
  const unit = UNITS[metric] ?? (metric.startsWith('latency') ? 'ms' : 'bytes');
  return { value: median(published(samples).map(({ value }) => value)), unit, samples };
}

/** Standard normal, by the sum of twelve (its tails end at 6). */
export function normal(random: Random): number {
  let sum = -6;
  for (let index = 0; index < 12; index++) sum += random.next();
  return sum;
}
