import type { GeneratorName, Variant } from '../../../src/core/plan/case.ts';
import type {
  CaseRecord,
  MetricRecord,
  RunRecord,
  Sample,
  StatementRecord,
} from '../../../src/core/record/run-record.ts';
import { DEFAULT_LIMITS } from '../../../src/core/spec/resolve.ts';
import type { ResolvedSpec } from '../../../src/core/spec/resolved.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';

/** What a case is made up of: levels of the baseline, and what the candidate makes of them. */
export interface MadeUpCase {
  service?: string;
  endpoint?: string;
  generator?: GeneratorName;
  keepAlive?: boolean;
  connections?: number;
  /** Metric → level of the baseline, beside the usual ones. */
  levels?: Record<string, number>;
  /** Metric → candidate/baseline, 1 where not named. */
  ratios?: Record<string, number>;
  /** Metric → what a side's pass without load counts, instead of a level. */
  counts?: Partial<Record<Variant, Record<string, number | number[]>>>;
  statements?: Partial<Record<Variant, StatementRecord[]>>;
  only?: Variant;
  invalid?: Partial<Record<Variant, string>>;
  /** Of a duet's CPU; 0.5 where not named. */
  candidateCpuShare?: number;
  busyShare?: number;
  /** Metrics that a side lacks. */
  lacking?: Partial<Record<Variant, string[]>>;
}

export interface MadeUpRecord {
  id?: string;
  seed?: number;
  instances?: number;
  /** Standard deviation of a pair's ratio. */
  scatter?: number;
  /** Standard deviation of a moment, which both slices of a pair share. */
  drift?: number;
  mode?: 'duet' | 'interleaved';
  startedAt?: string;
  environment?: Partial<RunRecord['environment']>;
  gate?: Partial<ResolvedSpec['gate']>;
  comparing?: Partial<NonNullable<RunRecord['comparing']>> | null;
  cases: MadeUpCase[];
}

const LEVELS: Record<GeneratorName, Record<string, number>> = {
  wrk: {
    throughput: 24_000,
    'latency-p50': 4.1,
    'latency-p99': 9.6,
    'cpu-per-request': 41.2,
    'memory-peak': 33_554_432,
  },
  k6: {
    throughput: 9_000,
    'latency-p50': 0.42,
    'latency-p99': 1.9,
    'cpu-per-request': 55.1,
    'memory-peak': 34_603_008,
  },
  ab: { throughput: 8_000, 'latency-p50': 12, 'memory-peak': 33_554_432 },
};

export const UNITS: Record<string, string> = {
  throughput: 'req/s',
  errors: '1/request',
  'cpu-per-request': 'us',
  'database-cpu-per-request': 'us',
  'queries-per-request': '1/request',
  'rows-per-request': '1/request',
};

/** A run record as `run --baseline` leaves it: an alone slice of each side in the first instance, duets in all. */
export function madeUpRecord(made: MadeUpRecord): RunRecord {
  const { id = '20260301T101500Z-7f3a', seed = 1, comparing = {}, mode = 'duet' } = made;
  const random = seededRandom(seed);
  const gate: ResolvedSpec['gate'] = {
    baseline: 'auto',
    metrics: { ...DEFAULT_LIMITS },
    cases: {},
    budgetSeconds: 300,
    ...made.gate,
  };
  const cases = made.cases.flatMap((each) => caseRecords(each, made, random));
  const services = [...new Set(cases.map(({ service }) => service))];
  return {
    schemaVersion: 1,
    id,
    startedAt: made.startedAt ?? '2026-03-01T10:15:00.000Z',
    finishedAt: '2026-03-01T10:19:12.000Z',
    tool: { name: 'wrkbench', version: '0.1.0' },
    source: {
      repository: 'acme/api',
      sha: '9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812',
      ref: 'refs/pull/41/merge',
      pullRequest: 41,
    },
    environment: {
      cpuModel: 'AMD EPYC 7763 64-Core Processor',
      cpuCount: 4,
      memoryBytes: 16_777_216_000,
      kernel: '6.11.0-1018-azure',
      os: 'Ubuntu 24.04.2 LTS',
      runtime: 'docker',
      placement: { service: '0-1', database: '0-1', generator: '2-3' },
      sysctls: {},
      versions: { wrk: '4.1.0', k6: '1.3.0', ab: '2.3', docker: '28.0.4', postgres: '18.1' },
      ...made.environment,
    },
    spec: specOf(services, gate, made.cases),
    seed,
    ...(comparing === null
      ? {}
      : {
          comparing: {
            mode,
            baseline: {
              recordId: null,
              sha: '3f2c1ab90e6d4b7785c1d2e3f4a5b6c7d8e9f001',
              text: 'commit 3f2c1ab (merge-base with main), built in this run',
            },
            candidate: {
              recordId: null,
              sha: '9d1e7b2c44f0a35be2f8a4d07e5c1b6a3f90d812',
              text: 'commit 9d1e7b2, built in this run',
            },
            gate,
            skipped: null,
            cautions: [],
            accepted: [],
            ...comparing,
          },
        }),
    timing: { wallSeconds: 252, loadSeconds: 198 },
    services: services.flatMap((service) =>
      (['baseline', 'candidate'] as const).map((variant) => ({
        service,
        variant,
        artifact: `sha256:${variant === 'baseline' ? '1' : '2'}${'0'.repeat(63)}`,
        failure: null,
      })),
    ),
    cases,
    interrupted: null,
  };
}

function specOf(services: string[], gate: ResolvedSpec['gate'], cases: MadeUpCase[]): ResolvedSpec {
  const endpoints = [...new Set(cases.map(({ endpoint = 'ping' }) => endpoint))];
  return {
    name: 'rest-api',
    services: services.map((name) => ({
      name,
      image: { kind: 'image', reference: `bench/${name}:1` },
      command: null,
      workingDirectory: '.',
      port: 8080,
      env: {},
      ready: { path: '/ping', timeoutSeconds: 30 },
      memoryBytes: null,
      openFiles: 1_048_576,
      basePath: '',
      role: name === 'nginx' ? 'reference' : 'subject',
    })),
    database: null,
    gateway: null,
    endpoints: endpoints.map((name) => ({
      name,
      method: 'GET',
      path: `/${name.replace('-', '/')}`,
      headers: {},
      body: null,
      expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null },
    })),
    load: {
      wrk: { threads: 4, connections: [100, 1000], keepAlive: [true, false], durationSeconds: 10, timeoutSeconds: 2 },
      k6: {
        arrival: { kind: 'share', shareOfCapacity: 0.6 },
        connections: [100],
        keepAlive: [true, false],
        durationSeconds: 10,
        timeoutSeconds: 10,
        script: null,
      },
      ab: null,
      warmUp: { kind: 'auto', windowSeconds: 1, tolerance: 0.02, maxSeconds: 15 },
      coolDownSeconds: 1,
    },
    placement: 'auto',
    gate,
  };
}

export function keyOf({
  service = 'go',
  endpoint = 'ping',
  generator = 'wrk',
  keepAlive = true,
  connections = 100,
}: MadeUpCase): string {
  const rate = generator === 'k6' ? '@60%' : '';
  return [service, endpoint, 'direct', generator, keepAlive ? 'keep-alive' : 'close', `${connections}${rate}`].join(
    '/',
  );
}

function caseRecords(
  made: MadeUpCase,
  { instances = 7, scatter = 0.006, drift = 0.03, mode = 'duet' }: MadeUpRecord,
  random: Random,
): CaseRecord[] {
  const { generator = 'wrk', keepAlive = true, connections = 100, service = 'go', endpoint = 'ping' } = made;
  const levels = { ...LEVELS[generator], ...made.levels };
  const share = made.candidateCpuShare ?? 0.5;
  const sides: Record<Variant, Record<string, MetricRecord>> = { baseline: {}, candidate: {} };
  for (const [metric, level] of Object.entries(levels)) {
    const [was, is] = sampled(level, made.ratios?.[metric] ?? 1, { instances, scatter, drift, mode }, random);
    sides.baseline[metric] = metricRecord(metric, was!);
    sides.candidate[metric] = metricRecord(metric, is!);
  }
  return (['baseline', 'candidate'] as const)
    .filter((variant) => (made.only ?? variant) === variant)
    .map((variant) => {
      for (const [metric, value] of Object.entries(made.counts?.[variant] ?? {})) {
        sides[variant][metric] = metricRecord(metric, passes(value, instances));
      }
      for (const metric of made.lacking?.[variant] ?? []) delete sides[variant][metric];
      const invalid = made.invalid?.[variant];
      return {
        key: keyOf(made),
        service,
        variant,
        endpoint,
        route: 'direct',
        generator,
        keepAlive,
        connections,
        rate: generator === 'k6' ? 9_000 : null,
        status: invalid === undefined ? 'valid' : 'invalid',
        reasons: invalid === undefined ? [] : [{ code: 'errors', message: invalid }],
        marks: [],
        metrics: sides[variant],
        utilisation: null,
        ...(mode === 'duet'
          ? { duet: { cpuShare: variant === 'candidate' ? share : 1 - share, busyShare: made.busyShare ?? 0.99 } }
          : {}),
        ...(made.statements?.[variant] === undefined ? {} : { statements: made.statements[variant] }),
        raw: [],
      };
    });
}

type Sampling = { instances: number; scatter: number; drift: number; mode: 'duet' | 'interleaved' };

/** Alone in the first instance, and twice in every instance as a pair of the record's mode. */
function sampled(
  level: number,
  ratio: number,
  { instances, scatter, drift, mode }: Sampling,
  random: Random,
): [Sample[], Sample[]] {
  const sides: [Sample[], Sample[]] = [[], []];
  let slice = 0;
  const add = (instance: number, pair: number, sampleMode: Sample['mode']) => {
    const moment = level * (1 + drift * normal(random));
    for (const [side, samples] of sides.entries()) {
      slice += 1;
      samples.push({
        instance,
        slice,
        pair,
        mode: sampleMode,
        startedNs: 1_000_000_000 * slice,
        durationNs: sampleMode === 'alone' ? 10_000_000_000 : 2_000_000_000,
        value: Number(
          (moment * (side === 0 ? 1 : ratio) * (1 + (scatter / Math.SQRT2) * normal(random))).toPrecision(6),
        ),
      });
    }
  };
  for (let instance = 1; instance <= instances; instance++) {
    if (instance === 1 && mode === 'duet') add(1, 1, 'alone');
    for (const pair of [2, 3]) add(instance, pair, mode === 'duet' ? 'duet' : 'alone');
  }
  return sides;
}

function passes(value: number | number[], instances: number): Sample[] {
  const values = Array.isArray(value) ? value : Array.from({ length: instances }, () => value);
  return values.map((each, index) => ({
    instance: index + 1,
    slice: 0,
    pair: null,
    mode: 'alone',
    startedNs: index,
    durationNs: 100_000_000,
    value: each,
  }));
}

function metricRecord(metric: string, samples: Sample[]): MetricRecord {
  const alone = samples.filter(({ mode }) => mode === 'alone');
  const unit = UNITS[metric] ?? (metric.startsWith('latency') ? 'ms' : 'bytes');
  return { value: median((alone.length > 0 ? alone : samples).map(({ value }) => value)), unit, samples };
}

/** Standard normal, by the sum of twelve (its tails end at 6). */
export function normal(random: Random): number {
  let sum = -6;
  for (let index = 0; index < 12; index++) sum += random.next();
  return sum;
}

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
    instances: 1,
    mode: 'interleaved',
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
