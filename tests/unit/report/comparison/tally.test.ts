import { describe, expect, it } from 'vitest';
import {
  type ComparisonTally,
  comparisonTally,
  countsBeside,
  leftOutText,
} from '../../../../src/core/report/comparison/tally.ts';
import { type MadeUpName, madeUp } from './examples.ts';
import { caseOf, comparisonOf, costlier, cpu, entry, keys, member, unitOf } from './made-up.ts';

const none = { services: 0, endpoints: 0 };
const one = { services: 0, endpoints: 1 };

/** All kinds together. */
const counted = (tally: ComparisonTally) =>
  [...Object.values(tally)].reduce((sum, each) => sum + (typeof each === 'number' ? 0 : each.endpoints), 0);

describe('what a comparison counts', () => {
  it('are endpoints, each by the most severe that was found of it and of its cases', () => {
    expect(comparisonTally(madeUp.regression)).toEqual({
      endpoints: 2,
      cases: 4,
      regressed: one,
      invalid: none,
      notMeasured: none,
      undecided: none,
      accepted: none,
      improved: one,
      new: none,
      beyond: none,
      unchanged: none,
      unjudged: none,
      unchangedCases: 0,
      leftOut: 0,
    });
    expect(comparisonTally(madeUp.redService)).toMatchObject({ regressed: { services: 0, endpoints: 2 } });
    expect(comparisonTally(madeUp.redCase)).toMatchObject({ regressed: one, unchanged: one, unchangedCases: 2 });
    expect(comparisonTally(madeUp.invalid)).toMatchObject({ endpoints: 2, invalid: one });
  });

  it.each(Object.keys(madeUp) as MadeUpName[])('is each endpoint once: %s', (name) => {
    const tally = comparisonTally(madeUp[name]);
    expect(counted(tally)).toBe(tally.endpoints);
  });

  it('are all of them once, whatever is so of one at the same time', () => {
    const comparison = comparisonOf(
      [
        caseOf(keys.users, { 'cpu-per-request': member(cpu()) }),
        caseOf(keys.usersK6, { 'cpu-per-request': member(cpu()), 'latency-p50': costlier }),
      ],
      { endpoints: [unitOf(keys.ofUsers, { 'cpu-per-request': cpu() })] },
    );
    comparison.gate.invalid = [entry(keys.users, null), entry(keys.usersK6, null)];
    const tally = comparisonTally(comparison);
    expect(tally).toMatchObject({ endpoints: 1, regressed: one, invalid: none });
    expect(countsBeside(tally, null)).toEqual(['1 worse']);
  });

  it('are cases that were left out, as their endpoints are judged all the same', () => {
    const tally = comparisonTally(madeUp.leftOut);
    expect(tally).toMatchObject({ leftOut: 1, unchanged: { services: 0, endpoints: 2 }, unchangedCases: 4 });
    expect(leftOutText(tally)).toEqual(['1 of 5 cases left out']);
  });

  it('are endpoints of which a run says nothing, although it was to measure them', () => {
    const comparison = structuredClone(madeUp.unchanged);
    comparison.gate.invalid.push(entry('api/gone/direct/wrk/keep-alive/100', null));
    expect(comparisonTally(comparison)).toMatchObject({ endpoints: 3, invalid: one });
  });

  it('are endpoints of which every case is beyond the service', () => {
    const comparison = comparisonOf([
      caseOf(keys.ping, {}),
      caseOf(keys.pingMany, {}),
      caseOf(keys.users, { 'cpu-per-request': cpu() }),
      caseOf(keys.usersK6, {}),
    ]);
    comparison.gate.beyond = [keys.ping, keys.pingMany, keys.usersK6].map((key) => entry(key, null));
    const tally = comparisonTally(comparison);
    expect(tally).toMatchObject({ beyond: one, unchanged: one, unchangedCases: 1 });
    expect(countsBeside(tally, 'unchanged')).toEqual(['1 beyond the service']);
  });
});
