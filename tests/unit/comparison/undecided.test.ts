import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { needsAlonePairs, questionsOf, undecidedCases } from '../../../src/core/comparison/undecided.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { keyOf } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

const wrkCase = 'go/ping/direct/wrk/keep-alive/100';
const k6Case = keyOf({ generator: 'k6' });

const recordOf = (made: Partial<MadeUpRecord>) =>
  madeUpRecord({ seed: 5, cases: [{}], ...made }) as RunRecord & { comparing: Comparing };

const undecided = (made: Partial<MadeUpRecord> & { instances: number }) => [
  ...undecidedCases(recordOf(made), { instances: made.instances, final: false }),
];

describe('the questions of a comparing run', () => {
  it('are one for each metric that is gated by a ratio, turned so that up is worse', () => {
    const cases = [{ ratios: { throughput: 0.9 } }, { generator: 'k6' as const }];
    const counts = { baseline: { 'queries-per-request': 0 }, candidate: { 'queries-per-request': 0 } };
    const questions = questionsOf(recordOf({ instances: 2, cases: cases.map((each) => ({ ...each, counts })) }));
    expect(questions.map(({ id, group }) => [id, group])).toEqual([
      [`${wrkCase} throughput`, 'throughput wrk duet'],
      [`${wrkCase} cpu-per-request`, 'cpu-per-request wrk duet'],
      [`${wrkCase} memory-peak`, 'memory-peak wrk duet'],
      [`${k6Case} latency-p50`, 'latency-p50 k6 duet'],
      [`${k6Case} memory-peak`, 'memory-peak k6 duet'],
      ['go/* memory-peak', 'memory-peak go/*'],
    ]);
    expect(questions[0]!.threshold).toBeCloseTo(-Math.log(0.95), 12);
    expect(questions[0]!.logRatios.map(({ instance }) => instance)).toEqual([1, 2]);
    for (const { value } of questions[0]!.logRatios) expect(value).toBeCloseTo(-Math.log(0.9), 1);
  });

  it('are none of an invalid case, and none that is switched off', () => {
    expect(questionsOf(recordOf({ cases: [{ invalid: { candidate: 'x' } }] }))).toEqual([]);
    expect(questionsOf(recordOf({ gate: { metrics: { throughput: {} } } }))).toEqual([]);
  });
});

describe('the instance of the published figures', () => {
  it.each(['duet', 'interleaved'] as const)(
    'compares nothing, %s: what was loaded for minutes is another program than what has just started',
    (mode) => {
      const questions = questionsOf(recordOf({ instances: 6, mode }));
      expect(questions).toHaveLength(3);
      for (const { logRatios } of questions)
        expect(logRatios.map(({ instance }) => instance)).toEqual([1, 2, 3, 4, 5, 6]);
    },
  );

  it('is no instance of slices in turn either, where the sides of duets do not compete', () => {
    const record = recordOf({ instances: 6, cases: [{ busyShare: 0.6 }] });
    expect(questionsOf(record).map(({ id }) => id)).toEqual([`${wrkCase} cpu-per-request`, `${wrkCase} memory-peak`]);
    expect([...undecidedCases(record, { instances: 6, final: false })]).toEqual([wrkCase]);
  });
});

describe('the cases that another instance may decide', () => {
  it('are all before the first look', () => {
    expect(undecided({ instances: 3, cases: [{}, { generator: 'k6' }] })).toEqual([wrkCase, k6Case]);
  });

  it('are those with a metric that is still open', () => {
    const noisy = { connections: 1000, ratios: { 'cpu-per-request': 1.03 } };
    expect(undecided({ instances: 10, cases: [{}, noisy] })).toEqual([keyOf(noisy)]);
  });

  it('are none where all is decided, and then the comparison is decided as well', () => {
    const made = { instances: 10, cases: [{}, { ratios: { 'cpu-per-request': 1.1, throughput: 0.85 } }] };
    expect(undecided(made)).toEqual([]);
    expect(comparisonOf(recordOf(made)).gate.inconclusive).toEqual([]);
  });

  it('are none that more of the same cannot mend', () => {
    const p99 = { metrics: { 'latency-p99': { maxIncrease: { kind: 'ratio' as const, value: 0.1 } } } };
    const counts = {
      baseline: { 'queries-per-request': [1, 1.5, 1] },
      candidate: { 'queries-per-request': [1, 1.25, 1] },
    };
    const queries = { metrics: { 'queries-per-request': { maxIncrease: { kind: 'absolute' as const, value: 0 } } } };
    expect(undecided({ instances: 1, cases: [{ invalid: { baseline: 'x' } }] })).toEqual([]);
    expect(undecided({ instances: 1, cases: [{ only: 'candidate' }, { service: 'rust', only: 'baseline' }] })).toEqual(
      [],
    );
    expect(undecided({ instances: 1, gate: p99, cases: [{ generator: 'k6', levels: { throughput: 900 } }] })).toEqual(
      [],
    );
    expect(undecided({ instances: 3, gate: queries, cases: [{ counts }] })).toEqual([]);
  });

  it('are those in which nothing is paired yet', () => {
    const record = recordOf({ instances: 1 });
    for (const { metrics } of record.cases) {
      for (const metric of Object.values(metrics))
        metric.samples = metric.samples.filter(({ mode }) => mode === 'alone');
    }
    expect([...undecidedCases(record, { instances: 1, final: false })]).toEqual([wrkCase]);
  });
});

describe('the cases that need pairs of slices alone', () => {
  const needing = (made: Partial<MadeUpRecord>) => [...needsAlonePairs(recordOf(made))];

  it('are those of wrk whose sides do not compete for the CPU', () => {
    const waiting = { connections: 1000, busyShare: 0.6 };
    expect(needing({ cases: [{}, waiting, { generator: 'k6', busyShare: 0.6 }] })).toEqual([keyOf(waiting)]);
  });

  it('are none where throughput is not judged, and none where all slices are alone', () => {
    expect(needing({ cases: [{ busyShare: 0.6 }], gate: { metrics: { throughput: {} } } })).toEqual([]);
    expect(needing({ cases: [{}], mode: 'interleaved' })).toEqual([]);
  });
});
