import { describe, expect, it } from 'vitest';
import { publishedRecord } from '../../../../src/core/publication/published-record.ts';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { comparePage } from '../../../../src/core/report/pages/compare.ts';
import { fixtureRecord } from '../fixture-records.ts';

const base: RunRecord = { ...publishedRecord(fixtureRecord('compared'), null), id: 'base' };

/** What is said of the counts, and how many rows are below it. */
function counts(change: (head: RunRecord) => void): { text: string; rows: number } {
  const head: RunRecord = { ...structuredClone(base), id: 'head' };
  change(head);
  const [first, table] = comparePage(base, head, null).counts!.blocks;
  return {
    text: first?.kind === 'paragraph' ? inlineText(first.text) : '',
    rows: table?.kind === 'table' ? table.table.rows.length : 0,
  };
}

describe('the exact counts of two runs', () => {
  const more = ({ cases }: RunRecord) => {
    cases[0]!.metrics['bytes-per-response']!.value += 1;
  };
  const invalid = ({ cases }: RunRecord) => {
    Object.assign(cases[1]!, { status: 'invalid', reasons: [{ code: 'errors', message: 'too many errors' }] });
  };

  it('are the same, and have no table', () => {
    const { text, rows } = counts(() => undefined);
    expect(text).toMatch(/^All \d+ counts of queries, rows and bytes per request are the same in both runs\.$/);
    expect(rows).toBe(0);
  });

  it('are not all the same where some of them cannot be compared, which the table has', () => {
    const { text, rows } = counts(invalid);
    const [, same, all] =
      /^(\d+) of (\d+) counts of queries, rows and bytes per request are the same in both runs\. /.exec(text)!;
    expect(text).toMatch(/ The others cannot be compared:$/);
    expect(rows).toBe(Number(all) - Number(same));
    expect(rows).toBeGreaterThan(0);
  });

  it('that differ are counted, and those that cannot be compared beside them', () => {
    expect(counts(more)).toEqual({
      text: expect.stringMatching(/^1 of \d+ counts differ; the others are the same in both runs\.$/),
      rows: 1,
    });
    const both = counts((head) => {
      more(head);
      invalid(head);
    });
    expect(both.text).toMatch(new RegExp(`^1 of \\d+ counts differ; .* ${both.rows - 1} more cannot be compared\\.$`));
  });
});
