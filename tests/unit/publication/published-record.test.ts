import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { startHistory } from '../../../src/core/comparison/stored-history.ts';
import { publishedRecord } from '../../../src/core/publication/published-record.ts';
import { publishedText } from '../../../src/core/record/published-form.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const record = madeUpRecord({ seed: 12, rounds: 7, cases: [{ ratios: { 'cpu-per-request': 1.1 } }] });
const published = publishedRecord(record, comparisonOf(record));

describe('a run as it is kept on the data branch', () => {
  it('holds what was measured of the candidate, alone, and no samples', () => {
    expect(published.cases.every(({ variant }) => variant === 'candidate')).toBe(true);
    const samples = published.cases.flatMap(({ metrics }) => Object.values(metrics).flatMap((each) => each.samples));
    expect(samples).toEqual([]);
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
    expect(published.published).toEqual({
      accepted: [],
      baseline: record.comparing!.baseline,
      passed: false,
      mode: 'duet',
    });
  });

  it('keeps how far each endpoint is from the anchor, and what became of that, in its two forms', () => {
    const both = [16, 100].map((connections) => ({ connections, ratios: { 'cpu-per-request': 1.1 } }));
    const made = madeUpRecord({ seed: 12, rounds: 20, cases: both, gate: { anchor: 'commit:v1.0' } });
    const comparison = comparisonOf(made);
    const key = 'go/ping/*';
    const since = [{ key, metric: 'cpu-per-request', accepted: 0.0412345678, runs: 2, crept: true }];
    const kept = publishedRecord(made, { ...comparison, anchor: { ...comparison, since } });
    const { name, sha, changes } = kept.published!.anchor!;
    expect([name, sha]).toEqual(['v1.0', made.comparing!.baseline.sha]);
    expect(changes[0]).toMatchObject({ key, service: 'go', endpoint: 'ping' });
    expect(changes[0]!.metrics['cpu-per-request']).toEqual({
      change: expect.closeTo(0.1, 2),
      accepted: 0.04123,
      runs: 2,
      crept: true,
    });
    // Throughput at the end of a duet, memory of the process and what is only shown stay with their cases.
    expect(changes.map((each) => each.key)).toEqual([
      key,
      'go/ping/direct/wrk/keep-alive/16',
      'go/ping/direct/wrk/keep-alive/100',
    ]);
    expect(changes.slice(1).some(({ metrics }) => Object.hasOwn(metrics, 'cpu-per-request'))).toBe(false);
    expect(readRunRecord(publishedText(kept), 'run.json')).toEqual(kept);
  });

  it('says where the texts of its generators lie beside it, and not where they lay beside another copy of it', () => {
    const withTexts = publishedRecord(record, comparisonOf(record), { raw: true });
    expect(withTexts.published).toEqual({ ...published.published, raw: true });
    expect(readRunRecord(publishedText(withTexts), 'run.json')).toEqual(withTexts);
    expect(publishedRecord(withTexts, null)).toEqual(published);
  });

  it('is a record that can be read again, a fraction as long', () => {
    const text = publishedText(published);
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

describe('a published record with a search', () => {
  const probe = {
    ...{ level: 2000, held: true, why: null, message: null, throughput: 1999.123456, p99Ms: 3.25123456, errorShare: 0 },
    ...{ isDisturbed: false, startedNs: 1, durationNs: 5e9, raw: ['raw/a.txt'] },
  };
  const search = {
    ...{ service: 'go', endpoint: 'ping', find: 'rate' as const, generator: 'k6' as const, connections: 50 },
    ...{ limits: { p99Ms: 50, errorShare: 0.001 }, held: 2000, failed: null, why: null, message: null },
    ...{ isComplete: true, isContradictory: false, lost: null, probes: [probe, probe] },
  };

  it('keeps its tries without the texts of generators, also on the data branch', () => {
    const kept = publishedRecord({ ...record, searches: [search] }, null);
    const short = { ...probe, throughput: 1999.12, p99Ms: 3.25123, raw: [] };
    expect(kept.searches).toEqual([{ ...search, probes: [short, short] }]);
    expect(readRunRecord(publishedText(kept), 'run.json')).toEqual(kept);
  });
});
