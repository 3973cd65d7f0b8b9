import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/core/comparison/comparison.ts';
import { LONGEST_COMMENT } from '../../../src/core/posting/sticky-comment.ts';
import { judgedRun } from '../../../src/core/posting/verdict.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { type Posted, posted } from '../../support/posted.ts';
import { madeUp, madeUpNames } from '../report/comparison/examples.ts';
import { caseOf, comparisonOf, costlier, entry, open, queries } from '../report/comparison/made-up.ts';
import { fixtureRecord } from '../report/fixture-records.ts';

const record = fixtureRecord('compared');
const postedOf = (comparison: Comparison): Promise<Posted> => posted([judgedRun(record, comparison)]);

/** Longer texts are refused. https://docs.github.com/rest/checks/runs */
const LONGEST_CHECK = 65_535;

describe('the whole comment on a comparison', () => {
  it.each(madeUpNames)('%s', async (name) => {
    const { comment } = await postedOf(madeUp[name]);
    await expect(comment).toMatchFileSnapshot(`__snapshots__/comment-${name}.md`);
  });
});

describe('the text of a comparison', () => {
  it('fits a comment and a check however many cases there are', async () => {
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
    const { comment, checks } = await postedOf(comparison);
    expect(comment.length).toBeLessThan(LONGEST_COMMENT);
    expect(checks[0]!.summary.length).toBeLessThan(LONGEST_CHECK);
    expect(comment).toMatch(/^### .*Regressions in 300 of 300 endpoints/m);
    expect(checks[0]!.title).toContain('Regressions in 300 of 300 endpoints');
    for (const text of [comment, checks[0]!.summary]) {
      expect(text.length).toBeGreaterThan(10_000);
      expect(text).toMatch(/… and \d+ more cases: all are in report\.html\./);
      expect(text.match(/<details>/g)?.length).toBe(text.match(/<\/details>/g)?.length);
    }
  });

  it('fits what it is sent as, whatever strangers wrote', async () => {
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
    const sent = await postedOf(comparison);
    const [check, status] = [sent.checks[0]!, sent.statuses[0]!];
    expect(sent.comment.length).toBeLessThan(LONGEST_COMMENT);
    expect(sent.comment).toContain('<details><summary>How this was measured</summary>');
    expect(sent.summary.length).toBeLessThan(LONGEST_COMMENT);
    expect(check.summary.length).toBeLessThan(LONGEST_CHECK);
    expect(check.title.length).toBeLessThanOrEqual(255);
    expect(status.description.length).toBeLessThanOrEqual(140);
    expect(JSON.stringify(sent)).not.toContain('\u202e');
    expect(markdown(record, comparison)).not.toContain('\u202e');
  });

  describe.each(['comment', 'summary', 'check', 'report.md'] as const)('in %s', (where) => {
    it('escapes what comes from specs, servers and branches', async () => {
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
      const { comment, summary, checks } = await postedOf(comparison);
      const text = { comment, summary, check: checks[0]!.summary, 'report.md': markdown(record, comparison) }[where];
      const outsideCode = text.replace(/(`+)[^`][\s\S]*?\1/g, '');
      expect(outsideCode).not.toMatch(/<img|@octocat|#1\b|[^\\]\]\(javascript|rm -rf/);
      expect(text.match(/<details>/g)?.length).toBe(outsideCode.match(/<\/details>/g)?.length);
      const table = text.split('\n').filter((row) => row.startsWith('|'));
      const borders = table.slice(0, 3).map((row) => row.replace(/\\[\s\S]/g, '').split('|').length);
      expect(new Set(borders).size).toBe(1);
    });
  });
});
