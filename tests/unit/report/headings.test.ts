import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import type { Block, Section } from '../../../src/core/report/document.ts';
import { pageDocument } from '../../../src/core/report/html/page-document.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { reportDocument } from '../../../src/core/report/sections/index.ts';
import { type MadeUpName, madeUp } from './comparison/examples.ts';
import { type FixtureName, fixtureRecord } from './fixture-records.ts';

/** Headings, captions and folds with nothing under them, and lists and tables without an entry. */
function emptyIn(title: string, blocks: readonly Block[]): string[] {
  if (blocks.length === 0) return [title];
  return blocks.flatMap((block, index) => {
    const next = blocks[index + 1];
    switch (block.kind) {
      case 'heading':
        return next === undefined || next.kind === 'heading' ? [inlineText(block.text)] : [];
      case 'caption':
        return next === undefined || ['heading', 'caption'].includes(next.kind) ? [inlineText(block.text)] : [];
      case 'details':
        return emptyIn(inlineText(block.summary), block.blocks);
      case 'list':
        return block.items.length === 0 ? [`a list in ${title}`] : [];
      case 'table':
        return block.table.rows.length === 0 || block.table.columns.length === 0 ? [block.table.label] : [];
      default:
        return [];
    }
  });
}

function emptyOf(record: RunRecord, comparison: Parameters<typeof reportDocument>[1] = null): string[] {
  const page = pageDocument(record, comparison);
  const sections: Section[] = [
    ...reportDocument(record, comparison).sections,
    ...page.leading,
    ...page.following,
    ...page.folded,
  ];
  return sections.flatMap(({ title, blocks }) => emptyIn(inlineText(title), blocks));
}

const VARIANTS: [string, (record: RunRecord) => RunRecord][] = [
  ['as it is', (record) => record],
  ['without a case', (record) => ({ ...record, cases: [] })],
  ['without a figure', (record) => ({ ...record, cases: record.cases.map((each) => ({ ...each, metrics: {} })) })],
  [
    'with invalid cases alone',
    (record) => ({ ...record, cases: record.cases.map((each) => ({ ...each, status: 'invalid', reasons: [] })) }),
  ],
  ['of one case', (record) => ({ ...record, cases: record.cases.slice(0, 1) })],
];

describe.each<FixtureName>(['apostol', 'abstract-rest', 'hardware-tax', 'small', 'troubled', 'compared'])(
  'the report of %s',
  (name) => {
    it.each(VARIANTS)('has something under each heading: %s', (_, variant) => {
      expect(emptyOf(variant(fixtureRecord(name)))).toEqual([]);
    });
  },
);

describe('the report of a comparison', () => {
  it.each(Object.keys(madeUp) as MadeUpName[])('has something under each heading: %s', (name) => {
    expect(emptyOf(fixtureRecord('compared'), madeUp[name])).toEqual([]);
    const without = { ...fixtureRecord('compared'), cases: [] };
    expect(emptyOf(without, { ...madeUp[name], cases: [], endpoints: [], services: [] })).toEqual([]);
  });
});
