import { describe, expect, it } from 'vitest';
import { type JudgedRun, runVerdict } from '../../../src/core/posting/verdict.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import type { MadeUpRecord } from '../../support/made-up/run-record.ts';
import { posted } from '../../support/posted.ts';
import { judged } from './made-up.ts';

/** Two endpoints with two cases each; `/users` sends a query, `more` of what its candidate does. */
function fourCases(more: Partial<MadeUpCase> = {}): MadeUpCase[] {
  return [100, 1000].flatMap((connections): MadeUpCase[] => [
    { connections },
    { endpoint: 'users', connections, levels: { throughput: 2_400, 'cpu-per-request': 412 }, ...more },
  ]);
}

const red: Partial<MadeUpCase> = {
  ratios: { throughput: 0.9, 'cpu-per-request': 1.12 },
  counts: { baseline: { 'bytes-per-response': 2718 }, candidate: { 'bytes-per-response': 2906 } },
};

const runs: Record<string, Partial<MadeUpRecord>> = {
  red: { rounds: 10, cases: fourCases(red), gate: limits({ 'bytes-per-response': 0 }) },
  green: { rounds: 20, cases: fourCases() },
  inconclusive: { rounds: 10, scatter: 0.07, cases: fourCases() },
  'not-measured': { rounds: 1, gate: { budgetSeconds: 30 }, cases: fourCases() },
};

function limits(counts: Record<string, number>): NonNullable<MadeUpRecord['gate']> {
  const ratio = (value: number) => ({ kind: 'ratio' as const, value });
  return {
    metrics: {
      throughput: { maxDecrease: ratio(0.05) },
      'cpu-per-request': { maxIncrease: ratio(0.03) },
      'memory-peak': { maxIncrease: ratio(0.1) },
      ...Object.fromEntries(
        Object.entries(counts).map(([name, value]) => [name, { maxIncrease: { kind: 'absolute' as const, value } }]),
      ),
    },
  };
}

/** On a machine that others use as well. */
function disturbed(run: JudgedRun): JudgedRun {
  const warnings = [
    { code: 'foreign-cpu', message: "9 % of the server's CPUs went to processes that are not part of this run" },
    {
      code: 'duets-set-aside',
      message: '2 of 22 trials were set aside: the machine, not the service, disturbed their duets',
    },
  ];
  const cases = run.record.cases.map((each, index) => (index < 2 ? { ...each, warnings } : each));
  return { ...run, record: { ...run.record, cases } };
}

describe('the whole comment on a run', () => {
  it.each(Object.keys(runs))('%s', async (name) => {
    const run = disturbed(judged(runs[name]));
    expect(runVerdict(run)).toBe({ red: 'regression', green: 'no-change' }[name] ?? name);
    const { comment } = await posted([run]);
    await expect(comment).toMatchFileSnapshot(`__snapshots__/${name}.md`);
  });
});
