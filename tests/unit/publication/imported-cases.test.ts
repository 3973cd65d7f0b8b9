import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { type BenchmarkData, readBenchmarkData } from '../../../src/core/publication/benchmark-data.ts';
import { importedRuns } from '../../../src/core/publication/imported-runs.ts';
import { importedText } from '../../../src/core/publication/imported-text.ts';
import { emptyManifest } from '../../../src/core/publication/pages-files.ts';

const none = emptyManifest({ specName: 'rest-api', tool: '0.1.0', server: null, repository: null });
const caseFile = (name: string) =>
  readBenchmarkData(readFileSync(new URL(`../../../fixtures/cases/import/${name}`, import.meta.url), 'utf8'), name);

/** Case and unit → its figures, in the order of time. */
function seriesOf(data: BenchmarkData): Record<string, number[]> {
  const { manifest, rows, leftOut } = importedRuns(none, data);
  expect(leftOut).toBe(0);
  const series: Record<string, number[]> = {};
  for (const { points } of rows) {
    for (const [key, { value }] of points) {
      const [ofCase, metric] = key.split('.').map(Number) as [number, number];
      const { name } = manifest.metrics[metric]!;
      const title = `${manifest.cases[ofCase]!.endpoint} ${name.replace('imported/', '')}`;
      series[title] = [...(series[title] ?? []), value!];
    }
  }
  return series;
}

/** One suite, of which each commit has one figure. */
function history(tool: string, name: string, ...figures: [value: number, unit: string][]): BenchmarkData {
  const entries = figures.map(([value, unit], index) => ({
    ...{ commit: { id: String(index).repeat(40) }, date: Date.UTC(2026, 10, 20, 9, 28, index), tool },
    benches: [{ name, value, unit }],
  }));
  return readBenchmarkData(JSON.stringify({ entries: { suite: entries } }), 'data.js');
}

describe('a history whose units hold other figures of the same line', () => {
  it('is two series of 40 where it names two benchmarks in 40 runs', () => {
    const upwards = (from: number) => Array.from({ length: 40 }, (_, index) => from + index);
    expect(seriesOf(caseFile('garbage-40.js'))).toEqual({
      'BenchmarkReexecution lower/block_accept_ms/ggas': upwards(23_001),
      'BenchmarkGet lower/ns/op': upwards(39_001),
    });
  });

  it.each([
    ['memory beside time', 'ns/op\t    1791 B/op\t      39 allocs/op', 'ns/op\t    1802 B/op\t      40 allocs/op'],
    ['blanks for tabs', 'ns/op        1791 B/op        39 allocs/op', 'ns/op        1802 B/op        40 allocs/op'],
    ['one blank', 'ns/op 1791 B/op 39 allocs/op', 'ns/op 1.802e+03 B/op 40 allocs/op'],
    ['a run without the rest', 'ns/op\t  12.50 MB/s', 'ns/op'],
    ['a carriage return', 'ns/op\r', 'ns/op'],
  ])('has the unit of its first figure: %s', (_, first, second) => {
    expect(seriesOf(history('go', 'BenchmarkGet', [10, first], [11, second]))).toEqual({
      'BenchmarkGet lower/ns/op': [10, 11],
    });
  });

  it('keeps a unit of several words, and one with a number in it', () => {
    expect(seriesOf(history('customSmallerIsBetter', 'a', [1, 'MiB per 10 s'], [2, 'MiB per 10 s']))).toEqual({
      'a lower/MiB per 10 s': [1, 2],
    });
  });
});

describe('a history whose unit changes with the figure', () => {
  it('is one series, in the smallest unit', () => {
    expect(seriesOf(caseFile('unit-changes.js'))).toEqual({ 'BenchmarkGet lower/ns': Array(5).fill(5_000_000_000) });
  });

  it('is one series where the time is that of an operation', () => {
    const data = history('jmh', 'a.B.c', [1.5, 'us/op'], [0.002, 'ms/op'], [1_700, 'ns/op']);
    expect(seriesOf(data)).toEqual({ 'a.B.c lower/ns/op': [1_500, 2_000, 1_700] });
  });

  it('is several series where the figure is of something else', () => {
    const data = history('customSmallerIsBetter', 'a', [1, 's/run'], [2, 'ms/op'], [3, 'B/op']);
    expect(seriesOf(data)).toEqual({ 'a lower/s/run': [1], 'a lower/ms/op': [2], 'a lower/B/op': [3] });
  });
});

describe('what an import says', () => {
  const where = { file: 'data.js', spec: 'rest-api', place: 'site', commit: null };
  const nothing = { added: 0, known: 0, leftOut: 0 };

  it('is that a file has no entries, where it has none', () => {
    const text =
      'data.js has no entries, so nothing is added to rest-api on site: github-action-benchmark has stored no run in it yet.';
    expect(importedText(caseFile('empty-entries.js'), nothing, where)).toBe(text);
    expect(importedText(readBenchmarkData('{"entries":{"Go":[],"JS":[]}}', 'data.js'), nothing, where)).toBe(text);
  });

  it('is that no figure of its entries can be taken, where that is so', () => {
    expect(importedText(history('go', 'a', [Number.NaN, 'ns/op']), { ...nothing, leftOut: 1 }, where)).toBe(
      '1 entry of data.js holds no figure that can be taken, so nothing is added to rest-api on site. Left out: 1 figure without a number or a name of its own.',
    );
  });

  it('is what is new, and what was there', () => {
    const data = history('go', 'a', [1, 'ns/op']);
    expect(importedText(data, { added: 1, known: 2, leftOut: 0 }, { ...where, commit: 'abc' })).toBe(
      '1 run is added to rest-api on site (2 were there already): abc.',
    );
    expect(importedText(data, { added: 0, known: 1, leftOut: 0 }, where)).toBe(
      'Nothing is new: 1 run of it is in rest-api on site already.',
    );
  });
});
