import { describe, expect, it } from 'vitest';
import type { Block } from '../../../src/core/report/document.ts';
import { counts } from '../../../src/core/report/sections/counts.ts';
import { viewOf } from '../../../src/core/report/view.ts';
import { fixtureRecord } from './fixture-records.ts';

const TITLE = 'System calls per request';

function shown(record: ReturnType<typeof fixtureRecord>) {
  const blocks: Block[] = counts(viewOf(record))!.blocks;
  const text = blocks.flatMap((block) => (block.kind === 'paragraph' ? [String(block.text)] : [])).join('\n');
  const [table] = blocks.flatMap((block) => (block.kind === 'table' ? [block.table] : []));
  const titles = table!.columns.map(({ title }) => title);
  const last = table!.rows.map(({ cells }) => cells[titles.indexOf(TITLE)]);
  return { text, titles, last };
}

describe('what is counted for each request', () => {
  it('has no column of system calls where none were counted', () => {
    const { text, titles } = shown(fixtureRecord('small'));
    expect(titles).toContain('Queries per request');
    expect(titles).not.toContain(TITLE);
    expect(text).not.toContain('System calls');
  });

  it('has them where they were, and says which', () => {
    const record = fixtureRecord('small');
    const [first] = record.cases;
    first!.metrics['syscalls-per-request'] = { value: 4.05, unit: '1/request', samples: [] };
    const { text, titles, last } = shown(record);
    expect(titles.at(-1)).toBe(TITLE);
    expect(last).toContain('4.05');
    expect(text).toContain('System calls are those of the service, without those by which it waits');
  });
});
