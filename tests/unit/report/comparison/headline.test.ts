import { describe, expect, it } from 'vitest';
import type { Comparison, MetricComparison } from '../../../../src/core/comparison/comparison.ts';
import { headline } from '../../../../src/core/report/comparison/headline.ts';
import { inlineMarkdown } from '../../../../src/core/report/markdown/blocks.ts';
import { fixtureRecord } from '../fixture-records.ts';
import {
  caseOf,
  comparisonOf,
  costlier,
  cpu,
  entry,
  faster,
  keys,
  type MadeUpName,
  madeUp,
  open,
  queries,
  throughput,
} from './made-up.ts';

const record = fixtureRecord('compared');
const line = (comparison: Comparison) => {
  const { mark, text } = headline(comparison, record);
  return inlineMarkdown([{ mark }, ' ', text]);
};

describe('the first line of a comparison', () => {
  it.each<[MadeUpName, string]>([
    ['regression', '🔴 Regression in 1 of 3 cases: `api · /db/users` costs 6.1 % more CPU per request · 1 better'],
    ['unchanged', '🟢 No change in 2 cases (would have seen 2.9 % throughput, 1.4 % CPU)'],
    ['improvement', '🟢 Improvement in 1 of 3 cases: `api · /ping` answers 5.8 % more requests per second'],
    ['undecided', '🟡 1 of 2 cases undecided after 14 instances: `api · /ping · keep-alive · 100` (CPU)'],
    [
      'invalid',
      '❌ 1 of 3 cases invalid: `api · /db/users`: candidate: api exited under load (out of memory at 512 MiB)',
    ],
    [
      'accepted',
      '🟢 Accepted regression in 1 of 2 cases: `api · /db/users` costs 6.1 % more CPU per request (roles are needed (#\u200b41))',
    ],
    ['first', '⚪ First measurement of 1 case: there is no baseline to compare with.'],
    ['skipped', '⚪ Nothing was measured: Both sides have the same images, spec and init.'],
    ['stored', '🟢 No change in 1 case (would have seen 2.9 % throughput)'],
  ])('%s', (name, said) => {
    expect(line(madeUp[name])).toBe(said);
  });

  it('tells of a whole service by its name, and does not count it as a case', () => {
    const memory = (over: Partial<MetricComparison>) => [
      caseOf('api/*', { 'memory-peak': { ...costlier, unit: 'bytes', ...over } }, { endpoint: '*' }),
    ];
    const unchanged = [caseOf(keys.ping, { throughput: throughput({ verdict: 'no-change' }) })];
    const red = comparisonOf(unchanged, { services: memory({}) });
    red.gate.regressions.push(entry('api/*', 'memory-peak'));
    expect(line(red)).toBe('🔴 Regression: `api` needs 6.1 % more memory at its peak');
    const two = comparisonOf([...unchanged, caseOf(keys.users, { throughput: throughput({ verdict: 'no-change' }) })], {
      services: memory({ ...open }),
    });
    two.gate.inconclusive.push(entry('api/*', 'memory-peak'));
    expect(line(two)).toBe('🟡 Undecided after 14 instances: `api · all cases` (peak memory)');
  });

  it('names regressions first, and all else that must not be overlooked', () => {
    const comparison = comparisonOf([
      caseOf(keys.ping, { 'cpu-per-request': open }),
      caseOf(keys.pingMany, { throughput: faster }),
      caseOf(keys.users, { 'cpu-per-request': costlier }),
      caseOf(keys.usersK6, { 'queries-per-request': queries(1, 2) }),
    ]);
    comparison.gate.invalid.push(entry(keys.ping, 'memory-peak', 'Memory, peak: the candidate has none.'));
    comparison.gate.new.push(entry('api/new/direct/wrk/close/1', null));
    expect(line(comparison)).toBe(
      '🔴 Regressions in 2 of 4 cases, the worst: `api · /db/users` costs 6.1 % more CPU per request' +
        ' · 1 invalid · 1 undecided · 1 better · 1 new',
    );
  });

  it('of a run that broke off says so before what it found', () => {
    const comparison = structuredClone(madeUp.unchanged);
    comparison.gate.invalid.push(entry('*', null, 'The run ended early.'));
    expect(line(comparison)).toBe('❌ The run ended early.');
    expect(line({ ...comparison, cases: [] })).toBe('❌ The run ended early.');
    expect(line(comparisonOf([]))).toBe('⚪ No case was compared.');
  });

  it('of one case counts nothing', () => {
    const only = (metric: typeof open) => line(comparisonOf([caseOf(keys.users, { 'cpu-per-request': metric })]));
    expect(only(costlier)).toBe('🔴 Regression: `api · /db/users` costs 6.1 % more CPU per request');
    expect(only(open)).toBe(
      '🟡 The only case is undecided after 14 instances: `api · /db/users · keep-alive · 100` (CPU)',
    );
    expect(only(cpu({ verdict: null }))).toBe('🟢 No metric of 1 case is judged');
  });

  it('names three undecided cases and counts the others', () => {
    const cases = [1, 2, 3, 4, 5].map((connections) =>
      caseOf(`api/ping/direct/wrk/close/${connections}`, { 'cpu-per-request': open }),
    );
    expect(line(comparisonOf(cases))).toBe(
      '🟡 5 of 5 cases undecided after 14 instances: `api · /ping · close · 1` (CPU), `api · /ping · close · 2` (CPU), ' +
        '`api · /ping · close · 3` (CPU) and 2 more',
    );
  });

  it('takes the names of endpoints where there is no record to tell their paths', () => {
    expect(inlineMarkdown(headline(madeUp.regression).text)).toContain('`api · users` costs');
  });
});
