import { describe, expect, it } from 'vitest';
import { type ComparedMetric, hypothesisId } from '../../../src/core/comparison/compared-metric.ts';
import { comparedMetricsOf } from '../../../src/core/comparison/compared-metrics.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { GateRules, MetricLimit } from '../../../src/core/config/resolved.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

const CONNECTIONS = [100, 200, 400, 800];
/** Four cases of wrk. */
const wrk = (endpoint: string, given: MadeUpCase = {}): MadeUpCase[] =>
  CONNECTIONS.map((connections) => ({ endpoint, connections, ...given }));
const k6 = (endpoint: string, given: MadeUpCase = {}): MadeUpCase => ({ endpoint, generator: 'k6', ...given });

const ratio = (value: number) => ({ kind: 'ratio' as const, value });
const absolute = (value: number) => ({ kind: 'absolute' as const, value });

const recordOf = (made: Partial<MadeUpRecord>) =>
  madeUpRecord({ seed: 5, rounds: 8, cases: [...wrk('ping'), k6('ping')], ...made }) as RunRecord & {
    comparing: Comparing;
  };
const comparedMetrics = (made: Partial<MadeUpRecord> = {}) => comparedMetricsOf(recordOf(made));
const unitsOf = (all: readonly ComparedMetric[], metric: string) =>
  all.filter((each) => each.metric.name === metric && each.case.key.includes('*'));
const keysOf = (all: readonly ComparedMetric[], metric: string) => unitsOf(all, metric).map((each) => each.case.key);
const find = (all: readonly ComparedMetric[], id: string) => all.find((each) => hypothesisId(each) === id)!;

const own = (metrics: Record<string, MetricLimit>, cases: GateRules['cases'] = {}) => ({ metrics, cases });

describe('an endpoint of four cases of wrk and one of k6', () => {
  const all = comparedMetrics();

  it('is judged for throughput over those of wrk, and for CPU over all of them', () => {
    expect(find(all, 'go/ping/* throughput').caseKeys).toEqual(
      CONNECTIONS.map((connections) => keyOf({ connections })),
    );
    expect(find(all, 'go/ping/* cpu-per-request').caseKeys).toHaveLength(5);
    expect(find(all, 'go/ping/* cpu-per-request')).toMatchObject({ level: 'endpoint', judgedBy: null });
    expect(keysOf(all, 'throughput')).toEqual(['go/ping/*']);
  });

  it('leaves its cases to be red by themselves', () => {
    expect(find(all, `${keyOf({})} throughput`)).toMatchObject({ level: 'case', judgedBy: 'go/ping/*' });
  });

  it('is judged for latency on its only case of k6', () => {
    expect(keysOf(all, 'latency-p50')).toEqual([]);
    expect(find(all, `${keyOf({ generator: 'k6' })} latency-p50`)).toMatchObject({ level: 'endpoint', judgedBy: null });
  });

  it('is one group of cases, each with its own weight', () => {
    const wide = comparedMetrics({ cases: [...wrk('ping'), { connections: 20_000 }] });
    const { groups } = find(wide, 'go/ping/* throughput').ratios!;
    expect(groups).toHaveLength(1);
    const weights = groups[0]!.map(({ weight }) => weight);
    expect(weights).toHaveLength(5);
    expect(weights[4]).toBeCloseTo((100 / 20_000) ** 0.2, 12);
    expect(Math.min(...weights.slice(0, 4))).toBeGreaterThan(0.6);
  });

  it('names itself, its service and its path, which acceptances are held against', () => {
    expect(find(all, 'go/ping/* throughput').case.names).toEqual(['go/ping/*', 'go', '/ping']);
  });

  it('is none where it has one case', () => {
    const single = comparedMetrics({ cases: [{}] });
    expect(single.filter(({ case: { key } }) => key.includes('*'))).toEqual([]);
    expect(single.find(({ metric }) => metric.name === 'throughput')).toMatchObject({ level: 'endpoint' });
  });
});

describe('a service', () => {
  it('is made of endpoints, each a group with the same say, whatever cases they have', () => {
    const all = comparedMetrics({ cases: [...wrk('ping'), k6('ping'), { endpoint: 'db-users' }] });
    const { groups } = find(all, 'go/* throughput').ratios!;
    expect(groups.map((group) => group.length)).toEqual([4, 1]);
    expect(find(all, 'go/* throughput').caseKeys).toHaveLength(5);
    expect(find(all, 'go/* cpu-per-request').ratios!.groups.map((group) => group.length)).toEqual([5, 1]);
    expect(find(all, 'go/* throughput').case).toMatchObject({ endpoint: '*', names: ['go/*', 'go'] });
    // The only case of its endpoint is judged as the endpoint, and is in the service as well.
    expect(find(all, `${keyOf({ endpoint: 'db-users' })} throughput`)).toMatchObject({
      level: 'endpoint',
      judgedBy: null,
    });
  });

  it('is none where it has one endpoint, but for what is of its process', () => {
    const all = comparedMetrics();
    expect(keysOf(all, 'cpu-per-request')).toEqual(['go/ping/*']);
    expect(keysOf(all, 'memory-peak')).toEqual(['go/*']);
  });
});

describe('cases with limits of their own', () => {
  it('are judged by themselves where one has another limit than the others', () => {
    const gate = own(
      { throughput: { maxDecrease: ratio(0.05) } },
      { '*/800': { throughput: { maxDecrease: ratio(0.2) } } },
    );
    const all = comparedMetrics({ gate, cases: wrk('ping') });
    expect(keysOf(all, 'throughput')).toEqual(['go/ping/*@5%']);
    expect(find(all, 'go/ping/*@5% throughput').caseKeys).not.toContain(keyOf({ connections: 800 }));
    expect(find(all, `${keyOf({ connections: 800 })} throughput`)).toMatchObject({ level: 'endpoint', judgedBy: null });
  });

  it('are judged in groups where several have the same one', () => {
    const gate = own(
      { throughput: { maxDecrease: ratio(0.05) } },
      { '*/?00': {}, '*/4*': { throughput: { maxDecrease: ratio(0.2) } } },
    );
    const all = comparedMetrics({ gate, cases: [...wrk('ping'), { connections: 450 }] });
    expect(keysOf(all, 'throughput')).toEqual(['go/ping/*@5%', 'go/ping/*@20%']);
  });

  it.each([
    ['switched off', {}],
    ['limited by its level alone', { min: 10 }],
  ])('are left out where they are %s, and the others are judged as all', (_, limit) => {
    const gate = own({ throughput: { maxDecrease: ratio(0.05) } }, { '*/800': { throughput: limit } });
    const all = comparedMetrics({ gate, cases: wrk('ping') });
    expect(keysOf(all, 'throughput')).toEqual(['go/ping/*']);
    expect(find(all, 'go/ping/* throughput').caseKeys).toHaveLength(3);
    expect(find(all, `${keyOf({ connections: 800 })} throughput`)).toMatchObject({ judgedBy: null, threshold: null });
  });

  it('are none together where all are limited by their level alone', () => {
    expect(keysOf(comparedMetrics({ gate: own({ throughput: { min: 10 } }) }), 'throughput')).toEqual([]);
  });

  it('that break a limit of their level say so themselves, and their endpoint does not say it again', () => {
    const gate = own({ throughput: { maxDecrease: ratio(0.05), min: 1e6 } });
    const { gate: result } = comparisonOf(recordOf({ gate, cases: wrk('ping') }));
    expect(result.regressions.map(({ caseKey }) => caseKey)).toEqual(
      CONNECTIONS.map((connections) => keyOf({ connections })),
    );
  });
});

describe('a member that cannot be judged', () => {
  it('is not among those that are judged together where it is invalid', () => {
    const [first, ...others] = wrk('ping');
    const cases = [{ ...first, invalid: { candidate: 'x' } }, ...others];
    const all = comparedMetrics({ cases });
    expect(find(all, 'go/ping/* throughput').caseKeys).toHaveLength(3);
    expect(find(all, `${keyOf(first!)} throughput`)).toMatchObject({ judgedBy: null });
    const comparison = comparisonOf(recordOf({ cases }));
    expect(comparison.endpoints[0]!.reasons).toEqual([]);
    expect(comparison.gate.invalid.map(({ caseKey }) => caseKey)).toEqual([keyOf(first!)]);
  });

  it('leaves the last one to be judged by itself', () => {
    const cases: MadeUpCase[] = [{}, { connections: 800, invalid: { baseline: 'x' } }];
    const all = comparedMetrics({ cases });
    expect(keysOf(all, 'throughput')).toEqual([]);
    expect(find(all, `${keyOf({})} throughput`)).toMatchObject({ level: 'endpoint', judgedBy: null });
  });

  it.each([
    ['candidate', 'invalid'],
    ['baseline', 'new'],
  ] as const)('because its %s lacks the metric is %s by itself', (side, verdict) => {
    const [first, ...others] = wrk('ping');
    const cases = [{ ...first, lacking: { [side]: ['throughput'] } }, ...others];
    expect(find(comparedMetrics({ cases }), 'go/ping/* throughput').caseKeys).toHaveLength(3);
    const comparison = comparisonOf(recordOf({ cases }));
    expect(comparison.cases[0]!.metrics.throughput!.verdict).toBe(verdict);
    expect(comparison.endpoints[0]!.metrics.throughput!.verdict).toBe('no-change');
  });
});

describe('a limit that is not a percentage', () => {
  const gate = own({ throughput: { maxDecrease: absolute(500) } });

  it('is the mean of what it is of each case, each by its own level', () => {
    const cases = [{ levels: { throughput: 20_000 } }, { connections: 200, levels: { throughput: 2_000 } }];
    const all = comparedMetrics({ gate, drift: 0, scatter: 0, cases });
    const { threshold } = find(all, 'go/ping/* throughput').ratios!;
    const weights = find(all, 'go/ping/* throughput').ratios!.groups[0]!.map(({ weight }) => weight);
    const [one, other] = [-Math.log1p(-500 / 20_000), -Math.log1p(-500 / 2_000)];
    expect(threshold).toBeCloseTo((weights[0]! * one + weights[1]! * other) / (weights[0]! + weights[1]!), 9);
  });

  it('that every endpoint keeps is kept by the service', () => {
    // 400 of 40,000 and 400 of 2,000 requests per second fewer: 11 % on average, and of 21,000 the limit were 2 %.
    const cases: MadeUpCase[] = [
      { levels: { throughput: 40_000 }, ratios: { throughput: 0.99 } },
      { endpoint: 'db-users', levels: { throughput: 2_000 }, ratios: { throughput: 0.8 } },
    ];
    const { services, gate: result } = comparisonOf(recordOf({ gate, scatter: 0.002, rounds: 12, cases }));
    expect(services[0]!.metrics.throughput!.verdict).not.toBe('regression');
    expect(result.regressions).toEqual([]);
  });
});

describe('memory of a service', () => {
  const gate = own({ 'memory-peak': { maxIncrease: ratio(0.1) } });
  const memory = (made: Partial<MadeUpRecord>) => comparisonOf(recordOf({ gate, scatter: 0.01, ...made }));

  it('is the lowest quarter of the peaks of each side, in each round', () => {
    const levels = [10, 20, 30, 40, 50, 60, 70, 80];
    const cases = levels.map((level, index) => ({
      connections: index + 1,
      levels: { 'memory-peak': level },
      ratios: { 'memory-peak': level <= 20 ? 1.5 : 1 },
    }));
    const all = comparedMetrics({ gate, scatter: 0, drift: 0, cases });
    const [series] = find(all, 'go/* memory-peak').ratios!.groups.flat();
    // Of 10 … 80 the mean of 10 and 20, of 15, 30, 30, 40 … that of 15 and 30.
    expect(series!.values).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8].map((round) => ({ round, value: expect.closeTo(Math.log(22.5 / 15), 9) })),
    );
  });

  it('is judged for the service and for no endpoint', () => {
    const cases = [...wrk('ping'), ...wrk('db-users')];
    expect(keysOf(comparedMetrics({ gate, cases }), 'memory-peak')).toEqual(['go/*']);
  });

  it('does not hide a case that takes more than twice as much', () => {
    const cases = wrk('ping').map((each) => ({
      ...each,
      ratios: each.connections === 800 ? { 'memory-peak': 2.5 } : {},
    }));
    const { services, gate: result } = memory({ cases, rounds: 12 });
    expect(services[0]!.metrics['memory-peak']!.verdict).toBe('no-change');
    expect(result.regressions.map(({ caseKey }) => caseKey)).toEqual([keyOf({ connections: 800 })]);
  });

  it('is a regression where the process takes more in every case', () => {
    const cases = wrk('ping', { ratios: { 'memory-peak': 1.3 } });
    const { services, gate: result } = memory({ cases });
    expect(services[0]).toMatchObject({ key: 'go/*', endpoint: '*' });
    expect(services[0]!.metrics['memory-peak']!.verdict).toBe('regression');
    expect(result.regressions).toContainEqual(expect.objectContaining({ caseKey: 'go/*', metric: 'memory-peak' }));
  });

  it('leaves out a round that holds fewer than half of the cases, however many pairs they have in it', () => {
    const record = recordOf({ gate, rounds: 12, cases: wrk('ping') });
    for (const { key, metrics } of record.cases) {
      if (key === keyOf({})) continue;
      metrics['memory-peak']!.samples = metrics['memory-peak']!.samples.filter(({ round }) => round <= 9);
    }
    // One case of four has two pairs in each of the last three rounds.
    expect(find(comparedMetricsOf(record), 'go/* memory-peak').ratios!.groups[0]![0]!.values).toHaveLength(9);
  });

  it('takes a limit in bytes for a share of what the process keeps', () => {
    const cases = [100, 200, 300, 400].map((level, index) => ({
      connections: index + 1,
      levels: { 'memory-peak': level },
    }));
    const inBytes = own({ 'memory-peak': { maxIncrease: absolute(20) } });
    const all = comparedMetrics({ gate: inBytes, scatter: 0, drift: 0, cases });
    expect(find(all, 'go/* memory-peak').ratios!.threshold).toBeCloseTo(Math.log1p(20 / 100), 9);
  });
});

describe('exact counts', () => {
  const counts = (was: number, is: number): MadeUpCase => ({
    counts: { baseline: { 'queries-per-request': was }, candidate: { 'queries-per-request': is } },
  });
  const queries = { 'queries-per-request': { maxIncrease: absolute(0) } };

  it('are told once, of the endpoint', () => {
    const comparison = comparisonOf(recordOf({ gate: own(queries), cases: wrk('ping', counts(1, 2)) }));
    expect(comparison.gate.regressions).toEqual([
      { caseKey: 'go/ping/*', metric: 'queries-per-request', message: 'Queries per request: +1, 1 → 2; limit +0' },
    ]);
    expect(comparison.cases.map(({ metrics }) => metrics['queries-per-request']!.verdict)).toEqual(
      new Array(4).fill(null),
    );
    expect(comparison.services).toEqual([]);
  });

  it('are those of the case that rose most', () => {
    const cases = [{ ...counts(1, 1) }, { connections: 200, ...counts(1, 3) }, { connections: 400, ...counts(1, 2) }];
    const { endpoints } = comparisonOf(recordOf({ gate: own(queries), cases }));
    expect(endpoints[0]!.metrics['queries-per-request']).toMatchObject({ candidate: 3, verdict: 'regression' });
  });

  it('that fell although they may not are not hidden by one that did not', () => {
    const limits = { 'queries-per-request': { maxIncrease: absolute(5), maxDecrease: absolute(0) } };
    const cases = [{ ...counts(3, 3) }, { connections: 200, ...counts(3, 2) }];
    const { gate } = comparisonOf(recordOf({ gate: own(limits), cases }));
    expect(gate.regressions.map(({ caseKey, message }) => [caseKey, message])).toEqual([
      ['go/ping/*', 'Queries per request: -1, 3 → 2; limit -0'],
    ]);
  });

  it('are held to the limit of their own case where those of a fall differ', () => {
    const limits = { 'queries-per-request': { maxIncrease: absolute(0), maxDecrease: absolute(2) } };
    const tight = { '*/200': { 'queries-per-request': { maxIncrease: absolute(0), maxDecrease: absolute(0) } } };
    const cases = [{ ...counts(3, 1) }, { connections: 200, ...counts(3, 2) }];
    const { gate } = comparisonOf(recordOf({ gate: own(limits, tight), cases }));
    expect(gate.regressions.map(({ message }) => message)).toEqual(['Queries per request: -1, 3 → 2; limit -0']);
  });

  it('are held to a limit of their level in each case', () => {
    const limits = { 'queries-per-request': { maxIncrease: absolute(0), max: 5 } };
    const loose = { '*/200': { 'queries-per-request': { maxIncrease: absolute(0), max: 10 } } };
    const cases = [{ ...counts(4, 4) }, { connections: 200, ...counts(8, 8) }];
    const { gate } = comparisonOf(recordOf({ gate: own(limits, loose), cases }));
    expect(gate.regressions).toEqual([]);
    const broken = comparisonOf(recordOf({ gate: own(limits), cases })).gate.regressions;
    expect(broken.map(({ caseKey }) => caseKey)).toEqual([keyOf({ connections: 200 })]);
  });
});

describe('what is said of an endpoint', () => {
  it('is decided there, while its cases hold up nothing', () => {
    const { cases, endpoints, gate } = comparisonOf(recordOf({ rounds: 12, scatter: 0.06, cases: wrk('ping') }));
    expect(endpoints.map(({ key, endpoint }) => [key, endpoint])).toEqual([['go/ping/*', 'ping']]);
    expect(endpoints[0]!.metrics['cpu-per-request']!.verdict).toBe('no-change');
    const verdicts = cases.map(({ metrics }) => metrics['cpu-per-request']!.verdict);
    expect(verdicts).toContain(null);
    expect(verdicts).not.toContain('inconclusive');
    expect(gate).toMatchObject({ passed: true, inconclusive: [] });
  });

  it('is red for a change that no case shows by itself', () => {
    const ratios = { 'cpu-per-request': 1.08, throughput: 1 / 1.08 };
    const { cases, endpoints } = comparisonOf(recordOf({ rounds: 16, scatter: 0.07, cases: wrk('ping', { ratios }) }));
    expect(endpoints[0]!.metrics['cpu-per-request']!.verdict).toBe('regression');
    expect(endpoints[0]!.explanation).not.toBeNull();
    expect(cases.map(({ metrics }) => metrics['cpu-per-request']!.verdict)).toEqual(new Array(4).fill(null));
  });
});
