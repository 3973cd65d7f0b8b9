import { describe, expect, it } from 'vitest';
import { contests } from '../../../../src/core/report/analysis/contest.ts';
import { noPast } from '../../../../src/core/report/analysis/ranges.ts';
import type { Block } from '../../../../src/core/report/document.ts';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { denominators, rankingPage } from '../../../../src/core/report/pages/ranking.ts';
import { viewOf } from '../../../../src/core/report/view.ts';
import { type FixtureName, fixtureRecord } from '../fixture-records.ts';

function ranked(name: FixtureName, which = 0, relativeTo: string | null = null) {
  const view = viewOf(fixtureRecord(name));
  const contest = contests(view)[which]!;
  return { contest, page: rankingPage(view, contest, relativeTo, noPast) };
}

const tableOf = (blocks: readonly Block[]) =>
  blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []))[0]!;
const textOf = (blocks: readonly Block[]) => tableOf(blocks).rows.map(({ cells }) => cells.map(inlineText).join(' | '));

describe('a ranking', () => {
  it('says who is ahead and by how much, and holds all against the one that is chosen', () => {
    const { page } = ranked('apostol', 0, 'go');
    expect(inlineText(page.lead)).toBe(
      'ping, wrk, keep-alive on, 4 threads / 100 connections: apostol-v2 answers the most requests, 270,706/s, 2.4x the next, go.',
    );
    expect(tableOf(page.blocks).columns.map(({ title }) => inlineText(title))).toEqual([
      'Service',
      'Rank',
      'Requests per second',
      '× go',
      'p50',
      'p99',
    ]);
    expect(textOf(page.blocks)).toEqual([
      'nginx (reference) | – | 584,991 | 5.1x | 109 µs | 330 µs',
      'apostol-v2 | 1 | 270,706 | 2.4x | 351 µs | 722 µs',
      'go | 2 | 114,873 | 1.00x | 0.87 ms | 2.50 ms',
      'apostol-v1 | 3 | 67,004 | 0.58x | 1.48 ms | 2.13 ms',
      'nodejs | 4 | 54,308 | 0.47x | 1.77 ms | 4.33 ms',
      'python | 5 | 2,404 | 0.021x | 41.03 ms | 49.06 ms',
    ]);
  });

  it('has the pairs, the reference, more connections, keep-alive and the spread of the same endpoint', () => {
    const { sections } = ranked('apostol').page;
    expect(sections.map(({ id }) => id)).toEqual(['overall', 'pairs', 'references', 'scaling', 'keep-alive', 'spread']);
    const pairs = sections.find(({ id }) => id === 'pairs')!;
    expect(textOf(pairs.blocks)[0]).toBe('apostol-v2 / go | 2.4x');
  });

  it('has pairs of memory, too', () => {
    const pairs = ranked('hardware-tax').page.sections.find(({ id }) => id === 'pairs')!;
    expect(tableOf(pairs.blocks).columns.map(({ title }) => inlineText(title))).toContain('Peak memory');
  });

  it('never ranks what is invalid, and says why', () => {
    const { page, contest } = ranked('troubled');
    const warning = page.blocks.find(({ kind }) => kind === 'warning');
    expect(warning?.kind === 'warning' ? inlineText(warning.text) : '').toMatch(
      /^Not ranked, because their figures do not mean .*is let pass \(and 1 more reason\)\./,
    );
    const invalid = contest.rows.filter(({ entry }) => !entry.valid).map(({ label }) => label);
    expect(denominators(contest).filter((label) => invalid.includes(label))).toEqual([]);
    expect(textOf(page.blocks).filter((row) => row.includes('not ranked'))).toHaveLength(invalid.length);
  });

  it('at a given rate shows latency, and no ratio of throughput', () => {
    const view = viewOf(fixtureRecord('compared'));
    const which = contests(view).findIndex(({ openModel }) => openModel);
    const { page } = ranked('compared', which);
    expect(inlineText(page.lead)).toContain('throughput ranks nobody');
    const bars = page.blocks.flatMap((block) => (block.kind === 'picture' ? [block.picture] : []))[0]!;
    expect(bars.form === 'bars' ? bars.measures.map(({ title }) => title) : []).toEqual([
      'p50',
      'p99',
      'Peak memory',
      'CPU per request',
    ]);
    expect(page.sheet.rows.map((row) => row.at(-1))).toEqual([null, null]);
  });

  it('goes on where the one to hold against is unknown or an attack', () => {
    expect(textOf(ranked('apostol', 0, '__proto__').page.blocks)[1]).toContain('1.00x');
  });
});
