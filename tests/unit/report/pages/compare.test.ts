import { describe, expect, it } from 'vitest';
import { metricNamed } from '../../../../src/core/metrics/registry.ts';
import { publishedRecord } from '../../../../src/core/publication/published-record.ts';
import type { RunRecord } from '../../../../src/core/record/run-record.ts';
import { inlineText } from '../../../../src/core/report/inline-text.ts';
import { comparePage } from '../../../../src/core/report/pages/compare.ts';
import { fixtureRecord } from '../fixture-records.ts';

const base = { ...publishedRecord(fixtureRecord('compared'), null), id: 'base' };
const BYTES = 'bytes-per-response';
const isCount = (name: string) => metricNamed(name)?.ofPass !== undefined;

/** Its sentence, and how many rows stand under it. */
function countsOf(changed: (head: RunRecord) => void): [text: string, rows: number] {
  const head: RunRecord = { ...structuredClone(base), id: 'head' };
  changed(head);
  const blocks = comparePage(base, head, null).counts!.blocks;
  const [text = ''] = blocks.flatMap((block) => (block.kind === 'paragraph' ? inlineText(block.text) : []));
  return [text, blocks.flatMap((block) => (block.kind === 'table' ? block.table.rows : [])).length];
}

describe('what is said of the counts of two published runs', () => {
  it('is that all are the same where there is no other one', () => {
    expect(countsOf(() => {})).toEqual(['All 16 counts per request are the same in both runs.', 0]);
  });

  it.each<[string, (head: RunRecord) => void, string]>([
    [
      'that one run lacks',
      ({ cases }) => {
        delete cases[0]!.metrics[BYTES];
      },
      '15 counts per request are the same in both runs; 1 count was taken in one run alone.',
    ],
    [
      'of cases that are invalid',
      ({ cases }) => {
        for (const index of [0, 1]) {
          cases[index] = { ...cases[index]!, status: 'invalid', reasons: [{ code: 'errors', message: 'too many' }] };
        }
      },
      '14 counts per request are the same in both runs; 2 counts are of cases that are invalid in a run.',
    ],
    [
      'that differ, beside others',
      ({ cases }) => {
        cases[0]!.metrics[BYTES]!.value += 1;
        delete cases[1]!.metrics[BYTES];
      },
      '1 count differs; 14 counts per request are the same in both runs; 1 count was taken in one run alone.',
    ],
    [
      'of which none was taken in both',
      ({ cases }) => {
        for (const { metrics } of cases) {
          for (const name of Object.keys(metrics).filter(isCount)) delete metrics[name];
        }
      },
      '16 counts were taken in one run alone.',
    ],
  ])('never speaks of all above a table of counts %s', (_, changed, said) => {
    const [text, rows] = countsOf(changed);
    expect(text).toBe(said);
    expect(rows).toBeGreaterThan(0);
  });
});
