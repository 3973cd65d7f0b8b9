import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { startHistory } from '../../../src/core/comparison/stored-history.ts';
import { publishedRecord } from '../../../src/core/publication/published-record.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const record = madeUpRecord({ seed: 12, rounds: 7, cases: [{ ratios: { 'cpu-per-request': 1.1 } }] });
const published = publishedRecord(record, comparisonOf(record));

describe('a run as it is kept on the data branch', () => {
  it('holds what was measured of the candidate, alone', () => {
    expect(published.cases.every(({ variant }) => variant === 'candidate')).toBe(true);
    const modes = published.cases.flatMap(({ metrics }) =>
      Object.values(metrics).flatMap(({ samples }) => samples.map(({ mode }) => mode)),
    );
    expect(new Set(modes)).toEqual(new Set(['solo']));
  });

  it('keeps the figures', () => {
    const figures = (of: typeof record) =>
      of.cases
        .filter(({ variant }) => variant === 'candidate')
        .map(({ key, metrics }) => [key, Object.entries(metrics).map(([name, { value }]) => [name, value])]);
    expect(figures(published)).toEqual(figures(record));
  });

  it('tells how it compared, in a few words', () => {
    expect(published.comparing).toBeUndefined();
    expect(published.published).toEqual({ accepted: [], baseline: record.comparing!.baseline, passed: false });
  });

  it('is a record that can be read again, a fraction as long', () => {
    const text = JSON.stringify(published);
    expect(readRunRecord(text, 'run.json')).toEqual(published);
    expect(text.length).toBeLessThan(JSON.stringify(record).length / 3);
  });

  it('says to later runs which changes were accepted', () => {
    const accepted = [{ cases: '*', metric: 'cpu-per-request', reason: 'roles' }];
    const known = publishedRecord({ ...record, comparing: { ...record.comparing!, accepted } }, null);
    const history = startHistory();
    history.add(known);
    expect([...history.end().accepted.values()]).toEqual([0]);
  });
});
