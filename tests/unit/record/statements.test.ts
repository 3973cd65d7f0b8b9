import { describe, expect, it } from 'vitest';
import { statementRecords, statementWarnings } from '../../../src/core/record/statements.ts';
import { healthyPass } from '../support/trials.ts';

describe('statements of a case', () => {
  it('are per request over all rounds, most time first', () => {
    const passes = [
      healthyPass(),
      healthyPass({ round: 2, statements: [{ query: 'SELECT 1', calls: 400, rows: 400, totalMs: 8 }] }),
    ];
    expect(statementRecords(passes)).toEqual({
      statements: [
        { query: 'SELECT * FROM users LIMIT $1', callsPerRequest: 0.5, rowsPerRequest: 10, msPerRequest: 0.075 },
        { query: 'SELECT 1', callsPerRequest: 1.5, rowsPerRequest: 1.5, msPerRequest: 0.03 },
      ],
    });
  });

  it('are absent without a database', () => {
    expect(statementRecords([healthyPass({ statements: null })])).toEqual({});
  });
});

describe('statements that a service sends without a request', () => {
  const told = (...background: string[]) =>
    statementWarnings([healthyPass({ background })]).map(({ message }) => message);
  const BEGIN = 'not counted as queries of a request, since the service sends them without one:';

  it('are named', () => {
    expect(told()).toEqual([]);
    expect(told('SELECT 1', 'SELECT\n  2')).toEqual([`${BEGIN} SELECT 1; SELECT 2`]);
  });

  it('are named in part where they are long, and counted where they are many', () => {
    const long = `SELECT ${'a, '.repeat(40)}b`;
    expect(told(long, 'COMMIT', 'BEGIN', 'SELECT 1')).toEqual([
      `${BEGIN} SELECT ${'a, '.repeat(24)}…; COMMIT; and 2 more`,
    ]);
  });

  it('are told once for all passes', () => {
    const passes = [healthyPass({ background: ['BEGIN'] }), healthyPass({ background: ['BEGIN', 'COMMIT'] })];
    expect(statementWarnings(passes).map(({ message }) => message)).toEqual([`${BEGIN} BEGIN; COMMIT`]);
  });
});
