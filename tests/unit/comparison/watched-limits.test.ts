import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { decidedSoFar } from '../../../src/core/comparison/undecided.ts';
import { DEFAULT_LIMITS } from '../../../src/core/config/gate.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

/** At a fixed rate, with the tail of a quiet server; 2,250 requests a round. */
const atRate = (given: Partial<MadeUpCase> = {}): MadeUpCase => ({
  generator: 'k6',
  levels: { 'latency-p90': 0.7 },
  ...given,
});
const recordOf = (made: Partial<MadeUpRecord>) =>
  madeUpRecord({ seed: 11, rounds: 8, scatter: 0.03, cases: [atRate()], ...made }) as RunRecord & {
    comparing: Comparing;
  };
const KEY = keyOf(atRate());
const metricsOf = (made: Partial<MadeUpRecord>) =>
  comparisonOf(recordOf(made)).cases.find(({ key }) => key === KEY)!.metrics;

describe('the usual limits of p90 and p99', () => {
  it('are watched, and written ones are not', () => {
    expect(DEFAULT_LIMITS['latency-p90']).toEqual({ maxIncrease: { kind: 'ratio', value: 0.1, watched: true } });
    expect(DEFAULT_LIMITS['latency-p99']).toEqual({ maxIncrease: { kind: 'ratio', value: 0.5, watched: true } });
    const { gate } = readSpec(
      'name: shop\nservices: {web: {build: ., port: 80}}\nendpoints: {home: /}\ngate: {latency-p90: {max-increase: 10%}}\n',
      'wrkbench.yml',
    );
    expect(gate.metrics['latency-p90']).toEqual({ maxIncrease: { kind: 'ratio', value: 0.1 } });
    expect(gate.metrics['latency-p99']).toEqual(DEFAULT_LIMITS['latency-p99']);
  });

  it.each([
    ['latency-p90', 1.3],
    ['latency-p99', 20],
  ])('make a case red by its name whose %s is %f times as long', (metric, times) => {
    const comparison = comparisonOf(recordOf({ cases: [atRate({ ratios: { [metric]: times } })] }));
    expect(comparison.gate.regressions.map(({ caseKey, metric }) => ({ caseKey, metric }))).toEqual([
      { caseKey: KEY, metric },
    ]);
    expect(comparison.gate.passed).toBe(false);
  });

  it('leave nothing undecided, however much a tail scatters', () => {
    const { gate, cases } = comparisonOf(recordOf({ scatter: 0.8 }));
    const named = [...gate.inconclusive, ...gate.notMeasured].map(({ metric }) => metric);
    expect(named).not.toContain('latency-p90');
    expect(named).not.toContain('latency-p99');
    const { metrics } = cases.find(({ key }) => key === KEY)!;
    expect(metrics['latency-p99']!.verdict).toBeNull();
  });

  it('wait for nothing: a run of which only they are open has nothing more to measure', () => {
    const off = { throughput: {}, 'latency-p50': {}, 'cpu-per-request': {}, 'memory-peak': {} };
    const record = recordOf({ scatter: 0.3, gate: { metrics: { ...DEFAULT_LIMITS, ...off } } });
    expect(decidedSoFar(record, { rounds: 8, final: false }).undecided).toEqual(new Set());
  });

  it('are not held against rounds of too few requests, and nothing is said of it', () => {
    const few = { throughput: 200, 'latency-p90': 0.7 };
    const { 'latency-p99': p99 } = metricsOf({ cases: [atRate({ levels: few, ratios: { 'latency-p99': 20 } })] });
    expect(p99).toMatchObject({ verdict: null, evidence: { note: null } });
  });
});

describe('a limit of p99 that a spec has', () => {
  const written = { metrics: { ...DEFAULT_LIMITS, 'latency-p99': { maxIncrease: { kind: 'ratio', value: 0.5 } } } };

  it('is decided from rounds of 1,000 requests', () => {
    expect(metricsOf({ gate: written as never })['latency-p99']!.verdict).toBe('no-change');
  });

  it('is undecided with fewer, which is said', () => {
    const few = { throughput: 200, 'latency-p90': 0.7 };
    const { 'latency-p99': p99 } = metricsOf({ gate: written as never, cases: [atRate({ levels: few })] });
    expect(p99).toMatchObject({
      verdict: 'inconclusive',
      evidence: { note: '0 of 8 rounds answered 1,000 requests, which this metric needs' },
    });
  });
});

describe('the start of a service', () => {
  const started = (level: number, ratio: number, cases = 2) =>
    comparisonOf(
      recordOf({
        cases: [100, 1000].slice(0, cases).map((connections) => ({
          ...{ connections, levels: { 'start-up': level }, ratios: { 'start-up': ratio } },
        })),
      }),
    );

  it.each([1, 2])('is red of the service, once, where it takes half as long again, of %i cases', (count) => {
    const { gate } = started(800, 1.5, count);
    expect(gate.regressions.map(({ metric }) => metric)).toEqual(['start-up']);
  });

  it('is only shown below half a second, which nobody waits for', () => {
    const comparison = started(200, 2);
    expect(comparison.gate.passed).toBe(true);
    expect(comparison.cases[0]!.metrics['start-up']).toMatchObject({ verdict: null, threshold: null });
  });

  it('leaves nothing undecided where it scatters', () => {
    const record = recordOf({ scatter: 0.5, cases: [{ levels: { 'start-up': 800 } }] });
    expect(comparisonOf(record).gate.inconclusive.map(({ metric }) => metric)).not.toContain('start-up');
  });
});

describe('what each side answers by itself, of another endpoint in each round', () => {
  /** On all CPUs of the service: a pair in turn of one case in each round. */
  function withSolo(ratio: number, rounds = 8) {
    const endpoints = ['home', 'orders', 'users'];
    const record = recordOf({ rounds, cases: endpoints.map((endpoint) => ({ endpoint })) });
    for (const each of record.cases) {
      const own = record.comparing ? each.metrics.throughput!.samples.filter(({ mode }) => mode === 'duet') : [];
      const samples = own
        .filter(({ round }) => (round - 1) % endpoints.length === endpoints.indexOf(each.endpoint))
        .map((sample) => ({
          ...sample,
          mode: 'solo' as const,
          value: sample.value * (each.variant === 'candidate' ? ratio : 1),
        }));
      each.metrics['throughput-solo'] = { value: samples[0]!.value, unit: 'req/s', samples };
    }
    return comparisonOf(record);
  }

  it('is red of the service where the candidate lost one of two workers, though every duet is even', () => {
    const { gate, services } = withSolo(0.5);
    expect(gate.regressions.map(({ caseKey, metric }) => ({ caseKey, metric }))).toEqual([
      { caseKey: 'go/*', metric: 'throughput-solo' },
    ]);
    expect(services[0]!.metrics['throughput-solo']!.change).toBeCloseTo(-0.5, 1);
  });

  it.each([0.98, 1.5])('is no regression at %f times as much', (ratio) => {
    expect(withSolo(ratio).gate.regressions).toEqual([]);
  });
});
