import { describe, expect, it } from 'vitest';
import { backgroundsOf } from '../../../src/core/comparison/background-threads.ts';
import { comparedCases } from '../../../src/core/comparison/compared-case.ts';
import { comparedMetricsOf } from '../../../src/core/comparison/compared-metrics.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { endpointLoads } from '../../../src/core/comparison/gating.ts';
import { metricNamed } from '../../../src/core/metrics/registry.ts';
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

const CPU = metricNamed('cpu-per-request')!;
const known = (record: ComparingRecord, metric = CPU) =>
  backgroundsOf(metric, comparedCases(record), endpointLoads(record.cases), 'duet');

const cpuOf = (record: ComparingRecord, key: string) =>
  comparedMetricsOf(record).find((each) => each.case.key === key && each.metric.name === 'cpu-per-request')!;
const ratiosIn = (record: ComparingRecord, key = WRK) => cpuOf(record, key).ratios!.groups[0]![0]!.values;

describe('what background threads use', () => {
  it('is known of each case by the trials up to the first look, and how far the sides are apart by all cases of its endpoint', () => {
    const later = ({ round }: Sample) => (round > 8 ? 30 : 4);
    const own = recordOf((sample, variant, key) => later(sample) + (key === K6 && variant === 'candidate' ? 2 : 0));
    const found = known(own);
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
    expect([...known(record).keys()]).toEqual([K6]);
  });

  it('is not known of an endpoint of which a single trial does not tell it', () => {
    const told = recordOf(() => 4);
    expect(known(told).size).toBe(2);
    const once = recordOf(({ round, mode }, variant, key) =>
      key === K6 && variant === 'candidate' && round === 3 && mode === 'duet' ? null : 4,
    );
    expect(known(once).size).toBe(0);
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

describe('throughput of duets', () => {
  /** Both sides have half of a CPU, and answer in 45 of the 50 us that a request has of it; background threads have 0 or 10 us. */
  function recordOfThroughput(): ComparingRecord {
    const record = madeUpRecord({ cases: [{}, { generator: 'k6' }], rounds: ROUNDS, scatter: 0, drift: 0 });
    for (const { metrics, variant, generator } of record.cases) {
      if (generator !== 'wrk') continue;
      metrics.throughput!.samples = metrics.throughput!.samples.map((sample) =>
        sample.mode === 'solo'
          ? sample
          : {
              ...sample,
              value: 0.5e6 / (45 + (inLumps(sample, variant) * 10) / 8),
              withoutBackground: 0.5e6 / 45,
            },
      );
    }
    return record as ComparingRecord;
  }

  it('is compared with background threads at the usual too, by the cases that it is gated on', () => {
    const record = recordOfThroughput();
    const throughput = metricNamed('throughput')!;
    const found = known(record, throughput);
    expect([...found.keys()]).toEqual([WRK]);
    expect(found.get(WRK)!.usual).toBeCloseTo(10e-6, 9);
    expect(found.get(WRK)!.share).toBeCloseTo(0.1, 9);
    const [own] = comparedMetricsOf(record).filter(({ case: { key }, metric }) => key === WRK && metric === throughput);
    expect(own!.pairs).toHaveLength(2 * ROUNDS);
    for (const { value } of own!.ratios!.groups[0]![0]!.values) expect(value).toBeCloseTo(0, 9);
  });

  it('is compared as it was measured where trials alone stand in for duets that do not fill the CPU', () => {
    const record = recordOfThroughput();
    for (const { duet } of record.cases) if (duet !== undefined) duet.busyShare = 0.5;
    const [own] = comparedMetricsOf(record).filter(
      ({ case: { key }, metric }) => key === WRK && metric.name === 'throughput',
    );
    expect(own!.basis).toMatchObject({ mode: 'interleaved', samples: ['solo'] });
    expect(own!.basis).not.toHaveProperty('background');
  });
});
