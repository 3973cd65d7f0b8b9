import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { blockMarkdown } from '../../../src/core/report/markdown/blocks.ts';
import {
  codeSpan,
  codeSpanInTable,
  escapeHtmlText,
  escapeLine,
  escapeText,
} from '../../../src/core/report/markdown/escape.ts';
import { markdown } from '../../../src/core/report/markdown/index.ts';
import { madeUp } from './comparison/examples.ts';
import { type FixtureName, fixtureRecord } from './fixture-records.ts';

const names: FixtureName[] = ['apostol', 'abstract-rest', 'hardware-tax', 'small', 'troubled'];

/** Cells of the table that stands after this line, header and rule left out. */
function tableAfter(report: string, line: string, from = ''): string[][] {
  const lines = report.slice(report.indexOf(from)).split('\n');
  const start = lines.indexOf(line);
  expect(start, `"${line}" stands in the report`).toBeGreaterThan(-1);
  const table = lines.slice(start + 2);
  const rows = table.slice(
    0,
    table.findIndex((each) => !each.startsWith('|')),
  );
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('**', '')),
  );
}

describe('report.md', () => {
  it.each(names)('of %s, whole', async (name) => {
    await expect(markdown(fixtureRecord(name))).toMatchFileSnapshot(`__snapshots__/${name}.md`);
  });

  it('of a run that was compared, whole: the comparison stands before all else, which is of the candidate', async () => {
    const report = markdown(fixtureRecord('compared'), madeUp.regression);
    await expect(report).toMatchFileSnapshot('__snapshots__/compared.md');
    const results = report.slice(report.indexOf('## Results'), report.indexOf('## How to reproduce'));
    expect(results).not.toContain('baseline');
  });

  it('has the published table of /ping with 100 kept connections', () => {
    const report = markdown(fixtureRecord('apostol'));
    expect(tableAfter(report, '**4 threads / 100 connections:**', '### ping (GET /ping), keep-alive on')).toEqual([
      ['nginx (reference)', '584,991', '119 µs', '109 µs', '143 µs', '215 µs', '330 µs'],
      ['apostol-v2', '270,706', '368 µs', '351 µs', '380 µs', '436 µs', '722 µs'],
      ['go', '114,873', '0.91 ms', '0.87 ms', '1.30 ms', '1.76 ms', '2.50 ms'],
      ['apostol-v1', '67,004', '1.50 ms', '1.48 ms', '1.51 ms', '1.63 ms', '2.13 ms'],
      ['nodejs', '54,308', '2.18 ms', '1.77 ms', '1.86 ms', '2.04 ms', '4.33 ms'],
      ['python', '2,404', '41.51 ms', '41.03 ms', '41.98 ms', '42.06 ms', '49.06 ms'],
    ]);
  });

  it('has the published picture under it', () => {
    expect(markdown(fixtureRecord('apostol'))).toContain(
      [
        '```',
        'nginx       ████████████████████████████████████████████████████████  585K  reference',
        'apostol-v2  ██████████████████████████                                271K',
        'go          ███████████                                               115K',
        'apostol-v1  ██████                                                     67K',
        'nodejs      █████                                                      54K',
        'python      ▏                                                           2K',
        '```',
      ].join('\n'),
    );
  });

  it('leaves out the percentiles that nobody reported', () => {
    const report = markdown(fixtureRecord('apostol'));
    expect(tableAfter(report, '**4 threads / 1,000 connections:**', '### ping (GET /ping), keep-alive off')[0]).toEqual(
      ['apostol-v2', '83,617', '10.63 ms', '9.62 ms', '25.75 ms'],
    );
  });

  it('has the published ratios, shares of the reference and spreads', () => {
    const report = markdown(fixtureRecord('apostol'));
    const ratios = tableAfter(report, '**ping (GET /ping):**', '## Service against service');
    expect(ratios.slice(0, 2)).toEqual([
      ['apostol-v2 / go', '2.4x', '2.3x', '8.6x', '3.4x'],
      ['apostol-v2 / apostol-v1', '4.0x', '4.2x', '10.4x', '5.1x'],
    ]);
    const database = tableAfter(report, '**db-ping (GET /db/ping):**', '## Service against service');
    expect(database.find(([pair]) => pair === 'apostol-v2 / go')?.[1]).toBe('1.2x');
    expect(database.find(([pair]) => pair === 'apostol-v2 / apostol-v1')?.[1]).toBe('2.1x');
    expect(tableAfter(report, '**ping (GET /ping):**', '## Against the reference')[0]?.slice(0, 2)).toEqual([
      'apostol-v2 of nginx',
      '46%',
    ]);
    const title = '**ping (GET /ping), keep-alive on, 4 threads / 1,000 connections:**';
    expect(tableAfter(report, title, '## Latency consistency')).toEqual([
      ['python', '88.00 ms', '115.89 ms', '1.3x'],
      ['go', '8.94 ms', '13.55 ms', '1.5x'],
      ['apostol-v2', '3.73 ms', '6.38 ms', '1.7x'],
      ['nginx (reference)', '1.27 ms', '5.45 ms', '4.3x'],
      ['apostol-v1', '15.99 ms', '252.37 ms', '15.8x'],
      ['nodejs', '17.64 ms', '846.23 ms', '48.0x'],
    ]);
  });

  it('has the published drop factors', () => {
    const report = markdown(fixtureRecord('apostol'));
    expect(tableAfter(report, '**ping (GET /ping), 100 connections:**', '## Keep-alive impact')).toEqual([
      ['nginx (reference)', '584,991', '85,920', '6.8x'],
      ['apostol-v2', '270,706', '75,720', '3.6x'],
      ['go', '114,873', '8,760', '13.1x'],
      ['apostol-v1', '67,004', '7,274', '9.2x'],
      ['nodejs', '54,308', '6,282', '8.6x'],
      ['python', '2,404', '5,604', '+133%'],
    ]);
  });

  it('has memory and CPU side by side as the hardware tax table has them', () => {
    const report = markdown(fixtureRecord('hardware-tax'));
    expect(tableAfter(report, '**root (GET /), keep-alive off, 1,000 connections:**', '## Memory and CPU')).toEqual([
      ['Requests per second', '6,219', '6,139', '6,000', '5,986'],
      ['Max latency', '323 ms', '326 ms', '348 ms', '1,452 ms'],
      ['p99 latency', '229 ms', '249 ms', '326 ms', '1,159 ms'],
      ['Memory peak', '2.87 MiB', '13.8 MiB', '3.13 MiB', '67.9 MiB'],
      ['CPU usage, service', '100.0%', '99.3%', '116.7%', '98.7%'],
    ]);
  });

  it('never has latencies of two generators in one table', () => {
    const report = markdown(fixtureRecord('small'));
    const tables = report.split('\n\n').filter((part) => part.startsWith('|') && / ms /.test(part));
    expect(tables.length).toBeGreaterThan(4);
    for (const table of tables) expect(/wrk/.test(table) && /k6/.test(table)).toBe(false);
  });

  it('says that nothing was measured, and why', () => {
    const record = fixtureRecord('troubled');
    record.cases = [];
    const report = markdown(record);
    expect(report).toContain('Nothing was measured: never-started did not answer GET / within 30 s.');
    expect(report).not.toContain('## Results');
    record.services = [];
    expect(markdown(record)).toContain('\n\nNothing was measured.\n');
  });
});

describe('a text in Markdown', () => {
  it('is no markup, mention, reference or link', () => {
    expect(escapeText('a|b `c` **d** _e_ [f](g) <h> &amp; ~i~ $j$ \\')).toBe(
      'a\\|b \\`c\\` \\*\\*d\\*\\* \\_e\\_ \\[f\\](g) &lt;h&gt; &amp;amp; \\~i\\~ <span>\\$</span>j<span>\\$</span> \\\\',
    );
    expect(escapeText('@octocat a@b.example #12 GH-12 https://evil.example www.evil.example')).toBe(
      '@\u200boctocat a@\u200bb.example #\u200b12 GH-\u200b12 https:\u200b//evil.example www\u200b.evil.example',
    );
    expect(escapeText('_www.evil.example a@-b.example :tada: at 10:15:00')).toBe(
      '\\_www\u200b.evil.example a@\u200b-b.example :\u200btada: at 10:15:00',
    );
  });

  it('has hashes of commits as code, which nobody links and everybody can copy', () => {
    expect(escapeText('commit 3f2c1ab, run 20261120-092802-0a1b2c, not cafe')).toBe(
      'commit <code>3f2c1ab</code>, run <code>20261120-092802-0a1b2c</code>, not cafe',
    );
  });

  it('is escaped as HTML where GitHub takes the line for it', () => {
    expect(escapeHtmlText('a_b <i> & www.evil.example, 5 $')).toBe(
      'a_b &lt;i&gt; &amp; www\u200b.evil.example, 5 <span>$</span>',
    );
  });

  it('begins no heading, list, quote or rule', () => {
    expect(
      ['# a', '- b', '+ c', '1. d', '12) e', '--- f', '=== g', '#1', ':-', '-:', '==', '#', '    h', 'plain'].map(
        escapeLine,
      ),
    ).toEqual([
      '\\# a',
      '\\- b',
      '\\+ c',
      '1\\. d',
      '12\\) e',
      '\\--- f',
      '\\=== g',
      '#1',
      '\\:-',
      '\\-:',
      '\\==',
      '\\#',
      'h',
      'plain',
    ]);
  });

  it('stands in code whatever backticks it has', () => {
    expect(['plain', 'a`b', '`a', '``', ' '].map(codeSpan)).toEqual([
      '`plain`',
      '``a`b``',
      '`` `a ``',
      '``` `` ```',
      '',
    ]);
    expect(codeSpanInTable('a|b')).toBe('`a\\|b`');
  });

  it('makes no other row of its table as long as it is', () => {
    const cells = ['x'.repeat(100_000), ...Array.from({ length: 50 }, (_, index) => `service ${index}`)];
    const rows = cells.map((cell) => ({ cells: [cell], tone: 'plain' as const }));
    const table = { label: '', columns: [{ title: 'Service', align: 'left' as const }], rows };
    expect(blockMarkdown({ kind: 'table', table }).length).toBeLessThan(120_000);
  });

  it('stands in code however many backticks it has', () => {
    const many = '` '.repeat(300_000);
    expect(codeSpan(many).slice(0, 5)).toBe('`` ` ');
    expect(blockMarkdown({ kind: 'code', language: '', text: many }).slice(0, 5)).toBe('```\n`');
  });

  it('never breaks out of its table, whatever it is', () => {
    const seed = 20260301;
    const record = fixtureRecord('abstract-rest');
    record.cases = record.cases.slice(0, 2);
    record.spec.services = record.spec.services.slice(0, 1);
    const rowsOf = (name: string) => {
      record.cases[0]!.service = name;
      record.spec.services[0]!.name = name;
      return markdown(record)
        .split('\n')
        .filter((line) => line.startsWith('| '));
    };
    const borders = (row: string) => row.replace(/\\[\s\S]/g, '').split('|').length;
    const usual = rowsOf('plain').map(borders);
    fc.assert(
      fc.property(fc.string({ unit: 'binary', minLength: 1 }), (name) => {
        expect(rowsOf(`${name}|\n`).map(borders)).toEqual(usual);
      }),
      { seed, numRuns: 100 },
    );
  });
});
