import { describe, expect, it } from 'vitest';
import { renderReport, storedComparison } from '../../../../src/app/report.ts';
import type { Comparison } from '../../../../src/core/comparison/comparison.ts';
import { UnreadableComparison } from '../../../../src/core/comparison/comparison-file.ts';
import { intervalsHtml } from '../../../../src/core/report/html/intervals.ts';
import { pageData } from '../../../../src/core/report/html/page-data.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { madeUp } from './examples.ts';
import { caseOf, comparisonOf, costlier, cpu, entry, open, throughput } from './made-up.ts';

const record = fixtureRecord('compared');
const page = (comparison: Comparison) => renderReport(record, 'html', { pageScript: '' }, comparison);

describe('a comparison in report.html', () => {
  it('has the verdict in its header, and stands before the charts', () => {
    const html = page(madeUp.regression);
    expect(html).toContain(
      '<p class="headline verdict fail"><span class="mark fail" aria-hidden="true">✗</span> Regression in 1 of 2 endpoints: ' +
        '<code>api · /db/users</code> costs 6.1 % more CPU per request and sends 2 queries per request instead of 1 · 1 better</p>',
    );
    const places = ['comparison', 'summary', 'charts', 'results', 'environment'].map((id) =>
      html.indexOf(`id="${id}"`),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
  });

  it('has a row for one more query, under its endpoint, and with it what was measured under load', () => {
    const html = page(madeUp.regression);
    expect(html).toContain('<p class="caption">api · /db/users</p>');
    expect(html).toContain(
      '<tr class="worse"><th scope="row" class="left">Queries per request</th>' +
        '<td class="left" data-title="Change (97 % interval)"><span class="mark fail" aria-hidden="true">✗</span> <strong>+1</strong> worse</td>' +
        '<td class="right" data-title="Baseline">1</td><td class="right" data-title="Candidate"><strong>2</strong></td>' +
        '<td class="right" data-title="Limit">0</td></tr>',
    );
    expect(html).toContain('<p>With it: CPU <strong>+6.1 %</strong> (+4.4 … +7.8), 412 µs → 437 µs.</p>');
  });

  it('says once what thick and thin lines are, before the first picture', () => {
    const html = page(madeUp.regression);
    expect(html.match(/<ul class="interval-legend">/g)).toHaveLength(1);
    expect(html.indexOf('Thick line: the interval of this change by itself')).toBeLessThan(
      html.indexOf('<figure class="intervals">'),
    );
    expect(html).toContain('Thin line: the wider interval that decides the verdict');
  });

  it('has every endpoint with its verdict, the regression first, and tells which rows did not change', () => {
    const html = page(madeUp.regression);
    const table = html.slice(html.indexOf('aria-label="Endpoints, candidate against baseline"'));
    const rows = [
      ...table.slice(0, table.indexOf('</table>')).matchAll(/<tr class="(\w+)"( data-unchanged)?>(.*?)<\/tr>/g),
    ];
    expect(rows.map(([, tone, unchanged, cells]) => [tone, unchanged, cells!.replace(/<[^>]+>/g, '|')])).toEqual([
      [
        'worse',
        undefined,
        '|api · /db/users|||✗| worse||48,018/s (-0.17 %)|||437 µs (+6.1 %, worse)||||2 (+1, worse)||',
      ],
      ['better', undefined, '|api · /ping|||✓| better||50,890/s (+5.8 %, better)||413 µs (+0.24 %)||–|'],
      ['plain', ' data-unchanged', '|api · all endpoints|||–| no change||48,018/s (-0.17 %)||413 µs (+0.24 %)||–|'],
    ]);
  });

  it('has undecided values under their endpoint, and few of them as a list', () => {
    const cases = ['users', 'ping'].flatMap((endpoint) =>
      [1, 2].map((number) => caseOf(`api/${endpoint}/direct/wrk/keep-alive/${number}`, { 'cpu-per-request': open })),
    );
    const inconclusive = cases.map(({ key }) => entry(key, 'cpu-per-request'));
    const html = page(comparisonOf(cases, { gate: { inconclusive } }));
    expect(html).toContain(
      '<details><summary>api · /db/users: 2 undecided (CPU)</summary>\n<ul><li>keep-alive on · 1 connection: CPU per request',
    );
    expect(html).toContain('<details><summary>api · /ping: 2 undecided (CPU)</summary>');
    const few = page(comparisonOf(cases, { gate: { inconclusive: inconclusive.slice(0, 3) } }));
    expect(few).toContain('<ul><li>api · /db/users · keep-alive on · 1 connection: CPU per request');
  });

  it('draws each metric that is judged by its changes, and no exact count', () => {
    const html = page(madeUp.regression);
    const captions = [...html.matchAll(/<figcaption>(.*?) <small>(.*?)<\/small>/g)];
    const throughputNote = 'left is worse: a regression lies wholly left of its band';
    const cpuNote = 'right is worse: a regression lies wholly right of its band';
    // Of what is judged as a whole, and of its cases.
    expect(captions.map(([, title, note]) => [title, note])).toEqual([
      ['Throughput', throughputNote],
      ['Throughput', throughputNote],
      ['CPU per request, service and database', cpuNote],
      ['CPU per request, service and database', cpuNote],
    ]);
    expect(html).toContain('<summary><strong>Throughput</strong>: 3 no change</summary>');
    expect(html).toContain('<summary><strong>Throughput, single cases</strong>: 1 better</summary>');
    expect(html).toContain('</ul>\n<details><summary><strong>Throughput</strong>');
    expect(html).toContain('</details>\n<figure class="intervals"><figcaption>CPU per request, service and database');
  });

  it('folds the pictures of many cases away', () => {
    const cases = Array.from({ length: 25 }, (_, index) =>
      caseOf(`api/ping/direct/wrk/keep-alive-off/${index}`, { throughput: throughput() }),
    );
    expect(page(comparisonOf(cases))).toContain(
      '<details><summary><strong>Throughput</strong>: 25 no change</summary>\n<figure class="intervals">',
    );
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

  it('opens its charts on the worst regression, the baseline beside the candidate', () => {
    const { panels, first, showsResources } = pageData(record, madeUp.regression);
    expect(panels[first]!.title).toBe('users (GET /db/users), wrk');
    expect(panels[0]!.title).toBe('users (GET /db/users), wrk');
    expect(showsResources).toBe(true);
    expect(panels[first]!.rows[0]!.baseline).toMatchObject({ throughput: 48_100, cpuUs: { service: 412 } });
    const alone = pageData(record);
    expect(alone.panels[alone.first]!.title).toBe('ping (GET /ping), wrk');
    expect(alone.panels.flatMap(({ rows }) => rows.map(({ baseline }) => baseline))).toEqual(Array(8).fill(null));
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
            word: 'worse',
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
