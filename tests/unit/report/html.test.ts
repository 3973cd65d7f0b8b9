import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderReport } from '../../../src/app/report.ts';
import { embeddedJson, escapeHtml } from '../../../src/core/report/html/escape.ts';
import { pageData } from '../../../src/core/report/html/page-data.ts';
import { fixtureRecord } from './fixture-records.ts';

const pageScript = 'document.title += "</script><!--";';
const page = (name: Parameters<typeof fixtureRecord>[0]) => renderReport(fixtureRecord(name), 'html', { pageScript });

describe('report.html', () => {
  it('is one file that asks nobody for anything', () => {
    for (const name of ['apostol', 'small', 'troubled'] as const) {
      const tags = page(name).match(/<[^>]+>/g) ?? [];
      const targets = tags.flatMap((tag) =>
        [...tag.matchAll(/\b(?:src|href|action|data)="([^"]*)"/g)].map((match) => match[1]),
      );
      expect(targets.length).toBeGreaterThan(10);
      for (const target of targets)
        expect(target).toMatch(/^(#[\w-]+|data:,|run\.json|journal\.jsonl|raw\/[\w.%/-]+)$/);
    }
  });

  it('lets only its own script run', () => {
    const html = page('small');
    const policy = /http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(html)?.[1];
    const script = /<script>([\s\S]*?)<\/script>/.exec(html)?.[1] ?? '';
    expect(script).toBe('document.title += "\\x3c/script>\\x3c!--";');
    const hash = createHash('sha256').update(script).digest('base64');
    expect(policy).toBe(
      `default-src 'none'; script-src 'sha256-${hash}'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'`,
    );
  });

  it('says everything without its script', () => {
    const html = page('apostol');
    const row = ['apostol-v2', '270,706', '368 µs', '351 µs', '380 µs', '436 µs', '722 µs'];
    const cells = row.map((cell, index) =>
      index === 0 ? `<th scope="row" class="left">${cell}</th>` : `<td class="right">${cell}</td>`,
    );
    expect(html).toContain(`<tr class="best">${cells.join('')}</tr>`);
    expect(html).toContain(
      '<span class="bar-label">python</span><svg class="bar plain"><rect width="0.5%" height="100%"/>',
    );
    expect(html).toContain('<section id="charts" hidden>');
  });

  it('shows hostile names as they are', () => {
    const html = page('troubled');
    const dataFree = html.replace(/<script type="application\/json"[\s\S]*?<\/script>/, '');
    expect(dataFree).not.toMatch(/<(img|b|i)\b/);
    expect(dataFree.match(/<script/g)).toHaveLength(1);
    expect(dataFree).toContain('&lt;script&gt;alert(1)&lt;/script&gt;&lt;img src=x onerror=alert(2)&gt;');
    expect(dataFree).not.toMatch(/href="(?!#|data:,|run\.json|journal\.jsonl|raw\/)/);
    expect(dataFree).toContain('raw/../../etc/passwd');
  });

  it('keeps the indentation of log lines', () => {
    expect(page('troubled')).toContain('\n  at main.go:12</code></pre>');
  });

  it('links to every section that it has, the charts among them where they come', () => {
    for (const name of ['apostol', 'small', 'troubled', 'hardware-tax', 'compared'] as const) {
      const html = page(name);
      const contents = /<nav[^>]*>([\s\S]*?)<\/nav>/.exec(html)?.[1] ?? '';
      const linked = [...contents.matchAll(/href="#([\w-]+)"/g)].map((match) => match[1]!);
      const body = html.slice(html.indexOf('<main'), html.indexOf('</main>'));
      const sections = body.split('<section').slice(1);
      expect(sections.map((section) => /id="([\w-]+)"/.exec(section)?.[1])).toEqual(linked);
      expect(linked).toContain('charts');
      expect(contents).toContain('<a href="#charts" hidden>Charts</a>');
    }
  });

  it('folds what is rarely read, with the anchor inside, and neither results nor what went wrong', () => {
    const html = page('troubled');
    const folded = [
      ...html.matchAll(/<section class="folded"><details><summary><h2>([^<]+)<\/h2><\/summary>\n<div id/g),
    ];
    expect(folded.map(([, title]) => title)).toEqual([
      'Services',
      'Test environment',
      'Methodology',
      'Service against service',
      'Against the reference',
      'Latency consistency',
      'Latency in detail',
      'How to reproduce',
      'Raw data',
    ]);
    for (const id of ['summary', 'ranking', 'endpoints', 'warnings', 'charts', 'results', 'errors']) {
      expect(html).toContain(`<section id="${id}"`);
    }
  });

  it('has each endpoint in the test in which a service, and no reference, answered the most requests', () => {
    const html = page('apostol');
    const section = html.slice(html.indexOf('<section id="endpoints">'), html.indexOf('<section id="charts"'));
    const best = [...section.matchAll(/<tr class="best">(.*?)<\/tr>/g)].map(([, cells]) =>
      cells!.replace(/<[^>]+>/g, '|'),
    );
    expect(best).toEqual([
      '||ping (GET /ping)|||apostol-v2||270,706||368 µs||351 µs||722 µs||keep-alive on · 100 connections|',
      '|db-ping (GET /db/ping)||apostol-v2||69,407||1.44 ms||1.42 ms||2.09 ms||keep-alive on · 100 connections|',
    ]);
    expect(section.match(/keep-alive on · 100 connections/g)).toHaveLength(11);
  });

  it('names each row, also where the name goes on from the row above, and has no head without a text', () => {
    const html = page('apostol');
    expect(html).toContain('<th scope="row" class="left"><span class="again">ping (GET /ping)</span></th>');
    for (const name of ['apostol', 'compared'] as const) expect(page(name)).not.toMatch(/<th[^>]*><\/th>/);
    expect(html).toContain('<table class="mixed"><thead><tr><th scope="col" class="left">Machine</th><td></td></tr>');
  });

  it('says a warning of all cases once above the results, and marks none of them with it', () => {
    const record = fixtureRecord('small');
    const steal = { code: 'steal', message: "the hypervisor took 7 % of the server's CPUs" };
    for (const each of record.cases) each.warnings = [steal];
    const html = renderReport(record, 'html', { pageScript });
    expect(html).toContain('<p>All cases, for example: the hypervisor took 7 % of the server&#39;s CPUs.</p>');
    expect(html).not.toContain('†');
    record.cases[0]!.warnings = [];
    const marked = renderReport(record, 'html', { pageScript });
    expect(marked).not.toContain('All cases, for example: the hypervisor');
    expect(marked).toContain('†');
  });

  it('says a warning of all rows of a table once above that table', () => {
    const record = fixtureRecord('small');
    const waiting = { code: 'waiting', message: 'requests waited for something else' };
    for (const each of record.cases) if (each.generator === 'wrk') each.warnings = [waiting];
    const html = renderReport(record, 'html', { pageScript });
    expect(html).toContain('<p>All of this table, for example: requests waited for something else.</p>');
    const results = html.slice(html.indexOf('<section id="results">'), html.indexOf('<section class="folded">'));
    expect(results).not.toContain('†');
  });

  it('has a table for each panel that the charts look for', () => {
    for (const name of ['apostol', 'small', 'troubled', 'hardware-tax'] as const) {
      const html = page(name);
      for (const { id } of pageData(fixtureRecord(name)).panels) expect(html).toContain(`<table id="${id}-table">`);
    }
  });
});

describe('the data of the charts', () => {
  it('splits CPU per request into service and database', () => {
    expect(pageData(fixtureRecord('small')).panels[0]?.rows[0]).toEqual({
      label: 'keep-alive on · 100 connections',
      tone: 'plain',
      throughput: 2406.925,
      latencyMs: { p50: 41.3354, p75: 51.84375, p90: 65.8196, p99: 97.86015 },
      memoryBytes: { idle: 23488102, peak: 61967700, settled: 48234496 },
      cpuUs: { service: expect.closeTo(124.6, 0), database: expect.closeTo(287.3, 0) },
      cores: { service: 0.41, database: 0.58, gateway: 0 },
      baseline: null,
    });
  });

  it('has null for what was not measured', () => {
    expect(pageData(fixtureRecord('abstract-rest')).panels[0]?.rows[0]).toMatchObject({
      memoryBytes: { idle: null, peak: null, settled: null },
      cpuUs: { service: null, database: null },
      cores: { service: null, database: null, gateway: null },
    });
  });

  it('offers what tells the panels apart', () => {
    expect(pageData(fixtureRecord('apostol')).panels.at(-1)?.choices).toEqual({
      Endpoint: 'db-ping (GET /db/ping)',
      Generator: 'wrk',
      Route: 'direct',
      'Keep-alive': 'off',
      Load: '4 threads / 100 connections',
    });
  });
});

describe('escaping for HTML', () => {
  it('leaves nothing that is markup, in content or in a quoted attribute', () => {
    expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
      '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
    );
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(escapeHtml(text)).not.toMatch(/[<>"']|&(?!amp;|lt;|gt;|quot;|#39;)/);
      }),
      { seed: 20260301, numRuns: 1000 },
    );
  });

  it('embeds any JSON so that it neither ends its element nor changes', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom('</script>', '<!--', ']]>', '\u2028'), (value, text) => {
        const embedded = embeddedJson([value, text]);
        expect(embedded).not.toMatch(/[<>&\u2028\u2029]/);
        expect(JSON.parse(embedded)).toEqual(JSON.parse(JSON.stringify([value, text])));
      }),
      { seed: 20260301, numRuns: 500 },
    );
  });
});
