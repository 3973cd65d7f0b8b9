import { describe, expect, it } from 'vitest';
import { renderReport, storedComparison } from '../../../../src/app/report.ts';
import type { Comparison } from '../../../../src/core/comparison/comparison.ts';
import { UnreadableComparison } from '../../../../src/core/comparison/comparison-file.ts';
import { intervalsHtml } from '../../../../src/core/report/html/intervals.ts';
import { pageData } from '../../../../src/core/report/html/page-data.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { madeUp } from './examples.ts';
import { caseOf, comparisonOf, costlier, cpu, throughput } from './made-up.ts';

const record = fixtureRecord('compared');
const page = (comparison: Comparison) => renderReport(record, 'html', { pageScript: '' }, comparison);

describe('a comparison in report.html', () => {
  it('has the verdict in its header, and stands before the charts', () => {
    const html = page(madeUp.regression);
    expect(html).toContain(
      '<p class="headline verdict fail"><span class="mark fail" aria-hidden="true">✗</span> Regression in 1 of 2 endpoints: ' +
        '<code>api · /db/users</code> costs 6.1 % more CPU per request and sends 2 queries per request instead of 1 · 1 better</p>',
    );
    expect(html.indexOf('id="comparison"')).toBeLessThan(html.indexOf('id="charts"'));
    expect(html.indexOf('id="charts"')).toBeLessThan(html.indexOf('id="summary"'));
  });

  it('has a row for one more query, under its endpoint, and with it what was measured under load', () => {
    const html = page(madeUp.regression);
    expect(html).toContain('<p class="caption">api · /db/users</p>');
    expect(html).toContain(
      '<tr class="worse"><th scope="row" class="left">Queries per request</th>' +
        '<td class="left"><span class="mark fail" aria-hidden="true">✗</span> <strong>+1</strong> worse</td>' +
        '<td class="right">1</td><td class="right"><strong>2</strong></td><td class="right">0</td></tr>',
    );
    expect(html).toContain('<p>With it: CPU <strong>+6.1 %</strong> (+4.4 … +7.8), 412 µs → 437 µs.</p>');
  });

  it('draws each metric that is judged by its changes, and no exact count', () => {
    const captions = [...page(madeUp.regression).matchAll(/<figcaption>(.*?) <small>(.*?)<\/small>/g)];
    expect(captions.map(([, title, note]) => [title, note])).toEqual([
      ['Throughput', 'left is worse: a regression lies wholly left of its band'],
      ['CPU per request, service and database', 'right is worse: a regression lies wholly right of its band'],
    ]);
  });

  it('folds the pictures of many cases away', () => {
    const cases = Array.from({ length: 25 }, (_, index) =>
      caseOf(`api/ping/direct/wrk/keep-alive-off/${index}`, { throughput: throughput() }),
    );
    expect(page(comparisonOf(cases))).toContain('<details><summary>Throughput</summary>\n<figure class="intervals">');
  });

  it('shows tables and charts of the candidate alone', () => {
    const { panels } = pageData(record);
    expect(panels.map(({ rows }) => rows.map(({ label }) => label))).toEqual([
      ['keep-alive on · 100 connections', 'keep-alive on · 1,000 connections', 'keep-alive off · 100 connections'],
      ['keep-alive on · 100 connections at 60%'],
      ['keep-alive on · 100 connections', 'keep-alive on · 1,000 connections', 'keep-alive off · 100 connections'],
      ['keep-alive on · 100 connections at 60%'],
    ]);
    expect(panels[0]!.rows[1]!.throughput).toBe(52_259.35);
  });

  it('is worked out from a record that holds both sides', () => {
    const html = renderReport(record, 'html', { pageScript: '' });
    expect(html).toContain('<section id="comparison">');
    const { comparing: _, ...alone } = record;
    expect(renderReport(alone, 'html', { pageScript: '' })).not.toContain('<section id="comparison">');
  });

  it('is read from beside a record that holds one side, where it is of that record', () => {
    const { comparing: _, ...alone } = record;
    const text = (id: string) => JSON.stringify({ ...madeUp.stored, candidate: { ...madeUp.stored.candidate, id } });
    expect(storedComparison(alone, null, 'comparison.json')).toBeNull();
    expect(storedComparison(alone, text(record.id), 'comparison.json')?.mode).toBe('stored');
    expect(storedComparison(alone, text('another'), 'comparison.json')).toBeNull();
    expect(storedComparison(record, text(record.id), 'comparison.json')?.mode).toBe('duet');
    expect(() => storedComparison(alone, '{', 'comparison.json')).toThrow(UnreadableComparison);
    expect(storedComparison(record, '{', 'comparison.json')?.mode).toBe('duet');
  });

  it('escapes what strangers wrote, in rows and in pictures', () => {
    const service = '"><script>alert(1)</script>';
    const html = page(
      comparisonOf([caseOf('k/e/direct/wrk/keep-alive-off/1', { 'cpu-per-request': costlier }, { service })]),
    );
    expect(html).not.toContain('<script>alert');
    expect(html).toContain(
      '<span class="interval-label">&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt; · e · keep-alive off · 1 connection</span>',
    );
  });
});

describe('the picture of a change', () => {
  it('places band, intervals and estimate in the width that there is', () => {
    const [chart] = [
      {
        title: 'CPU',
        note: 'right is worse',
        rows: [
          {
            label: 'api',
            change: 0.05,
            interval: [0.04, 0.06] as [number, number],
            adjusted: [0.03, 0.5] as [number, number],
            threshold: 0.02,
            mark: 'fail' as const,
            figure: '+5.0 % worse',
          },
        ],
        extent: [-0.1, 0.1] as [number, number],
        ticks: [{ value: 0, figure: '0' }],
      },
    ];
    expect(intervalsHtml(chart!)).toBe(
      [
        '<figure class="intervals"><figcaption>CPU <small>right is worse</small></figcaption>',
        '<div class="interval-rows" aria-hidden="true"><div class="interval-row"><span class="interval-label">api</span>' +
          '<svg class="interval fail" height="24"><rect class="band" x="40%" width="20%" y="0" height="24"/>' +
          '<line class="tick zero" x1="50%" x2="50%" y1="0" y2="24"/>' +
          '<line class="adjusted" x1="65%" x2="100%" y1="12" y2="12"/>' +
          '<line class="marginal" x1="70%" x2="80%" y1="12" y2="12"/><circle cx="75%" cy="12" r="5"/></svg>' +
          '<span class="interval-figure">+5.0 % worse</span></div>',
        '<div class="interval-row"><span></span><svg class="interval-axis" height="18">' +
          '<text x="50%" y="14" text-anchor="middle">0</text></svg><span></span></div></div></figure>',
      ].join('\n'),
    );
  });

  it('is not made small by an interval that knows nothing', () => {
    const html = page(
      comparisonOf([
        caseOf('api/ping/direct/wrk/keep-alive-off/1', { 'cpu-per-request': cpu({ adjusted: [-0.9, 9] }) }),
      ]),
    );
    const ticks = [...html.matchAll(/<text x="[\d.]+%" y="14" text-anchor="middle">([^<]+)<\/text>/g)];
    expect(ticks.map(([, figure]) => figure)).toEqual(['-5 %', '0', '+5 %']);
  });
});
