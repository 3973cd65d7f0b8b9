import { describe, expect, it } from 'vitest';
import { comparisonTally } from '../../../../src/core/report/comparison/tally.ts';
import { madeUp } from './examples.ts';
import { caseOf, comparisonOf, costlier, cpu, entry, keys, member, unitOf } from './made-up.ts';

const none = { services: 0, endpoints: 0, cases: 0 };

describe('what a comparison counts', () => {
  it('are endpoints, whatever is red of their cases, and not metrics', () => {
    expect(comparisonTally(madeUp.regression)).toEqual({
      endpoints: 2,
      cases: 4,
      regressed: { ...none, endpoints: 1 },
      accepted: none,
      improved: { ...none, cases: 1 },
      invalid: none,
      notMeasured: none,
      undecided: none,
      new: none,
      leftOut: none,
      unchanged: { endpoints: 0, cases: 0 },
    });
    expect(comparisonTally(madeUp.redService)).toMatchObject({ regressed: { services: 1, endpoints: 2, cases: 0 } });
  });

  it('are cases where something is said of one alone', () => {
    expect(comparisonTally(madeUp.redCase)).toMatchObject({
      regressed: { ...none, cases: 1 },
      unchanged: { endpoints: 1, cases: 2 },
    });
    expect(comparisonTally(madeUp.invalid)).toMatchObject({ invalid: { ...none, cases: 1 } });
    expect(comparisonTally(madeUp.leftOut)).toMatchObject({
      leftOut: { ...none, cases: 1 },
      unchanged: { endpoints: 2, cases: 4 },
    });
  });

  it('are endpoints where the same is said of all their cases, or of a metric that one of them alone has', () => {
    const comparison = comparisonOf(
      [
        caseOf(keys.users, { 'cpu-per-request': member(cpu()) }),
        caseOf(keys.usersK6, { 'cpu-per-request': member(cpu()), 'latency-p50': costlier }),
      ],
      { endpoints: [unitOf(keys.ofUsers, { 'cpu-per-request': cpu() })] },
    );
    comparison.gate.invalid = [entry(keys.users, null), entry(keys.usersK6, null)];
    expect(comparisonTally(comparison)).toMatchObject({
      regressed: { ...none, endpoints: 1 },
      invalid: { ...none, endpoints: 1 },
    });
  });
});
