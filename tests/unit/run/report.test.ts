import { describe, expect, it } from 'vitest';
import { readRecordOf } from '../../../src/app/record-folder.ts';
import { storedComparison } from '../../../src/app/report.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { journalLine } from '../../../src/core/record/journal.ts';
import { UnreadableRecord } from '../../../src/core/record/run-record-file.ts';
import { journalHeader } from '../../support/journal-header.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

describe('the comparison of a record that is reported again', () => {
  // Near their limits, and scattering: ten rounds do not decide them.
  const ratios = { 'cpu-per-request': 1.04, throughput: 0.95 };
  const record = madeUpRecord({ seed: 5, cases: [{ ratios }], rounds: 10, scatter: 0.04 });
  const again = (kept: object | null) =>
    storedComparison(record, kept === null ? null : JSON.stringify(kept), 'comparison.json')!;

  it('is that of the record', () => {
    expect(comparisonOf(record).gate.inconclusive.length).toBeGreaterThan(0);
    expect(again(null)).toEqual(comparisonOf(record));
    expect(again(comparisonOf(record))).toEqual(comparisonOf(record));
  });

  it('keeps its anchor, or why it has none', () => {
    const anchor = comparisonOf(madeUpRecord({ id: 'anchored', cases: [{}] }));
    const warning = { code: 'anchor-not-compared', message: 'The anchor commit:v1 was not compared with: gone.' };
    const kept = { ...comparisonOf(record), warnings: [warning, { code: 'other', message: 'x' }], anchor };
    expect(again(kept)).toEqual({
      ...comparisonOf(record),
      warnings: [warning],
      anchor: JSON.parse(JSON.stringify(anchor)),
    });
    const { candidate } = kept;
    expect(again({ ...kept, candidate: { ...candidate, id: 'another' } })).toEqual(comparisonOf(record));
  });

  it('fails where it was told to fail for what is undecided', () => {
    expect(again(null).gate.passed).toBe(true);
    expect(again(comparisonOf(record, { failOnInconclusive: true })).gate.passed).toBe(false);
  });
});

describe('the record of a folder', () => {
  const record = madeUpRecord({ cases: [] });
  const text = JSON.stringify(record);
  const journal = journalLine(journalHeader({ id: 'of-the-journal' }));

  it('is run.json, or what the journal amounts to where that is not there or empty', () => {
    expect(readRecordOf({ record: text, journal }, 'out').id).toBe(record.id);
    expect(readRecordOf({ record: null, journal }, 'out').id).toBe('of-the-journal');
    expect(readRecordOf({ record: '', journal }, 'out').id).toBe('of-the-journal');
  });

  it('is none where an empty run.json is all there is', () => {
    expect(() => readRecordOf({ record: '', journal: null }, 'out')).toThrow(UnreadableRecord);
  });
});
