import { describe, expect, it } from 'vitest';
import { comparisonMarkdown, longestComment } from '../../../../src/core/report/comparison/markdown.ts';
import { markdown } from '../../../../src/core/report/markdown/index.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { madeUp, madeUpNames } from './examples.ts';
import { caseOf, comparisonOf, costlier, entry, open, queries } from './made-up.ts';

const record = fixtureRecord('compared');

describe('a comparison in Markdown', () => {
  it.each(madeUpNames)('%s, whole', async (name) => {
    await expect(comparisonMarkdown(madeUp[name], record)).toMatchFileSnapshot(`__snapshots__/${name}.md`);
  });

  it('does without a record', () => {
    const text = comparisonMarkdown(madeUp.unchanged, null);
    expect(text).toContain('| api · users · keep-alive on · 100 connections   |');
    expect(text).not.toContain('seed');
  });

  it('stands before all else in report.md, which is of the candidate', async () => {
    const report = markdown(record, madeUp.regression);
    await expect(report).toMatchFileSnapshot('__snapshots__/compared.report.md');
    const results = report.slice(report.indexOf('## Results'), report.indexOf('## How to reproduce'));
    expect(results).not.toContain('baseline');
  });

  it('fits a comment however many cases there are', () => {
    const names = Array.from(
      { length: 300 },
      (_, index) => `api/${'endpoint'.repeat(20)}${index}/direct/wrk/keep-alive-off/100`,
    );
    const comparison = comparisonOf(
      names.map((key) =>
        caseOf(key, { 'cpu-per-request': costlier, 'queries-per-request': queries(1, 2), 'latency-p50': open }),
      ),
      { warnings: names.map((name) => ({ code: 'x', message: name.repeat(50) })) },
    );
    const text = comparisonMarkdown(comparison, record);
    expect(text.length).toBeLessThan(longestComment);
    expect(text.length).toBeGreaterThan(10_000);
    expect(text).toMatch(/… and \d+ more cases: all are in report\.html\./);
    expect(text).toContain('Regressions in 300 of 300 endpoints');
    expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
  });

  it('fits a comment whatever strangers wrote', () => {
    const name = '<\u202e&'.repeat(20_000);
    const comparison = comparisonOf(
      [caseOf(`${name}/${name}/direct/${name}/${name}/1`, { 'cpu-per-request': costlier })],
      {
        baseline: { id: name, sha: name, images: Object.fromEntries([[name, name]]), origin: name },
        warnings: [{ code: name, message: name }],
      },
    );
    comparison.gate.invalid.push(entry(name, null, name));
    comparison.cases[0]!.explanation = {
      cpuUs: null,
      memoryBytes: null,
      statements: [{ query: name, baseline: { calls: 0, ms: 0 }, candidate: { calls: 1, ms: 1 } }],
    };
    const text = comparisonMarkdown(comparison, record);
    expect(text.length).toBeLessThan(longestComment);
    expect(text).not.toContain('\u202e');
  });

  it('escapes what comes from specs, servers and branches', () => {
    const hostile = '|<img src=x> @octocat #1 `a` [b](javascript:1) </details>';
    const service = `x${hostile}`;
    const comparison = comparisonOf(
      [caseOf('k/e/direct/wrk/keep-alive-off/1', { 'cpu-per-request': costlier }, { service, endpoint: hostile })],
      {
        baseline: { id: 'x', sha: 'x; rm -rf /', images: { [hostile]: hostile }, origin: `branch ${hostile}` },
        warnings: [{ code: 'x', message: hostile }],
      },
    );
    comparison.gate.invalid.push(entry('k/e/direct/wrk/keep-alive-off/1', null, hostile));
    const text = comparisonMarkdown(comparison, record);
    const outsideCode = text.replace(/(`+)[^`][\s\S]*?\1/g, '');
    expect(outsideCode).not.toMatch(/<img|@octocat|#1\b|[^\\]\]\(javascript|rm -rf/);
    expect(text.match(/<details>/g)?.length).toBe(outsideCode.match(/<\/details>/g)?.length);
    const table = text.split('\n').filter((row) => row.startsWith('|'));
    const borders = table.slice(0, 3).map((row) => row.replace(/\\[\s\S]/g, '').split('|').length);
    expect(new Set(borders).size).toBe(1);
  });
});
