// needs: wrk, postgres
// seconds: 106
import { describe, expect, it } from 'vitest';
import { compared, expectNamedAndPassed } from './support/varying-counts.ts';

const sometimes = { EXTRA_QUERIES: 0.01 };

describe('two builds of the same code, of which some requests send more, and something else too', () => {
  it.each([
    ['a job at random, every 10 s', { ...sometimes, JOB_SECONDS: 10 }],
    ['a timer, with each pass', { ...sometimes, TIMER_SECONDS: 0.25 }],
  ])('are neither red nor undecided: %s', (_, knobs) => expectNamedAndPassed(knobs));
});

describe('a change of what some requests send', () => {
  it('from 1 in 100 to 1 in 10 is red', async () => {
    const { status, gate } = await compared(sometimes, { EXTRA_QUERIES: 0.1 });
    expect(gate.regressions.map(({ metric }) => metric)).toContain('queries-per-request');
    expect(status).toBe(1);
  });
});
