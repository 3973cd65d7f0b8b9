import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { measured } from '../../../../src/core/report/comparison/measured.ts';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { DECIDING_URL } from '../../../../src/core/report/links.ts';
import { fixtureRecord } from '../fixture-records.ts';
import { type MadeUpName, madeUp } from './examples.ts';
import { caseOf, comparisonOf, keys, queries } from './made-up.ts';

const itemsOf = (comparison: Parameters<typeof measured>[0]) => {
  const [list] = measured(comparison, fixtureRecord('compared'));
  return list?.kind === 'list' ? list.items.map(inlineText) : [];
};
const INTERVALS =
  'An interval holds the true change with a probability of at least 97 %; a verdict needs all of it beyond the limit (how it is decided).';

describe('how a comparison was measured', () => {
  it.each<MadeUpName>(['regression', 'unchanged', 'undecided', 'stored'])('has one line on statistics: %s', (name) => {
    const ofStatistics = itemsOf(madeUp[name]).filter((item) => /probability|interval|corrected/i.test(item));
    expect(ofStatistics).toEqual([INTERVALS]);
  });

  it('has none where only counts were compared', () => {
    const counts = comparisonOf([caseOf(keys.users, { 'queries-per-request': queries(1, 2) })]);
    expect(itemsOf(counts)).not.toContain(INTERVALS);
  });

  it('links to a heading that the documents have', () => {
    const [page, anchor] = DECIDING_URL.slice(DECIDING_URL.indexOf('/docs/') + 1).split('#') as [string, string];
    const headings = readFileSync(page, 'utf8').match(/^#+ .*$/gm)!;
    const anchors = headings.map((line) => line.replace(/^#+ /, '').toLowerCase().replaceAll(' ', '-'));
    expect(anchors).toContain(anchor);
  });
});
