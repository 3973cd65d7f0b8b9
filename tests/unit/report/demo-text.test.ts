import { describe, expect, it } from 'vitest';
import { demoResult } from '../../../src/core/report/demo-text.ts';
import { caseOf, comparisonOf, costlier, cpu, open, queries } from './comparison/made-up.ts';

const more = queries(1, 2, { verdict: 'regression', direction: 'worse' });
const comparisonWith = (metrics: Parameters<typeof caseOf>[1]) =>
  comparisonOf([caseOf('rest-node/users/direct/wrk/keep-alive/10', metrics)]);
const meant = 'This red verdict is what the demo is meant to show.';

describe('what the demo says of its comparison', () => {
  it('names what was added and what it costs', () => {
    const cost = cpu({ ...costlier, change: 0.664 });
    expect(demoResult(comparisonWith({ 'cpu-per-request': cost, 'queries-per-request': more }), 'GET /users')).toEqual({
      found: true,
      text: `We added one query to GET /users; wrkbench found it: 2 queries per request instead of 1 and 66.4 % more CPU per request. ${meant}`,
    });
  });

  it('says what was not decided on a busy machine, beside what was found all the same', () => {
    expect(demoResult(comparisonWith({ 'cpu-per-request': open, 'queries-per-request': more }), 'GET /users')).toEqual({
      found: true,
      text: `We added one query to GET /users; wrkbench found it: 2 queries per request instead of 1. How much CPU time it costs was not decided here, most often since other programs keep the machine too busy. ${meant}`,
    });
  });

  it('leaves out what was not asked for', () => {
    expect(demoResult(comparisonWith({ 'queries-per-request': more }), 'GET /users').text).toBe(
      `We added one query to GET /users; wrkbench found it: 2 queries per request instead of 1. ${meant}`,
    );
  });

  it('is no success without the added query, whatever else is worse', () => {
    const cost = cpu({ ...costlier, change: 0.664 });
    expect(demoResult(comparisonWith({ 'cpu-per-request': cost }), 'GET /users')).toEqual({
      found: false,
      text: 'Undecided: wrkbench did not find the query that we added to GET /users. Most often other programs keep the machine too busy: end them, and run the demo again.',
    });
  });
});
