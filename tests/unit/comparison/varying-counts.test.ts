import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const gate = { metrics: { 'queries-per-request': { maxIncrease: { kind: 'absolute' as const, value: 0 } } } };
const statement = (query: string, callsPerRequest: number) => ({
  ...{ query, callsPerRequest, rowsPerRequest: callsPerRequest, msPerRequest: 0.01 },
});
const USERS = statement('SELECT * FROM users', 1);

function compared(
  counts: [number[], number[]],
  statements: [MadeUpStatement[], MadeUpStatement[]],
  more: readonly MadeUpCase[] = [],
) {
  const side = (of: number[]) => ({ 'queries-per-request': of });
  const made: MadeUpCase = {
    counts: { baseline: side(counts[0]), candidate: side(counts[1]) },
    statements: { baseline: [USERS, ...statements[0]], candidate: [USERS, ...statements[1]] },
  };
  const { warnings, cases } = comparisonOf(madeUpRecord({ seed: 7, rounds: 8, gate, cases: [made, ...more] }));
  return {
    named: warnings.filter(({ code }) => code === 'varying-count').map(({ message }) => message),
    verdicts: cases.map(({ metrics }) => metrics['queries-per-request']?.verdict),
  };
}
type MadeUpStatement = ReturnType<typeof statement>;

const VARYING: [number[], number[]] = [
  [1.01, 1.005, 1.015, 1.01, 1, 1.02, 1.01, 1.01],
  [1.005, 1.01, 1.01, 1.02, 1.01, 1.015, 1, 1.01],
];
const END = 'That varies by itself: only more of it than chance explains is a regression.';

describe('what varies of a count by itself', () => {
  it('is named once, with how often and on which sides, and is no change', () => {
    const sessions = statement('SELECT count(*) FROM sessions', 0.0102);
    expect(compared(VARYING, [[sessions], [sessions]])).toEqual({
      named: [`go, ping: about 1 request in 100 sends \`SELECT count(*) FROM sessions\` too, on both sides. ${END}`],
      verdicts: ['no-change'],
    });
  });

  it('is one statement although Postgres names it by its value here and by its place there', () => {
    const [one, other] = [statement("SELECT 'a', 1", 0.02), statement('SELECT $1, $2', 0.03)];
    expect(compared(VARYING, [[one], [other]]).named).toEqual([
      `go, ping: about 1 request in 40 sends \`SELECT 'a', 1\` too, on both sides. ${END}`,
    ]);
  });

  it('is not a statement of every request that has two names', () => {
    const sessions = statement('SELECT now()', 0.01);
    const names = [statement("SELECT f('ok', true)", 0.875), statement('SELECT f($1, $2)', 0.125), sessions];
    expect(compared(VARYING, [names, names]).named).toEqual([
      `go, ping: about 1 request in 100 sends \`SELECT now()\` too, on both sides. ${END}`,
    ]);
  });

  it('is named with its side where the other one has none of it, and in part where it is long', () => {
    const long = statement(`SELECT ${'a, '.repeat(40)}b\n FROM x`, 0.3);
    const most = statement('SELECT now()', 0.985);
    expect(compared(VARYING, [[long], [most]]).named).toEqual([
      `go, ping: most requests send \`SELECT now()\` too, on the candidate; ` +
        `about 1 request in 3 sends \`SELECT ${'a, '.repeat(24)}…\` too, on the baseline. ${END}`,
    ]);
  });

  it('is named by the two that are most often sent where it is more', () => {
    const others = [
      statement('SELECT 1 FROM a', 0.002),
      statement('SELECT 1 FROM b', 0.1),
      statement('SELECT 1 FROM c', 0.01),
    ];
    const named = (count: number) => compared(VARYING, [others.slice(0, count), others.slice(0, count)]).named;
    const two = (first: string, second: string) =>
      `go, ping: ${first} too, on both sides; ${second} too, on both sides`;
    const [a, b, c] = ['500 sends `SELECT 1 FROM a`', '10 sends `SELECT 1 FROM b`', '100 sends `SELECT 1 FROM c`'];
    expect(named(2)).toEqual([`${two(`about 1 request in ${b}`, `about 1 request in ${a}`)}. ${END}`]);
    expect(named(3)).toEqual([
      `${two(`about 1 request in ${b}`, `about 1 request in ${c}`)}; 1 more statement varies like that. ${END}`,
    ]);
  });

  it('is named by the count where no statement is known', () => {
    expect(compared(VARYING, [[], []]).named).toEqual([
      `go, ping: queries per request differ between requests. ${END}`,
    ]);
  });

  it('is nothing where every request sends the same', () => {
    expect(
      compared(
        [
          [1, 1],
          [1, 1],
        ],
        [[], []],
      ),
    ).toEqual({ named: [], verdicts: ['no-change'] });
  });
});
