import { describe, expect, it } from 'vitest';
import { comparedMetricsOf } from '../../../src/core/comparison/compared-metrics.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { Hypothesis } from '../../../src/core/comparison/hypothesis.ts';
import { decidedSoFar, gateHypotheses, needsSoloPairs } from '../../../src/core/comparison/undecided.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { keyOf } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

const wrkCase = 'go/ping/direct/wrk/keep-alive/100';
const k6Case = keyOf({ generator: 'k6' });

const recordOf = (made: Partial<MadeUpRecord>) =>
  madeUpRecord({ seed: 5, cases: [{}], ...made }) as RunRecord & { comparing: Comparing };

const hypothesesOf = (record: ReturnType<typeof recordOf>) => gateHypotheses(comparedMetricsOf(record));

const limit = { maxIncrease: { kind: 'ratio' as const, value: 0.03 } };

const undecided = (made: Partial<MadeUpRecord> & { rounds: number }) => [
  ...decidedSoFar(recordOf(made), { rounds: made.rounds, final: false }).undecided,
];

const valuesOf = ({ groups }: Hypothesis) => groups.flat().flatMap(({ values }) => values);

describe('the hypotheses of a comparing run', () => {
  it('are one for each metric that is gated by a ratio, turned so that up is worse', () => {
    const cases = [{ ratios: { throughput: 0.9 } }, { generator: 'k6' as const }];
    const counts = { baseline: { 'queries-per-request': 0 }, candidate: { 'queries-per-request': 0 } };
    const hypotheses = hypothesesOf(recordOf({ rounds: 2, cases: cases.map((each) => ({ ...each, counts })) }));
    expect(hypotheses.map(({ id, level }) => [id, level])).toEqual([
      [`${wrkCase} throughput`, 'endpoint'],
      [`${wrkCase} cpu-per-request`, 'case'],
      [`${wrkCase} memory-peak`, 'case'],
      [`${k6Case} latency-p50`, 'endpoint'],
      [`${k6Case} latency-p99`, 'case'],
      [`${k6Case} cpu-per-request`, 'case'],
      [`${k6Case} memory-peak`, 'case'],
      ['go/ping/* cpu-per-request', 'endpoint'],
      ['go/* memory-peak', 'service'],
    ]);
    expect(hypotheses[0]!.threshold).toBeCloseTo(-Math.log(0.95), 12);
    expect(valuesOf(hypotheses[0]!).map(({ round }) => round)).toEqual([1, 2]);
    for (const { value } of valuesOf(hypotheses[0]!)) expect(value).toBeCloseTo(-Math.log(0.9), 1);
  });

  it('pay once for throughput and CPU of the same duets', () => {
    const [throughput, cpu, memory] = hypothesesOf(recordOf({ rounds: 2 }));
    expect([throughput, cpu, memory]).toMatchObject([
      { share: 0.5, after: `${wrkCase} cpu-per-request` },
      { share: 0.5, after: null },
      { share: 0.5, after: null },
    ]);
  });

  it('pay for both where they are not of the same trials', () => {
    const inTurn = hypothesesOf(recordOf({ rounds: 2, mode: 'interleaved' }));
    expect(inTurn.map(({ share, after }) => [share, after])).toEqual([
      [1 / 3, null],
      [1 / 3, null],
      [1 / 3, null],
    ]);
  });

  it('are none of an invalid case, and none that is switched off', () => {
    expect(hypothesesOf(recordOf({ cases: [{ invalid: { candidate: 'x' } }] }))).toEqual([]);
    expect(hypothesesOf(recordOf({ gate: { metrics: { throughput: {} } } }))).toEqual([]);
  });
});

describe('the round of the published figures', () => {
  it.each(['duet', 'interleaved'] as const)(
    'compares nothing, %s: what was loaded for minutes is another program than what has just started',
    (mode) => {
      const hypotheses = hypothesesOf(recordOf({ rounds: 6, mode }));
      expect(hypotheses).toHaveLength(3);
      for (const each of hypotheses) expect(valuesOf(each).map(({ round }) => round)).toEqual([1, 2, 3, 4, 5, 6]);
    },
  );

  it('is no round of trials in turn either, where the sides of duets do not compete', () => {
    const record = recordOf({ rounds: 6, cases: [{ busyShare: 0.6 }] });
    expect(hypothesesOf(record).map(({ id }) => id)).toEqual([`${wrkCase} cpu-per-request`, `${wrkCase} memory-peak`]);
    expect([...decidedSoFar(record, { rounds: 6, final: false }).undecided]).toEqual([wrkCase]);
  });
});

describe('the cases that another round may decide', () => {
  it('are all before the first look', () => {
    expect(undecided({ rounds: 3, cases: [{}, { generator: 'k6' }] })).toEqual([wrkCase, k6Case]);
  });

  it('are those with a metric that is still open', () => {
    const noisy = { endpoint: 'health', ratios: { 'cpu-per-request': 1.03 } };
    expect(undecided({ rounds: 10, cases: [{}, noisy] })).toEqual([keyOf(noisy)]);
  });

  it('are none where all is decided, and then the comparison is decided as well', () => {
    const made = { rounds: 10, cases: [{}, { ratios: { 'cpu-per-request': 1.1, throughput: 0.85 } }] };
    expect(undecided(made)).toEqual([]);
    expect(comparisonOf(recordOf(made)).gate.inconclusive).toEqual([]);
  });

  it('are all of an endpoint that is open, and none of one whose cases alone are open', () => {
    const four = (endpoint: string, cpu: number) =>
      [100, 200, 400, 800].map((connections) => ({ endpoint, connections, ratios: { 'cpu-per-request': cpu } }));
    const made = { rounds: 12, scatter: 0.05, gate: { metrics: { 'cpu-per-request': limit } } };
    expect(undecided({ ...made, cases: four('ping', 1.04) })).toEqual(four('ping', 1).map(keyOf));
    expect(undecided({ ...made, scatter: 0.03, cases: four('ping', 1) })).toEqual([]);
  });

  it('are a case that looks like a regression by itself, and no longer where it is called one or its endpoint is', () => {
    const many = (cpu: (index: number) => number) =>
      Array.from({ length: 16 }, (_, index) => ({
        connections: 10 + index,
        ratios: { 'cpu-per-request': cpu(index) },
      }));
    const made = { rounds: 10, scatter: 0.03, gate: { metrics: { 'cpu-per-request': limit } } };
    const [one] = many((index) => (index === 0 ? 1.07 : 1));
    const alone = (cpu: number) => ({ ...made, cases: many((index) => (index === 0 ? cpu : 1)) });
    const verdicts = (record: Partial<MadeUpRecord>) =>
      comparisonOf(recordOf(record)).cases.map(({ metrics }) => metrics['cpu-per-request']!.verdict);
    expect(undecided(alone(1))).toEqual([]);
    expect(undecided(alone(1.07))).toEqual([keyOf(one!)]);
    expect(verdicts(alone(1.2))[0]).toBe('regression');
    expect(undecided(alone(1.2))).toEqual([]);
    expect(undecided({ ...made, cases: many(() => 1.08) })).toEqual([]);
  });

  it('are none for the sake of a service of which an endpoint is red already', () => {
    const made = (ping: number) => ({
      rounds: 8,
      scatter: 0.004,
      gate: { metrics: { 'cpu-per-request': limit } },
      cases: [{ ratios: { 'cpu-per-request': 1.063 } }, { endpoint: 'health', ratios: { 'cpu-per-request': ping } }],
    });
    const record = recordOf(made(1));
    const { services, cases } = comparisonOf(record);
    expect(cases.map(({ metrics }) => metrics['cpu-per-request']!.verdict)).toEqual(['regression', 'no-change']);
    expect(services[0]!.metrics['cpu-per-request']!.verdict).toBeNull();
    expect(undecided(made(1))).toEqual([]);
    // With both endpoints decided and none of them red, the service is waited for.
    const open = {
      ...made(1),
      scatter: 0.03,
      cases: made(1).cases.map((each) => ({ ...each, ratios: { 'cpu-per-request': 1.03 } })),
    };
    expect(undecided(open)).toEqual([keyOf({}), keyOf({ endpoint: 'health' })]);
  });

  it('are none that more of the same cannot mend', () => {
    const p99 = { metrics: { 'latency-p99': { maxIncrease: { kind: 'ratio' as const, value: 0.1 } } } };
    expect(undecided({ rounds: 1, cases: [{ invalid: { baseline: 'x' } }] })).toEqual([]);
    expect(undecided({ rounds: 1, cases: [{ only: 'candidate' }, { service: 'rust', only: 'baseline' }] })).toEqual([]);
    expect(undecided({ rounds: 1, gate: p99, cases: [{ generator: 'k6', levels: { throughput: 90 } }] })).toEqual([]);
  });

  it('are those with a count that varies by itself, whose endpoints are counted again', () => {
    const counts = {
      baseline: { 'queries-per-request': [1, 1.5, 1] },
      candidate: { 'queries-per-request': [1, 1.25, 1] },
    };
    const queries = { metrics: { 'queries-per-request': { maxIncrease: { kind: 'absolute' as const, value: 0 } } } };
    const cases = [{ counts }, { endpoint: 'health', counts: { baseline: {}, candidate: {} } }];
    const soFar = decidedSoFar(recordOf({ rounds: 3, gate: queries, cases }), { rounds: 3, final: false });
    expect(soFar).toMatchObject({ undecided: new Set([wrkCase]), recounted: new Set([wrkCase]) });
  });

  it('are those in which nothing is paired yet', () => {
    const record = recordOf({ rounds: 1 });
    for (const { metrics } of record.cases) {
      for (const metric of Object.values(metrics))
        metric.samples = metric.samples.filter(({ mode }) => mode === 'solo');
    }
    expect([...decidedSoFar(record, { rounds: 1, final: false }).undecided]).toEqual([wrkCase]);
  });
});

describe('a regression that is accepted beforehand', () => {
  const limits = { metrics: { 'cpu-per-request': limit } };
  /** An endpoint that is red at its first look, and one that is still open there. */
  const cases = [{ ratios: { 'cpu-per-request': 1.3 } }, { endpoint: 'health', ratios: { 'cpu-per-request': 1.03 } }];
  const soFar = (accepted: Comparing['accepted']) =>
    decidedSoFar(recordOf({ rounds: 8, scatter: 0.03, gate: limits, cases, comparing: { accepted } }), {
      rounds: 8,
      final: false,
    });
  const accept = (cases: string) => ({ cases, metric: null, reason: 'roles' });

  it('is no reason to end, and leaves the other endpoint open', () => {
    expect(soFar([])).toMatchObject({ isRed: true });
    expect(soFar([accept('/ping')])).toEqual({
      undecided: new Set([keyOf({ endpoint: 'health' })]),
      recounted: new Set(),
      isRed: false,
      seesTwiceEachLimit: false,
    });
  });

  it('of another endpoint leaves this one red', () => {
    expect(soFar([accept('/health')]).isRed).toBe(true);
  });

  it('is the same for an exact count', () => {
    const counts = { baseline: { 'queries-per-request': 1 }, candidate: { 'queries-per-request': 2 } };
    const queries = { metrics: { 'queries-per-request': { maxIncrease: { kind: 'absolute' as const, value: 0 } } } };
    const isRed = (accepted: Comparing['accepted']) =>
      decidedSoFar(recordOf({ rounds: 8, gate: queries, cases: [{ counts }], comparing: { accepted } }), {
        rounds: 8,
        final: false,
      }).isRed;
    expect([isRed([]), isRed([accept('/ping')]), isRed([accept('/health')])]).toEqual([true, false, true]);
  });
});

describe('the cases that need pairs of trials alone', () => {
  const needing = (made: Partial<MadeUpRecord>) => [...needsSoloPairs(recordOf(made))];

  it('are those of wrk whose sides do not compete for the CPU', () => {
    const waiting = { connections: 1000, busyShare: 0.6 };
    expect(needing({ cases: [{}, waiting, { generator: 'k6', busyShare: 0.6 }] })).toEqual([keyOf(waiting)]);
  });

  it('are none where throughput is not judged, and none where all trials are alone', () => {
    expect(needing({ cases: [{ busyShare: 0.6 }], gate: { metrics: { throughput: {} } } })).toEqual([]);
    expect(needing({ cases: [{}], mode: 'interleaved' })).toEqual([]);
  });
});
