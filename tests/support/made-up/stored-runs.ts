import { type StoredHistory, startHistory } from '../../../src/core/comparison/stored-history.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { madeUpRecord } from './run-record.ts';
import { normal } from './samples.ts';

/** `count` stored runs of go and of the reference nginx, a day after the other, in weather that scatters by `weather`. */
export function storedRuns(
  count: number,
  options: { seed?: number; weather?: number; scatter?: number } = {},
): RunRecord[] {
  const { seed = 1, weather = 0.12, scatter = 0.015 } = options;
  const random = seededRandom(seed);
  return Array.from({ length: count }, (_, index) =>
    storedRun({ day: index + 1, weather: 1 + weather * normal(random), scatter, seed: seed * 1000 + index }),
  );
}

export interface StoredRun {
  day: number;
  seed: number;
  /** How fast the machine is on that day. */
  weather?: number;
  scatter?: number;
  /** Metric → what the service is worse by than on other days. */
  ratios?: Record<string, number>;
  queries?: number;
  accepted?: { cases: string; metric: string | null; reason: string }[];
  environment?: Partial<RunRecord['environment']>;
}

/** One of them. */
export function storedRun({
  day,
  seed,
  weather = 1,
  scatter = 0.015,
  ratios = {},
  queries = 1,
  ...more
}: StoredRun): RunRecord {
  const levels = (service: string): Record<string, number> => {
    const speed = service === 'nginx' ? 2 * weather : weather;
    const ratio = (metric: string) => (service === 'nginx' ? 1 : (ratios[metric] ?? 1));
    return {
      throughput: 24_000 * speed * ratio('throughput'),
      'cpu-per-request': (41.2 / speed) * ratio('cpu-per-request'),
      'latency-p50': (4.1 / speed) * ratio('latency-p50'),
      'latency-p99': 9.6 / speed,
      'memory-peak': 33_554_432 * ratio('memory-peak'),
    };
  };
  const date = new Date(Date.UTC(2026, 0, day)).toISOString();
  const record = madeUpRecord({
    id: `${date.slice(0, 10).replaceAll('-', '')}T000000Z-${String(seed % 10_000).padStart(4, '0')}`,
    startedAt: date,
    seed,
    rounds: 1,
    mode: 'interleaved',
    publishes: false,
    drift: scatter,
    scatter: 0,
    ...(more.environment === undefined ? {} : { environment: more.environment }),
    comparing: more.accepted === undefined ? null : { accepted: more.accepted },
    cases: ['go', 'nginx'].map((service) => ({
      service,
      only: 'candidate' as const,
      levels: levels(service),
      counts: { candidate: { 'queries-per-request': queries } },
    })),
  });
  return record;
}

/** What these have published, as it is kept of them. */
export function historyOf(records: Iterable<RunRecord>): StoredHistory {
  const history = startHistory();
  for (const record of records) history.add(record);
  return history.end();
}
