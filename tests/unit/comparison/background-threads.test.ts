import { describe, expect, it } from 'vitest';
import { backgroundsOf } from '../../../src/core/comparison/background-threads.ts';
import { comparedCases } from '../../../src/core/comparison/compared-case.ts';
import { comparedMetricsOf } from '../../../src/core/comparison/compared-metrics.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { Comparing, RunRecord, Sample } from '../../../src/core/record/run-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

type ComparingRecord = RunRecord & { comparing: Comparing };

const ROUNDS = 10;
const WRK = 'go/ping/direct/wrk/keep-alive/100';
const K6 = 'go/ping/direct/k6/keep-alive/100@60%';

/** CPU per request of an endpoint whose main thread uses 40 us on both sides, and background threads what is said of a sample; null: not known. */
function recordOf(background: (sample: Sample, variant: string, key: string) => number | null): ComparingRecord {
  const cases = [{ generator: 'wrk' as const }, { generator: 'k6' as const }];
  const record = madeUpRecord({ cases, rounds: ROUNDS, scatter: 0, drift: 0 });
  for (const { metrics, variant, key } of record.cases) {
    const cpu = metrics['cpu-per-request']!;
    cpu.samples = cpu.samples.map((sample) => {
      const used = background(sample, variant, key);
      return used === null ? { ...sample, value: 44 } : { ...sample, value: 40 + used, withoutBackground: 40 };
    });
  }
  return record as ComparingRecord;
}

/** 0 or 8 us, in other rounds on the one side than on the other, and as often. */
const inLumps = ({ round }: Sample, variant: string) => ((round + (variant === 'baseline' ? 0 : 1)) % 2 === 0 ? 8 : 0);

const cpuOf = (record: ComparingRecord, key: string) =>
  comparedMetricsOf(record).find((each) => each.case.key === key && each.metric.name === 'cpu-per-request')!;
const ratiosIn = (record: ComparingRecord, key = WRK) => cpuOf(record, key).ratios!.groups[0]![0]!.values;

describe('what background threads use', () => {
  it('is known of each case by the trials up to the first look, and how far the sides are apart by all cases of its endpoint', () => {
    const later = ({ round }: Sample) => (round > 8 ? 30 : 4);
    const own = recordOf((sample, variant, key) => later(sample) + (key === K6 && variant === 'candidate' ? 2 : 0));
    const found = backgroundsOf(comparedCases(own));
    expect(found.get(WRK)!.usual).toBeCloseTo(4, 9);
    expect(found.get(K6)!.usual).toBeCloseTo(5, 9);
    for (const key of [WRK, K6]) {
      expect(found.get(key)!.apart).toBeCloseTo(2 / 44 / 2, 9);
      expect(found.get(key)!.share).toBeCloseTo((4 + 5) / 44 / 2, 9);
    }
  });

  it('is told by the cases of an endpoint that are compared', () => {
    const record = recordOf(() => 4);
    const [first] = record.cases;
    const alone = {
      ...first!.metrics['cpu-per-request']!,
      samples: first!.metrics['cpu-per-request']!.samples.slice(0, 1),
    };
    first!.metrics['cpu-per-request'] = alone;
    expect([...backgroundsOf(comparedCases(record)).keys()]).toEqual([K6]);
  });

  it('is not known of an endpoint of which a single trial does not tell it', () => {
    const known = recordOf(() => 4);
    expect(backgroundsOf(comparedCases(known)).size).toBe(2);
    const once = recordOf(({ round, mode }, variant, key) =>
      key === K6 && variant === 'candidate' && round === 3 && mode === 'duet' ? null : 4,
    );
    expect(backgroundsOf(comparedCases(once)).size).toBe(0);
  });
});

describe('CPU per request', () => {
  it('is compared with as much of it in each trial, where it is alike: lumps are no difference', () => {
    const record = recordOf(inLumps);
    for (const { value } of ratiosIn(record)) expect(value).toBeCloseTo(0, 12);
    const { cases } = comparisonOf(record);
    expect(cases.map(({ metrics }) => metrics['cpu-per-request']!.evidence.background)).toEqual([4 / 44, 4 / 44]);
  });

  it('rises by what the main thread uses more, as a share of all of it', () => {
    const record = recordOf(inLumps);
    for (const { variant, metrics } of record.cases) {
      if (variant === 'baseline') continue;
      const cpu = metrics['cpu-per-request']!;
      const dearer = (sample: Sample) => ({ value: sample.value + 2.2, withoutBackground: 42.2 });
      cpu.samples = cpu.samples.map((sample) => ({ ...sample, ...dearer(sample) }));
    }
    for (const { value } of ratiosIn(record)) expect(value).toBeCloseTo(Math.log(46.2 / 44), 12);
  });

  it('is compared as it was measured where the candidate’s use more than that', () => {
    const record = recordOf((_, variant) => (variant === 'candidate' ? 8 : 4));
    for (const { value } of ratiosIn(record)) expect(value).toBeCloseTo(Math.log(48 / 44), 12);
    const [first] = comparisonOf(record).cases;
    expect(first!.metrics['cpu-per-request']!.evidence).not.toHaveProperty('background');
  });

  it('is compared as it was measured where the main threads are not what answers', () => {
    const record = recordOf(() => null);
    expect(cpuOf(record, WRK).basis).toEqual({ mode: 'duet', samples: ['duet'], note: null });
    expect(ratiosIn(record)).toHaveLength(ROUNDS);
  });

  it('leaves out a later trial that does not tell it', () => {
    const record = recordOf((sample, variant) => (sample.round === 9 && variant === 'baseline' ? null : 4));
    expect(ratiosIn(record).map(({ round }) => round)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 10]);
  });
});
