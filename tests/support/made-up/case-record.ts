import type { GeneratorName } from '../../../src/core/generators/registry.ts';
import { keepAliveName, type Variant } from '../../../src/core/measurement/names.ts';
import type { CaseRecord, MetricRecord, StatementRecord } from '../../../src/core/record/run-record.ts';
import type { Random } from '../../../src/core/statistics/random.ts';
import { metricRecord, passes, type Sampling, sampled } from './samples.ts';

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
  /** Standard error of it; none as of a single duet. */
  cpuShareError?: number;
  busyShare?: number;
  /** Metrics that a side lacks. */
  lacking?: Partial<Record<Variant, string[]>>;
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
  h2load: { throughput: 9_000, 'latency-p50': 0.8, 'cpu-per-request': 40.1, 'memory-peak': 33_554_432 },
};

export function keyOf({
  service = 'go',
  endpoint = 'ping',
  generator = 'wrk',
  keepAlive = true,
  connections = 100,
}: MadeUpCase): string {
  const rate = generator === 'k6' || generator === 'h2load' ? '@60%' : '';
  return [service, endpoint, 'direct', generator, keepAliveName(keepAlive), `${connections}${rate}`].join('/');
}

/** Of duets, where none are given. */
export const ROUNDS = 7;

export function caseRecords(
  made: MadeUpCase,
  { rounds = ROUNDS, scatter = 0.006, drift = 0.03, mode = 'duet', publishes = true }: Partial<Sampling>,
  random: Random,
): CaseRecord[] {
  const { generator = 'wrk', keepAlive = true, connections = 100, service = 'go', endpoint = 'ping' } = made;
  const levels = { ...LEVELS[generator], ...made.levels };
  const share = made.candidateCpuShare ?? 0.5;
  const sides: Record<Variant, Record<string, MetricRecord>> = { baseline: {}, candidate: {} };
  for (const [metric, level] of Object.entries(levels)) {
    const [was, is] = sampled(level, made.ratios?.[metric] ?? 1, { rounds, scatter, drift, mode, publishes }, random);
    sides.baseline[metric] = metricRecord(metric, was!);
    sides.candidate[metric] = metricRecord(metric, is!);
  }
  return (['baseline', 'candidate'] as const)
    .filter((variant) => (made.only ?? variant) === variant)
    .map((variant) => {
      for (const [metric, value] of Object.entries(made.counts?.[variant] ?? {})) {
        sides[variant][metric] = metricRecord(metric, passes(value, rounds));
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
        warnings: [],
        metrics: sides[variant],
        utilisation: null,
        ...(mode === 'duet'
          ? {
              duet: {
                cpuShare: variant === 'candidate' ? share : 1 - share,
                ...(made.cpuShareError === undefined ? {} : { cpuShareError: made.cpuShareError }),
                busyShare: made.busyShare ?? 0.99,
              },
            }
          : {}),
        ...(made.statements?.[variant] === undefined ? {} : { statements: made.statements[variant] }),
        raw: [],
      };
    });
}
