import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { storedRun } from '../../support/made-up/stored-runs.ts';

const MANY = keyOf({ connections: 1000 });
const cases: MadeUpCase[] = [{}, { keepAlive: false }, { connections: 1000 }];

const COUNTS = ['queries-per-request', 'rows-per-request', 'bytes-per-response'];

/** The case of 1000 connections is more than these sides answer in time; without figures of load. */
function withBeyond(record: RunRecord, sides: readonly string[], answersPerSecond = 40): RunRecord {
  for (const each of record.cases) {
    if (each.key !== MANY || !sides.includes(each.variant)) continue;
    each.status = 'beyond';
    each.beyond = { answersPerSecond, requestSeconds: 1000 / answersPerSecond };
    each.reasons = [{ code: 'beyond-service', message: 'beyond the service: x' }];
    const counted = Object.entries(each.metrics).filter(([name]) => COUNTS.includes(name));
    each.metrics = Object.fromEntries(counted);
  }
  return record;
}

const record = (changes: Partial<MadeUpCase> = {}) =>
  madeUpRecord({
    seed: 5,
    rounds: 10,
    cases: cases.map((each) => ({ ...each, ...(each.connections === 1000 ? changes : {}) })),
  });

describe('a case that is beyond both sides', () => {
  const { gate, cases: compared } = comparisonOf(withBeyond(record(), ['baseline', 'candidate']));

  it('is listed as such, and fails nothing', () => {
    expect(gate).toMatchObject({
      ...{ passed: true, invalid: [], leftOut: [], notMeasured: [] },
      beyond: [{ caseKey: MANY, metric: null, message: 'beyond the service: x' }],
    });
  });

  it('has its reason without a side, and no verdict of what was not measured', () => {
    expect(compared.find(({ key }) => key === MANY)).toMatchObject({
      presence: 'both',
      reasons: [{ code: 'beyond-service', message: 'beyond the service: x' }],
      metrics: {},
    });
  });

  it('is judged all the same by what was counted without load', () => {
    const counts = (queries: number) => ({
      'queries-per-request': queries,
      'rows-per-request': 1,
      'bytes-per-response': 9,
    });
    const only = madeUpRecord({
      ...{ seed: 5, rounds: 10 },
      cases: [{ endpoint: 'users' }, { connections: 1000, counts: { baseline: counts(1), candidate: counts(2) } }],
    });
    const found = comparisonOf(withBeyond(only, ['baseline', 'candidate'])).gate;
    expect(found).toMatchObject({
      passed: false,
      regressions: [{ caseKey: MANY, metric: 'queries-per-request' }],
      beyond: [{ caseKey: MANY }],
    });
  });
});

describe('a case that is beyond one side alone', () => {
  it('fails where the candidate no longer answers in time what the baseline did', () => {
    const { gate } = comparisonOf(withBeyond(record(), ['candidate']));
    expect(gate).toMatchObject({
      passed: false,
      invalid: [{ caseKey: MANY, metric: null, message: 'candidate: beyond the service: x' }],
      beyond: [],
    });
  });

  it('is set aside where the two are about as fast, as close to the border', () => {
    const reached = record().cases.find(({ key }) => key === MANY)!.metrics.throughput!.value;
    expect(comparisonOf(withBeyond(record(), ['candidate'], reached / 1.4)).gate).toMatchObject({
      passed: true,
      invalid: [],
    });
    expect(comparisonOf(withBeyond(record(), ['candidate'], reached / 1.6)).gate).toMatchObject({
      passed: false,
      beyond: [],
    });
  });

  it('is new where the candidate answers in time what a stored baseline did not', () => {
    const [base, head] = [1, 2].map((day) => storedRun({ day, seed: day })) as [RunRecord, RunRecord];
    const slow = base.cases.find(({ service }) => service === 'go')!;
    Object.assign(slow, {
      status: 'beyond',
      beyond: { answersPerSecond: 40, requestSeconds: 25 },
      reasons: [{ code: 'beyond-service', message: 'beyond the service: x' }],
      metrics: {},
    });
    const { gate, cases: compared } = storedComparison(base, head);
    expect(compared.find(({ key }) => key === slow.key)).toMatchObject({ presence: 'new', reasons: [] });
    expect(gate.invalid).toEqual([]);
    expect(gate.new).toContainEqual({
      caseKey: slow.key,
      metric: null,
      message: 'The baseline does not have this case: it is not compared.',
    });
  });
});
