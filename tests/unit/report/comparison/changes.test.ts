import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../../src/core/comparison/comparison.ts';
import { caseLabels } from '../../../../src/core/report/comparison/case-labels.ts';
import { changeBlocks } from '../../../../src/core/report/comparison/changes.ts';
import { blockMarkdown } from '../../../../src/core/report/markdown/blocks.ts';
import { recordWithoutPaths } from '../fixture-records.ts';
import { caseOf, comparisonOf, costlier, cpu, faster, keys, queries, throughput, unitOf } from './made-up.ts';

const blocks = (comparison: Comparison, most = Number.POSITIVE_INFINITY) =>
  changeBlocks(comparison, caseLabels(comparison, recordWithoutPaths()), most).map(blockMarkdown);
const slower = throughput({
  change: -0.12,
  difference: -5_772,
  interval: [-0.13, -0.11],
  adjusted: [-0.14, -0.1],
  verdict: 'regression',
});
const rows = (comparison: Comparison) =>
  blocks(comparison)
    .join('\n')
    .split('\n')
    .filter((line) => /^\| (?!-|Metric)/.test(line));

describe('what changed of an endpoint', () => {
  it('is one row for one more query, whatever else it made worse', () => {
    const metrics = {
      throughput: slower,
      'latency-p50': cpu({ ...costlier, unit: 'ms', baseline: 2, candidate: 2.1 }),
      'cpu-per-request': costlier,
      'queries-per-request': queries(1, 2),
      'rows-per-request': queries(1, 2),
    };
    expect(blocks(comparisonOf([caseOf(keys.users, metrics)]))).toEqual([
      '**api · users**',
      [
        '| Metric              | Change (97 % interval) | Baseline | Candidate | Limit |',
        '| ------------------- | ---------------------- | -------: | --------: | ----: |',
        '| Queries per request | 🔴 **+1** worse        |        1 |     **2** |     0 |',
      ].join('\n'),
      'With it: rows **+1**, 1 → 2; throughput **-12.0 %** (-14.0 … -10.0), 48,100/s → 42,328/s; ' +
        'p50 **+6.1 %** (+4.4 … +7.8), 2.00 ms → 2.12 ms; CPU **+6.1 %** (+4.4 … +7.8), 412 µs → 437 µs.',
    ]);
  });

  it('is one row for what was measured under load, and one for a count that has nothing to do with it', () => {
    const metrics = {
      throughput: slower,
      'cpu-per-request': costlier,
      'bytes-per-response': queries(100, 120, { unit: 'bytes' }),
    };
    expect(rows(comparisonOf([caseOf(keys.users, metrics)])).map((row) => row.split('|')[1]!.trim())).toEqual([
      'Throughput',
      'Bytes per response',
    ]);
  });

  it('names the case of which a row is, where its endpoint has others', () => {
    const cases = [keys.users, keys.usersMany].map((key, index) =>
      caseOf(key, { 'cpu-per-request': index === 0 ? costlier : cpu() }),
    );
    const [row] = rows(comparisonOf(cases, { endpoints: [unitOf(keys.ofUsers, { 'cpu-per-request': cpu() })] }));
    expect(row).toMatch(/^\| CPU per request, keep-alive on · 100 connections \| 🔴/);
  });

  it('shows an absolute limit that is broken beside what changed', () => {
    const beyond = cpu({ unit: 'ms', baseline: 40, candidate: 61, brokenLimit: { kind: 'max', value: 50 } });
    const comparison = comparisonOf([caseOf(keys.users, { 'cpu-per-request': costlier, 'latency-p99': beyond })]);
    expect(rows(comparison)).toHaveLength(2);
    expect(rows(comparison)[1]).toMatch(
      /^\| Latency, p99 +\| 🔴 \*\*beyond the limit\*\* +\| .* at most 50\.00 ms \|$/,
    );
  });

  it('comes before what that makes of its service, which is a sentence', () => {
    const cases = [keys.ping, keys.users].map((key) =>
      caseOf(key, { 'cpu-per-request': key === keys.users ? costlier : cpu() }),
    );
    const services = [unitOf(keys.ofApi, { 'cpu-per-request': { ...costlier, change: 0.04 } }, { endpoint: '*' })];
    const said = blocks(comparisonOf(cases, { services }));
    expect(said[0]).toBe('**api · users**');
    expect(said.at(-1)).toBe('**api · all endpoints**: CPU **+4.0 %** (+4.4 … +7.8), 412 µs → 428 µs.');
  });

  it('is folded from the sixth endpoint on, and counted where there is no room', () => {
    const cases = Array.from({ length: 9 }, (_, index) =>
      caseOf(`api/e${index}/direct/wrk/keep-alive/1`, { throughput: index === 8 ? faster : slower }),
    );
    const said = blocks(comparisonOf(cases), 8);
    expect(said.filter((each) => each.startsWith('**api'))).toHaveLength(5);
    expect(said.slice(-2)[0]).toMatch(/^<details><summary>3 more changes<\/summary>/);
    expect(said.at(-1)).toBe('… and 1 more change: all are in report.html.');
  });
});
