import { describe, expect, it } from 'vitest';
import { comparedCases } from '../../../src/core/comparison/compared-case.ts';
import { explanationOf } from '../../../src/core/comparison/explanation.ts';
import type { StatementRecord } from '../../../src/core/record/run-record.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const statement = (query: string, callsPerRequest: number, msPerRequest: number): StatementRecord => ({
  query,
  callsPerRequest,
  rowsPerRequest: callsPerRequest,
  msPerRequest,
});

const explained = (made: MadeUpCase) =>
  explanationOf(comparedCases(madeUpRecord({ scatter: 0, drift: 0, cases: [made] }))[0]!);

describe('where the extra cost went', () => {
  it('splits CPU between service and database', () => {
    const levels = { 'cpu-per-request': 60, 'database-cpu-per-request': 20 };
    const { cpuUs } = explained({ levels, ratios: { 'cpu-per-request': 1.5, 'database-cpu-per-request': 2 } });
    expect(cpuUs).toEqual({ service: expect.closeTo(10, 6), database: expect.closeTo(20, 6) });
  });

  it('is all in the service where there is no database, and unknown without CPU', () => {
    expect(explained({ levels: { 'cpu-per-request': 40 }, ratios: { 'cpu-per-request': 1.25 } }).cpuUs).toEqual({
      service: expect.closeTo(10, 6),
      database: 0,
    });
    expect(explained({ lacking: { candidate: ['cpu-per-request'] } }).cpuUs).toBeNull();
  });

  it('names the statements that changed, calls before time, at most five', () => {
    const baseline = [
      statement('A', 1, 0.03),
      statement('B', 2, 0.1),
      statement('C', 1, 0.2),
      statement('same', 1, 0.5),
    ];
    const candidate = [
      statement('A', 1, 0.06),
      statement('B', 1, 0.05),
      statement('C', 1, 0.2004),
      statement('D', 3, 0.01),
      statement('same', 1, 0.5),
    ];
    expect(explained({ statements: { baseline, candidate } }).statements).toEqual([
      { query: 'D', baseline: { calls: 0, ms: 0 }, candidate: { calls: 3, ms: 0.01 } },
      { query: 'B', baseline: { calls: 2, ms: 0.1 }, candidate: { calls: 1, ms: 0.05 } },
      { query: 'A', baseline: { calls: 1, ms: 0.03 }, candidate: { calls: 1, ms: 0.06 } },
    ]);
    const many = Array.from({ length: 9 }, (_, index) => statement(`Q${index}`, 1, 0.01));
    expect(explained({ statements: { candidate: many } }).statements).toHaveLength(5);
  });

  it('takes statements for the same that differ in names which were made up with the data', () => {
    const select = (one: string, other: string) => `SELECT "name" as "${one}", "price" as "${other}" FROM "products"`;
    const of = (one: string, other: string, ms: number) => [statement(select(one, other), 1, ms), statement('A', 1, 1)];
    const baseline = of('cuwcde2m2hp01w1', 'cojq4dp0r7udqh0', 0.2);
    const candidate = of('cid3hcjjn8fhz7h', 'czasca8xz3enk9v', 0.5);
    expect(explained({ statements: { baseline, candidate } }).statements).toEqual([
      {
        query: select('cid3hcjjn8fhz7h', 'czasca8xz3enk9v'),
        baseline: { calls: 1, ms: 0.2 },
        candidate: { calls: 1, ms: 0.5 },
      },
    ]);
    const known = [statement('SELECT products_2024', 1, 0.1), statement('SELECT 1', 1, 0.1)];
    const others = [statement('SELECT products_2025', 1, 0.1), statement('SELECT 1', 1, 0.1)];
    const changed = explained({ statements: { baseline: known, candidate: others } }).statements;
    expect(changed.map(({ query }) => query)).toEqual(['SELECT products_2024', 'SELECT products_2025']);
  });

  it('has the system calls per request where each pass tells the two sides apart', () => {
    const levels = { 'syscalls-per-request': 2 };
    expect(explained({ levels, ratios: { 'syscalls-per-request': 1.5 } }).syscalls).toEqual({
      baseline: 2,
      candidate: expect.closeTo(3, 6),
    });
    expect(explained({ levels, ratios: { 'syscalls-per-request': 1.2 } })).not.toHaveProperty('syscalls');
    expect(explained({})).not.toHaveProperty('syscalls');
  });

  it('leaves out what is sent once in hundreds of requests beside what each of them sends', () => {
    const background = [statement('once', 0.0025, 0.001), statement('slow', 0.0025, 2)];
    const named = (candidate: StatementRecord[]) =>
      explained({ statements: { baseline: [], candidate } }).statements.map(({ query }) => query);
    expect(named([statement('new', 1, 0.1), ...background])).toEqual(['new', 'slow']);
    expect(named(background)).toEqual(['slow', 'once']);
  });

  it('shows peak memory of both sides', () => {
    const levels = { 'memory-peak': 1000 };
    expect(explained({ levels, ratios: { 'memory-peak': 2 } }).memoryBytes).toEqual({
      baseline: 1000,
      candidate: 2000,
    });
    expect(explained({ lacking: { baseline: ['memory-peak'] } }).memoryBytes).toBeNull();
  });
});
