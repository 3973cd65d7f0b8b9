import { describe, expect, it } from 'vitest';
import { otherConditions } from '../../../src/core/comparison/stored-conditions.ts';
import { conditionsOf } from '../../../src/core/comparison/stored-history.ts';
import { mergedRecord } from '../../../src/core/record/merged-record.ts';
import { storedChanges } from '../../../src/core/report/analysis/stored-changes.ts';
import { EPYC, shardedRecords, shardSet, XEON } from '../../support/made-up/sharded-run.ts';

const MONDAY = '20260302T101500Z-aaaa';
const TUESDAY = '20260303T101500Z-bbbb';
const runOn = (models: [string, string], id: string) => mergedRecord(shardSet(shardedRecords(models, id)));

describe('two runs that were shared out over the same two CPU models', () => {
  // The second has on the Xeon what the first has on the EPYC.
  const [base, head] = [runOn([EPYC, XEON], MONDAY), runOn([XEON, EPYC], TUESDAY)];

  it('are not compared in more than exact counts', () => {
    expect(otherConditions(base, head).map(({ code }) => code)).toEqual(['other-cpu-model']);
    const changes = storedChanges(base, head);
    expect(changes.sameConditions).toBe(false);
    const deciding = changes.conditions.filter(({ differs, decides }) => differs && decides);
    expect(deciding.map(({ what }) => what)).toEqual(['CPU model']);
    const said = changes.cases.flatMap(({ metrics }) => metrics.map(({ says }) => says.kind));
    expect(new Set(said)).toEqual(new Set(['apart']));
  });

  it('are no history of each other', () => {
    expect(conditionsOf(base)).not.toBe(conditionsOf(head));
  });
});

describe('two runs that were shared out over machines of one CPU model', () => {
  it('are compared, and are history of each other', () => {
    const [base, head] = [runOn([EPYC, EPYC], MONDAY), runOn([EPYC, EPYC], TUESDAY)];
    expect(otherConditions(base, head)).toEqual([]);
    expect(conditionsOf(base)).toBe(conditionsOf(head));
  });
});

describe('a run on one of the two', () => {
  it('is not compared with one on both', () => {
    const [one, both] = [runOn([EPYC, EPYC], MONDAY), runOn([EPYC, XEON], TUESDAY)];
    expect(otherConditions(one, both).map(({ code }) => code)).toEqual(['other-cpu-model']);
    expect(conditionsOf(one)).not.toBe(conditionsOf(both));
  });
});
