import { describe, expect, it } from 'vitest';
import type { Comparison, MetricComparison } from '../../../../src/core/comparison/comparison.ts';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { headline } from '../../../../src/core/report/comparison/headline.ts';
import { inlineMarkdown } from '../../../../src/core/report/markdown/blocks.ts';
import { fixtureRecord, recordWithoutPaths } from '../fixture-records.ts';
import { type MadeUpName, madeUp } from './examples.ts';
import {
  caseOf,
  comparisonOf,
  costlier,
  cpu,
  entry,
  faster,
  keys,
  open,
  queries,
  throughput,
  unitOf,
  unseen,
} from './made-up.ts';

const record = fixtureRecord('compared');
const line = (comparison: Comparison, of: RunRecord = record) => {
  const { mark, text } = headline(comparison, of);
  return inlineMarkdown([{ mark }, ' ', text]);
};

describe('the first line of a comparison', () => {
  it.each<[MadeUpName, string]>([
    [
      'regression',
      '🔴 Regression in 1 of 2 endpoints: `api · /db/users` costs 6.1 % more CPU per request and sends 2 queries per request instead of 1 · 1 better',
    ],
    [
      'redCase',
      '🔴 Regression in 1 of 2 endpoints: `api · /ping · keep-alive on · 1,000 connections` costs 18.4 % more CPU per request · 1 without change',
    ],
    ['redService', '🔴 Regressions in 2 of 2 endpoints: `api · all endpoints` costs 6.1 % more CPU per request'],
    ['unchanged', '🟢 No change in 2 endpoints (4 cases; at most 1.8 % lower throughput, 1.4 % higher CPU)'],
    [
      'improvement',
      '🟢 Improvement in 1 of 2 endpoints: `api · /ping` answers 5.8 % more requests per second · 1 without change',
    ],
    [
      'undecided',
      '🟡 Could not tell in 1 of 2 endpoints: up to 5.5 % higher CPU cannot be excluded after 14 rounds · 1 without change',
    ],
    [
      'notMeasured',
      '❌ Not measured: 2 endpoints. 1 round in 5 min 00 s shows nothing: set `gate.budget` to 40m or more',
    ],
    [
      'invalid',
      '❌ 1 of 2 endpoints invalid: `api · /db/users`: api exited under load (out of memory at 512 MiB) · 1 without change',
    ],
    [
      'leftOut',
      '🟢 No change in 2 endpoints (4 cases; at most 1.8 % lower throughput, 1.4 % higher CPU) · 1 of 5 cases left out',
    ],
    [
      'accepted',
      '🟢 Accepted regression in 1 of 2 endpoints: `api · /db/users` costs 6.1 % more CPU per request and sends 2 queries per request instead of 1 (roles are needed (#\u200b41)) · 1 without change',
    ],
    ['first', '⚪ First measurement of 1 endpoint: there is no baseline to compare with.'],
    ['skipped', '⚪ Nothing was measured: Both sides have the same images, spec and init.'],
    ['stored', '🟢 No change in 1 endpoint (at most 1.8 % lower throughput)'],
  ])('%s', (name, said) => {
    expect(line(madeUp[name])).toBe(said);
  });

  it.each<[MadeUpName, string]>([
    [
      'improvement',
      '🟡 Better, but on other data in 1 of 2 endpoints: `api · /ping` answers 5.8 % more requests per second · 1 without change',
    ],
    [
      'regression',
      '🔴 Regression in 1 of 2 endpoints: `api · /db/users` costs 6.1 % more CPU per request and sends 2 queries per request instead of 1 · 1 better on other data',
    ],
    [
      'unchanged',
      '🟢 No change in 2 endpoints (4 cases; at most 1.8 % lower throughput, 1.4 % higher CPU) · the data differ',
    ],
  ])('says that the data differ, and takes nothing that is better for an improvement: %s', (name, said) => {
    const message = 'The two sides load different data: init SQL (seed.sql).';
    expect(line({ ...madeUp[name], warnings: [{ code: 'data-differ', message }] })).toBe(said);
  });

  it('tells of a service by itself, and does not count it as an endpoint', () => {
    const memory = (over: Partial<MetricComparison>) => [
      unitOf(keys.ofApi, { 'memory-peak': { ...costlier, unit: 'bytes', ...over } }, { endpoint: '*' }),
    ];
    const cases = [keys.ping, keys.users].map((key) => caseOf(key, { throughput: throughput() }));
    expect(line(comparisonOf(cases, { services: memory({}) }))).toBe(
      '🔴 Regression: `api · all endpoints` needs 6.1 % more memory at its peak',
    );
    expect(line(comparisonOf(cases, { services: memory(open) }))).toBe(
      '🟡 Could not tell: up to 5.5 % higher peak memory cannot be excluded after 14 rounds',
    );
  });

  it('names regressions first, and counts every other endpoint by the most severe that was found of it', () => {
    const comparison = comparisonOf([
      caseOf('api/a/direct/wrk/keep-alive-off/1', { 'cpu-per-request': open }),
      caseOf('api/b/direct/wrk/keep-alive-off/1', { throughput: faster }),
      caseOf('api/c/direct/wrk/keep-alive-off/1', { 'cpu-per-request': unseen(cpu()) }),
      caseOf(keys.users, { 'cpu-per-request': costlier }),
      caseOf('api/d/direct/k6/keep-alive-off/1', { 'queries-per-request': queries(1, 2) }),
    ]);
    comparison.gate.invalid.push(
      entry(comparison.cases[0]!.key, 'memory-peak', 'Memory, peak: the candidate has none.'),
    );
    expect(line(comparison)).toBe(
      '🔴 Regressions in 2 of 5 endpoints, the worst: `api · /db/users` costs 6.1 % more CPU per request' +
        ' · 1 invalid · 1 not measured · 1 better',
    );
  });

  it('names one query less in the singular, and no cause of another endpoint', () => {
    const fewer = queries(2, 1, { verdict: 'improvement', direction: 'better' });
    const better = caseOf(keys.users, { throughput: faster, 'queries-per-request': fewer });
    expect(line(comparisonOf([better]))).toBe(
      '🟢 Improvement: `api · /db/users` answers 5.8 % more requests per second and sends 1 query per request instead of 2',
    );
    const other = caseOf(keys.ping, { 'queries-per-request': queries(1, 2) });
    expect(line(comparisonOf([caseOf(keys.users, { 'cpu-per-request': costlier }), other]))).toBe(
      '🔴 Regressions in 2 of 2 endpoints, the worst: `api · /db/users` costs 6.1 % more CPU per request',
    );
  });

  it.each([
    [
      'images, the same spec and the same init files',
      'both sides have the same images, the same spec and the same init files.',
    ],
    ['files', 'both sides have the same files.'],
  ])('says once that nothing was measured, since both sides have the same %s', (_, why) => {
    const skipped = { code: 'same-on-both-sides', message: `Not measured: ${why}` };
    expect(line({ ...madeUp.skipped, skipped })).toBe(`⚪ Nothing was measured: ${why}`);
  });

  it('says in one line why nothing was measured at all', () => {
    const message =
      'candidate: api: The service exited with status 1. Its last log lines say why.\n    listening soon\n    KeyError: SHOP_REGION is not set';
    const cases = [keys.ping, keys.users].map((key) => caseOf(key, {}, { reasons: [{ code: 'exited', message }] }));
    const comparison = comparisonOf(cases, {
      gate: { passed: false, invalid: cases.map(({ key }) => entry(key, null, message)) },
    });
    expect(line(comparison)).toBe(
      '❌ Nothing was measured: api exited with status 1: KeyError: SHOP\\_REGION is not set',
    );
  });

  it.each([
    [
      'does not build',
      'candidate: rest-api: The image of service rest-api cannot be built from ./Dockerfile (1). The last lines:\n    ./main.go:12:2: undefined: shop',
      'rest-api does not build: ./main.go:12:2: undefined: shop',
    ],
    [
      'exited before it was ready',
      'candidate: go: The service exited with status 1 before it was ready. Its last log lines say why.\n    panic: no table',
      'go exited with status 1 before it was ready: panic: no table',
    ],
  ])('names what %s, of all cases and of some', (_, message, said) => {
    const lost = caseOf(keys.users, {}, { reasons: [{ code: 'failed', message }] });
    const invalid = [entry(keys.users, null, message)];
    expect(line(comparisonOf([lost], { gate: { passed: false, invalid } }))).toBe(`❌ Nothing was measured: ${said}`);
    const some = comparisonOf([caseOf(keys.ping, { throughput: throughput() }), lost], {
      gate: { passed: false, invalid },
    });
    expect(line(some)).toBe(`❌ 1 of 2 endpoints invalid: \`api · /db/users\`: ${said} · 1 without change`);
  });

  it('counts a case as its endpoint', () => {
    const comparison = comparisonOf(
      [keys.ping, keys.pingMany].map((key) => caseOf(key, { 'cpu-per-request': key === keys.ping ? costlier : cpu() })),
      {
        endpoints: [
          unitOf(keys.ofPing, { 'cpu-per-request': cpu() }),
          unitOf(keys.ofUsers, { 'cpu-per-request': { ...costlier, change: 0.05 } }),
        ],
      },
    );
    expect(line(comparison)).toBe(
      '🔴 Regressions in 2 of 2 endpoints, the worst: `api · /db/users` costs 5.0 % more CPU per request',
    );
  });

  it('names a case that is gone whole, since its endpoint may still be there', () => {
    const gone = { ...caseOf(keys.pingMany, {}), presence: 'missing' as const };
    const comparison = comparisonOf([caseOf(keys.ping, { 'cpu-per-request': cpu() }), gone]);
    comparison.gate.invalid.push(entry(keys.pingMany, null, 'It is gone.'));
    expect(line(comparison)).toBe('❌ Invalid: `api · /ping · keep-alive on · 1,000 connections`: It is gone.');
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
    expect(only(open)).toBe('🟡 Could not tell: up to 5.5 % higher CPU cannot be excluded after 14 rounds');
    expect(only(cpu({ verdict: null }))).toBe('🟢 No metric of 1 endpoint is judged');
  });

  it('says of an undecided comparison how large a change it may have missed, of two metrics', () => {
    const cases = [
      caseOf('api/a/direct/wrk/keep-alive-off/1', {
        'cpu-per-request': open,
        'latency-p50': { ...open, adjusted: [-0.01, 0.04] },
      }),
      caseOf('api/b/direct/wrk/keep-alive-off/1', {
        'cpu-per-request': { ...open, adjusted: [-0.02, 0.081] },
        throughput: throughput({ verdict: 'inconclusive', adjusted: [-0.123, 0.4] }),
      }),
    ];
    expect(line(comparisonOf(cases))).toBe(
      '🟡 Could not tell in 2 of 2 endpoints: up to 12.3 % lower throughput and 8.1 % higher CPU cannot be excluded after 14 rounds',
    );
    const better = caseOf('api/c/direct/wrk/keep-alive-off/1', { throughput: faster });
    expect(line(comparisonOf([...cases.slice(0, 1), better]))).toBe(
      '🟡 Undecided in 1 of 2 endpoints: up to 4.0 % higher p50 and 5.5 % higher CPU cannot be excluded after 14 rounds · 1 better',
    );
  });

  it('leaves out a service that is open in what an endpoint is red in', () => {
    const of = (service: MetricComparison, endpoint: MetricComparison) =>
      line(
        comparisonOf([caseOf(keys.users, { 'cpu-per-request': endpoint }), caseOf(keys.ping, {})], {
          services: [unitOf(keys.ofApi, { 'cpu-per-request': service }, { endpoint: '*' })],
        }),
      );
    const red = '🔴 Regression in 1 of 2 endpoints: `api · /db/users` costs 6.1 % more CPU per request · 1 not judged';
    expect(of(open, costlier)).toBe(red);
    expect(of(open, cpu())).toBe('🟡 Could not tell: up to 5.5 % higher CPU cannot be excluded after 14 rounds');
  });

  it('names three that are undecided without a figure, and counts the others', () => {
    const cases = [1, 2, 3, 4, 5].map((connections) =>
      caseOf(`api/ping/direct/wrk/keep-alive-off/${connections}`, { 'cpu-per-request': { ...open, adjusted: null } }),
    );
    expect(line(comparisonOf(cases))).toBe(
      '🟡 Undecided after 14 rounds: `api · /ping · keep-alive off · 1 connection` (CPU), `api · /ping · keep-alive off · 2 connections` (CPU), ' +
        '`api · /ping · keep-alive off · 3 connections` (CPU) and 2 more',
    );
  });

  it('says what a budget is short of, as far as it knows', () => {
    const afterRounds = (rounds: number, of: RunRecord) =>
      line(comparisonOf([caseOf(keys.users, { 'cpu-per-request': unseen(cpu(), rounds) })]), of);
    expect(afterRounds(1, recordWithoutPaths())).toBe(
      '❌ Not measured: 1 endpoint. 1 round shows nothing: set `gate.budget` higher',
    );
    expect(afterRounds(0, record)).toBe('❌ Not measured: 1 endpoint. No round was measured: set `gate.budget` higher');
    expect(afterRounds(4, record)).toBe(
      '❌ Not measured: 1 endpoint. 4 rounds in 5 min 00 s show nothing: set `gate.budget` to 10m or more',
    );
    expect(afterRounds(12, record)).toBe(
      '❌ Not measured: 1 endpoint. 12 rounds would not show ten times the limit of CPU: set `gate.budget` higher, or raise that limit',
    );
  });

  it('names the metric of a service that was not measured', () => {
    const memory = unitOf(keys.ofApi, { 'memory-peak': unseen(cpu({ unit: 'bytes' }), 12) }, { endpoint: '*' });
    const cases = [keys.ping, keys.users].map((key) => caseOf(key, { throughput: throughput() }));
    expect(line(comparisonOf(cases, { services: [memory] }))).toBe(
      '❌ Not measured: peak memory. 12 rounds would not show ten times the limit of peak memory: set `gate.budget` higher, or raise that limit',
    );
  });

  it('takes the names of endpoints whose paths the record does not tell', () => {
    expect(inlineMarkdown(headline(madeUp.regression, recordWithoutPaths()).text)).toContain('`api · users` costs');
  });
});
