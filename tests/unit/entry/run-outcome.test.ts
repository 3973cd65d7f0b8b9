import { describe, expect, it } from 'vitest';
import { absoluteLimits } from '../../../src/core/comparison/absolute-limits.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { exitStatusOf } from '../../../src/entry/run-outcome.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

/** Cases of 100 and of 1000 connections; those of so many are beyond the service, measured once to find that out. */
function recordWith(beyond: number[]): RunRecord {
  const record = madeUpRecord({ seed: 1, rounds: 10, cases: [{}, { connections: 1000 }] });
  for (const each of record.cases) {
    if (!beyond.includes(each.connections)) continue;
    each.status = 'beyond';
    each.beyond = { answersPerSecond: 40, requestSeconds: each.connections / 40 };
    each.reasons = [{ code: 'beyond-service', message: 'beyond the service: x' }];
  }
  return record;
}

const statusOf = (record: RunRecord) =>
  exitStatusOf(
    {
      record,
      comparison: record.comparing === undefined ? null : comparisonOf(record),
      limits: absoluteLimits(record),
      selection: { quick: false, only: null, shard: null },
    },
    { failOnInconclusive: false },
    new AbortController().signal,
  );

function byItself(record: RunRecord): RunRecord {
  const { comparing: _, ...rest } = record;
  return rest;
}

describe.each([
  ['that compares', (record: RunRecord) => record],
  ['by itself', byItself],
])('the exit status of a run %s', (_, made) => {
  it('is that of the other cases where some are beyond the service', () => {
    expect(statusOf(made(recordWith([1000])))).toBe(0);
  });

  it('says that nothing could be measured where all are', () => {
    expect(statusOf(made(recordWith([100, 1000])))).toBe(4);
  });
});
