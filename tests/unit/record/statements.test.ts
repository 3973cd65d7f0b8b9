import { describe, expect, it } from 'vitest';
import { statementRecords } from '../../../src/core/record/assembly.ts';
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
