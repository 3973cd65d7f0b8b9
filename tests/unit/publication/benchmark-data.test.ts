import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type BenchmarkData,
  readBenchmarkData,
  UnreadableBenchmarkData,
} from '../../../src/core/publication/benchmark-data.ts';
import { piecesToRead, withImported } from '../../../src/core/publication/imported-pages.ts';
import { importedRuns } from '../../../src/core/publication/imported-runs.ts';
import { type Manifest, manifestSchema } from '../../../src/core/publication/manifest.ts';
import { readManifest, readSeriesPiece } from '../../../src/core/publication/pages-documents.ts';
import { emptyManifest, withRun } from '../../../src/core/publication/pages-files.ts';
import { rowsOf } from '../../../src/core/publication/series-rows.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const recorded = readFileSync(new URL('../../../fixtures/github-action-benchmark/data.js', import.meta.url), 'utf8');
const json = recorded.slice('window.BENCHMARK_DATA = '.length);

const none = emptyManifest({ specName: 'rest-api', tool: '0.1.0', server: null, repository: null });

/** One suite with a commit for each list of figures. */
function data(tool: string, ...commits: { name: string; value: unknown; unit?: string }[][]): BenchmarkData {
  const entries = commits.map((benches, index) => ({
    commit: { id: String(index).repeat(40), url: 'https://github.com/acme/api/commit/0' },
    date: Date.UTC(2026, 10, 20, 9, 28, index),
    tool,
    benches,
  }));
  return readBenchmarkData(JSON.stringify({ entries: { suite: entries } }), 'data.js');
}

describe('data.js of github-action-benchmark', () => {
  it('is read as it was recorded, as JSON, and as somebody saved it', () => {
    const read = readBenchmarkData(recorded, 'data.js');
    expect(Object.keys(read.entries)).toEqual([
      'Go Benchmark',
      'Benchmark.js Benchmark',
      'JMH Benchmark',
      'Catch2 Benchmark',
    ]);
    for (const text of [json, `\ufeff${recorded}`, `${recorded};\n`, recorded.replaceAll('\n', '\r\n')]) {
      expect(readBenchmarkData(text, 'data.js')).toEqual(read);
    }
  });

  it('is not run: nothing but data stands behind the assignment', () => {
    for (const text of [
      'window.BENCHMARK_DATA = (() => { throw new Error("ran") })()',
      'window.BENCHMARK_DATA = {entries: {}}',
      `${recorded}; globalThis.ran = true`,
      `window.BENCHMARK_DATA = {"entries": {"x": [globalThis.ran = true]}}`,
    ]) {
      expect(() => readBenchmarkData(text, 'data.js')).toThrow(
        /^data\.js is (?:no JSON behind its assignment|not a data\.js)/,
      );
    }
    expect(globalThis).not.toHaveProperty('ran');
  });

  it.each([
    ['', /is not a data\.js of github-action-benchmark: it begins with neither/],
    ['<!doctype html>', /It is dev\/bench\/data\.js on the branch gh-pages\./],
    [recorded.slice(0, 5000), /^data\.js is (?:cut off|no JSON behind its assignment): fetch it again from its branch/],
    ['{}', /\["entries"\] is not as the action writes it/],
    ['{"entries":{"a":{}}}', /\["entries", "a"\] is not as the action writes it/],
    ['{"entries":{"a":[{"commit":{"id":"x"},"date":"today","tool":"go","benches":[]}]}}', /"a", 0, "date"\]/],
    [
      '{"entries":{"a":[{"commit":{"id":"x"},"date":1,"tool":"go","benches":[{"name":"b","value":{}}]}]}}',
      /0, "value"\]/,
    ],
    ['{"entries":{"a":[{"commit":{"id":"x"},"date":9e15,"tool":"go","benches":[]}]}}', /"date"\]/],
  ])('that is none is answered in a sentence: %j', (text, sentence) => {
    expect(() => readBenchmarkData(text, 'data.js')).toThrow(sentence);
  });

  it('is read or refused, whatever was done to it', () => {
    let read = 0;
    fc.assert(
      fc.property(fc.nat(recorded.length), fc.nat(200), fc.string({ maxLength: 6 }), (at, cut, put) => {
        const text = recorded.slice(0, at) + put + recorded.slice(at + cut);
        try {
          importedRuns(none, readBenchmarkData(text, 'data.js'));
          read += 1;
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableBenchmarkData);
        }
      }),
      { seed: 20261123, numRuns: 500 },
    );
    expect(read).toBeGreaterThan(5);
  });
});

describe('what another tool measured', () => {
  it('is a run of each suite and commit, in the order of time', () => {
    const { manifest, rows, leftOut } = importedRuns(none, readBenchmarkData(recorded, 'data.js'));
    expect(leftOut).toBe(0);
    expect(rows).toHaveLength(8);
    expect(rows.every(({ imported, cpu }) => imported && cpu === 'not recorded')).toBe(true);
    expect(rows.map(({ id }) => id)).toEqual(rows.map(({ id }) => id).toSorted());
    expect(manifest).toMatchObject({
      server: 'https://github.com',
      repository: 'benchmark-action/github-action-benchmark',
    });
    expect(manifest.cases.map(({ key }) => key)).toContain('imported/Go Benchmark/BenchmarkFib10');
    expect(manifest.cases.every(({ load, reference }) => load === null && !reference)).toBe(true);
    expect(manifest.metrics.map(({ unit, better }) => [unit, better])).toEqual(
      expect.arrayContaining([
        ['ns/op', 'lower'],
        ['ops/sec', 'higher'],
        ['ops/s', 'higher'],
        ['us', 'lower'],
      ]),
    );
    expect(manifestSchema.safeParse(manifest).success).toBe(true);
  });

  it('has its commit, its pull request and its figures', () => {
    const own = data('customBiggerIsBetter', [{ name: 'a', value: 12.5, unit: 'req/s' }]);
    own.entries.suite![0]!.commit.url = 'https://github.com/acme/api/pull/41/commits/0';
    const { rows, manifest } = importedRuns(none, own);
    expect(rows).toEqual([
      {
        id: expect.stringMatching(/^20261120-092800-[0-9a-f]{6}$/),
        sha: '0'.repeat(40),
        workflowRun: null,
        pullRequest: 41,
        release: null,
        cpu: 'not recorded',
        passed: null,
        mode: null,
        anchor: null,
        imported: true,
        accepted: [],
        points: new Map([['0.0', { value: 12.5, status: null, change: null, low: null, high: null, verdict: null }]]),
      },
    ]);
    expect(manifest.metrics).toEqual([
      { name: 'imported/higher/req/s', title: 'req/s', unit: 'req/s', better: 'higher' },
    ]);
  });

  it('leaves out figures that are none, and the second of one name', () => {
    const { rows, leftOut } = importedRuns(
      none,
      data('go', [
        { name: 'a', value: null },
        { name: 'b', value: 'fast' },
        { name: 'c', value: '7' },
        { name: 'c', value: 8 },
        { name: 'd'.repeat(501), value: 9 },
      ]),
    );
    expect(leftOut).toBe(4);
    expect([...rows[0]!.points.values()].map(({ value }) => value)).toEqual([7]);
  });

  it('has one unit in a series whose tool changes it with the figure', () => {
    const { rows, manifest } = importedRuns(
      none,
      data('catch2', [{ name: 'a', value: 940, unit: 'ns' }], [{ name: 'a', value: 1.5, unit: 'us' }]),
    );
    expect(manifest.metrics.map(({ unit }) => unit)).toEqual(['ns']);
    expect(rows.map(({ points }) => points.get('0.0')?.value)).toEqual([940, 1500]);
  });

  it('of a tool that nobody knows is neither better nor worse', () => {
    const { manifest } = importedRuns(none, data('hyperfine', [{ name: 'a', value: 1, unit: 's' }]));
    expect(manifest.metrics[0]!.better).toBeNull();
  });

  it('takes no path, no markup and no prototype from its names', () => {
    const hostile =
      '{"entries":{"constructor":[{"commit":{"id":"../../x"},"date":1,"tool":"go","benches":[{"name":"<script>","value":1}]}]}}';
    const { rows, manifest } = importedRuns(none, readBenchmarkData(hostile, 'data.js'));
    expect(rows[0]!.sha).toBeNull();
    expect(rows[0]!.id).toMatch(/^19700101-000000-[0-9a-f]{6}$/);
    expect(manifest.cases[0]!.key).toBe('imported/constructor/<script>');
    expect(manifest.repository).toBeNull();
  });

  it('is refused where pages could not hold it', () => {
    const many = Array.from({ length: 5001 }, (_, index) => ({ name: `b${index}`, value: 1 }));
    expect(() => importedRuns(none, data('go', many))).toThrow(/names 5001 benchmarks, where .* hold at most 5000/);
  });
});

describe('pages with what was imported', () => {
  const read = readBenchmarkData(recorded, 'data.js');

  /** As they are read again from the branch. */
  function written(files: ReturnType<typeof withImported>['files']) {
    const manifest = readManifest(files.at(-1)!.content, 'manifest.json');
    const pieces = new Map(
      files.slice(0, -1).map(({ file, content }) => [file, readSeriesPiece(content, file, manifest)]),
    );
    return { manifest, pieces };
  }

  it('hold every run once, however often it is imported', () => {
    const first = withImported(none, [], read);
    expect(first).toMatchObject({ added: 8, known: 0, leftOut: 0 });
    const { manifest, pieces } = written(first.files);
    expect([...pieces.values()].flatMap(rowsOf).every(({ imported }) => imported)).toBe(true);
    expect(manifest.months.reduce((sum, { imported }) => sum + imported, 0)).toBe(8);
    const wanted = piecesToRead(manifest, read);
    expect(wanted).toEqual([...pieces.keys()]);
    const again = withImported(
      manifest,
      wanted.map((file) => pieces.get(file)!),
      read,
    );
    expect(again).toEqual({ files: [], added: 0, known: 8, leftOut: 0 });
  });

  it('keep what there was, and get what is new', () => {
    const own = withRun(none, null, {
      record: madeUpRecord({ id: '20261120-092700-0a1b2c', cases: [{}] }),
      workflowRun: 7,
    });
    const gone: Manifest = { ...own.manifest, months: own.manifest.months.map((each) => ({ ...each, gone: 1 })) };
    const older = data('go', [{ name: 'a', value: 1, unit: 'ns/op' }]);
    const first = withImported(gone, [readSeriesPiece(own.written.content, 'x', gone)], older);
    expect(first.files.map(({ file }) => file)).toEqual(['series/2026-11-2.json', 'manifest.json']);
    const { manifest, pieces } = written(first.files);
    expect(manifest.months).toEqual([{ month: '2026-11', pieces: 2, runs: 2, gone: 1, imported: 1, ordered: false }]);
    expect(manifest.cases.slice(0, gone.cases.length)).toEqual(gone.cases);
    expect(manifest.metrics.slice(0, gone.metrics.length)).toEqual(gone.metrics);
    const newer = data('go', [{ name: 'a', value: 1, unit: 'ns/op' }], [{ name: 'a', value: 2, unit: 'ns/op' }]);
    const second = withImported(manifest, [...pieces.values()], newer);
    expect(second).toMatchObject({ added: 1, known: 1 });
    expect([...written(second.files).pieces.values()].flatMap(rowsOf).map(({ id }) => id.slice(0, 15))).toEqual([
      '20261120-092801',
    ]);
  });
});
