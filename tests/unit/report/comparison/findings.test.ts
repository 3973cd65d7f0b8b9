import { describe, expect, it } from 'vitest';
import { caseCounts, caseFindings, detectable, instancesOf } from '../../../../src/core/report/comparison/findings.ts';
import {
  accepted,
  caseOf,
  comparisonOf,
  costlier,
  cpu,
  entry,
  faster,
  keys,
  madeUp,
  open,
  queries,
  throughput,
} from './made-up.ts';

describe('what a comparison found', () => {
  it('has regressions first, the greatest change under load at the top, improvements last', () => {
    const comparison = comparisonOf([
      caseOf(keys.pingMany, { throughput: faster }),
      caseOf(keys.usersK6, { 'queries-per-request': queries(1, 5) }),
      caseOf(keys.ping, { 'cpu-per-request': { ...costlier, change: 0.04 } }),
      caseOf(keys.users, { 'queries-per-request': queries(1, 2), 'cpu-per-request': costlier }),
    ]);
    expect(
      caseFindings(comparison).map(({ key, kind, findings }) => [key, kind, findings.map(({ metric }) => metric)]),
    ).toEqual([
      [keys.users, 'regression', ['cpu-per-request', 'queries-per-request']],
      [keys.ping, 'regression', ['cpu-per-request']],
      [keys.usersK6, 'regression', ['queries-per-request']],
      [keys.pingMany, 'improvement', ['throughput']],
    ]);
  });

  it('takes as accepted what the gate accepts, a metric or a whole case, and no more', () => {
    const comparison = comparisonOf([
      caseOf(keys.users, { 'queries-per-request': queries(0, 2), 'cpu-per-request': costlier }),
      caseOf(keys.usersK6, { 'cpu-per-request': costlier }),
    ]);
    comparison.gate.regressions = [entry(keys.users, 'cpu-per-request')];
    comparison.gate.accepted = [
      accepted(keys.users, 'queries-per-request', 'one'),
      accepted(keys.usersK6, null, 'two'),
    ];
    const found = caseFindings(comparison).flatMap(({ findings }) => findings);
    expect(found.map(({ metric, kind, reason }) => [metric, kind, reason])).toEqual([
      ['cpu-per-request', 'regression', null],
      ['queries-per-request', 'accepted', 'one'],
      ['cpu-per-request', 'accepted', 'two'],
    ]);
  });

  it('counts cases, not metrics', () => {
    expect(caseCounts(madeUp.regression)).toEqual({
      cases: 3,
      services: { regressed: 0, accepted: 0, improved: 0, undecided: 0 },
      regressed: 1,
      accepted: 0,
      improved: 1,
      invalid: 0,
      undecided: 0,
      new: 0,
      unchanged: 1,
    });
    expect(caseCounts(madeUp.invalid)).toMatchObject({ cases: 3, invalid: 1, unchanged: 2 });
  });

  it('tells the median of what would have been seen, of the metrics that are judged', () => {
    const comparison = comparisonOf([
      caseOf('a/e/direct/wrk/close/1', {
        throughput: throughput({ minimumDetectable: 0.01 }),
        'cpu-per-request': cpu({ verdict: null }),
      }),
      caseOf('b/e/direct/wrk/close/1', { throughput: throughput({ minimumDetectable: 0.05 }) }),
      caseOf('c/e/direct/wrk/close/1', {
        throughput: throughput({ minimumDetectable: 0.02 }),
        'queries-per-request': queries(1, 1),
      }),
    ]);
    expect(detectable(comparison)).toEqual([{ metric: 'throughput', change: 0.02 }]);
  });

  it('tells the fewest and the most instances that a judgement rests on', () => {
    expect(
      instancesOf(comparisonOf([caseOf(keys.ping, { 'cpu-per-request': open, throughput: throughput() })])),
    ).toEqual([5, 14]);
    expect(instancesOf(comparisonOf([caseOf(keys.ping, { 'queries-per-request': queries(1, 2) })]))).toBeNull();
  });
});
