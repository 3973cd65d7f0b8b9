// needs: wrk, postgres
// seconds: 74
import { describe, expect, it } from 'vitest';
import { compared, expectNamedAndPassed } from './support/varying-counts.ts';

const sometimes = { EXTRA_QUERIES: 0.01 };

describe('two builds of the same code, of which 1 request in 100 sends one statement more', () => {
  it('are neither red nor undecided, and that is named', () => expectNamedAndPassed(sometimes));
});

describe('a change of what some requests send', () => {
  it('by one in every request is red after the first round', async () => {
    const { gate, counts } = await compared(sometimes, { EXTRA_QUERIES: 1.01 });
    expect(gate.regressions).toHaveLength(2);
    expect(counts.map(({ evidence }) => evidence.rounds)).toEqual([2, 2]);
  });
});
