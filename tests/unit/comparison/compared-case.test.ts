import { describe, expect, it } from 'vitest';
import { comparedCases } from '../../../src/core/comparison/compared-case.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const loose = { 'cpu-per-request': { maxIncrease: { kind: 'ratio' as const, value: 0.5 } } };

/** A pull request that moves `users` to where the baseline's gate lets half as much more pass. */
function moved(cases: MadeUpCase[], comparing: Partial<Comparing> = {}): RunRecord {
  const record = madeUpRecord({
    seed: 5,
    rounds: 10,
    gate: { cases: { '/slow/*': loose } },
    cases: cases.map((each) => ({ endpoint: 'users', ...each })),
    comparing: { baselinePaths: { users: '/users' }, ...comparing },
  });
  const endpoints = record.spec.endpoints.map((endpoint) => ({ ...endpoint, path: '/slow/users' }));
  return { ...record, spec: { ...record.spec, endpoints } };
}

const dearer: MadeUpCase = { ratios: { 'cpu-per-request': 1.2 } };

describe('an endpoint whose path changed', () => {
  it('is limited by the path of the baseline, and accepted by that of the candidate', () => {
    expect(comparedCases(moved([{}]))[0]).toMatchObject({
      names: [keyOf({ endpoint: 'users' }), 'go', '/slow/users', 'users'],
      limitNames: [keyOf({ endpoint: 'users' }), 'go', '/users'],
    });
  });

  it.each([
    ['one case', [dearer]],
    ['several', [dearer, { ...dearer, connections: 1000 }]],
  ])('does not come under the limits of its new path, with %s', (_, cases) => {
    const { gate, warnings } = comparisonOf(moved(cases));
    expect(gate.regressions.map(({ metric }) => metric)).toContain('cpu-per-request');
    expect(warnings.map(({ message }) => message)).toEqual([
      'cpu-per-request is limited for `/slow/*`, which fits no case of this run.',
    ]);
    const accepted = [{ cases: '/slow/users', metric: null, reason: 'known' }];
    expect(comparisonOf(moved(cases, { accepted })).gate.passed).toBe(true);
  });

  it('is limited by the path that it has where the record says no other one', () => {
    const { comparing, ...record } = moved([dearer]);
    const { baselinePaths: _, ...older } = comparing!;
    expect(comparisonOf({ ...record, comparing: older }).gate.passed).toBe(true);
  });
});
