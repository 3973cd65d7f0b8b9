import { comparisonOf } from '../../src/core/comparison/comparison-of.ts';
import { startPages } from '../../src/core/publication/pages-build.ts';
import { readManifest, readSeriesPiece } from '../../src/core/publication/pages-documents.ts';
import {
  emptyManifest,
  jsonText,
  type PagesFile,
  type PublishedRun,
  withRun,
} from '../../src/core/publication/pages-files.ts';
import { publishedRecord } from '../../src/core/publication/published-record.ts';
import { publishedText } from '../../src/core/record/published-form.ts';
import type { MetricRecord, RunRecord } from '../../src/core/record/run-record.ts';
import { seededRandom } from '../../src/core/statistics/random.ts';
import { madeUpRecord } from '../../tests/support/made-up/run-record.ts';
import { normal } from '../../tests/support/made-up/samples.ts';

/** Of the branch that the pages are held to, with 64 series each. */
export const MANY_RUNS = 10_000;
const ENDPOINTS = 8;
/** Beside the five that each made-up case has. */
const MORE_METRICS = { 'latency-mean': 4.6, 'latency-p90': 6.2, 'memory-idle': 21_000_000 };
export const SPEC = 'rest-api';
const FACTS = { specName: SPEC, tool: '0.1.0', server: 'https://github.com', repository: 'acme/api' };

/** A published run of 64 series, all of which were compared, and what makes others of it. */
export function manyRuns(count: number): { run(index: number): PublishedRun } {
  const cases = Array.from({ length: ENDPOINTS }, (_, index) => ({ endpoint: `path-${index}`, levels: MORE_METRICS }));
  const record = madeUpRecord({ seed: 1, rounds: 7, cases });
  const first = publishedRecord(record, comparisonOf(record));
  const random = seededRandom(2);
  const step = (2 * 365 * 86_400_000) / count;
  const start = Date.UTC(2026, 10, 21) - count * step;
  return {
    run(index) {
      const at = new Date(start + index * step).toISOString().replaceAll(/[-:]/g, '');
      const id = `${at.slice(0, 8)}-${at.slice(9, 15)}-${index.toString(16).padStart(6, '0')}`;
      const sha = (index + 1_000_000).toString(16).padStart(40, '9');
      const varied = ({ value, compared: _, ...rest }: MetricRecord): MetricRecord => {
        const change = 0.02 * normal(random);
        const half = 0.01 * (1 + random.next());
        return {
          ...rest,
          value: value * (1 + 0.1 * normal(random)),
          compared: { change, interval: [change - half, change + half], verdict: 'no-change' },
        };
      };
      return {
        record: {
          ...first,
          id,
          source: { ...first.source, sha, pullRequest: null },
          cases: first.cases.map((each) => ({
            ...each,
            metrics: Object.fromEntries(Object.entries(each.metrics).map(([name, metric]) => [name, varied(metric)])),
          })),
        },
        workflowRun: 7_301_000_000 + index,
      };
    },
  };
}

export interface ManyPages {
  manifest: PagesFile;
  pieces: PagesFile[];
}

/** The files of the pages of so many runs, from the folder of the spec. */
export function manyPages(count = MANY_RUNS): ManyPages {
  const { run } = manyRuns(count);
  const build = startPages(emptyManifest(FACTS));
  for (let index = 0; index < count; index += 1) build.add(run(index));
  const { manifest, pieces } = build.end();
  const oldest = run(0).record.id;
  return { manifest: { file: 'manifest.json', content: jsonText({ ...manifest, oldest }) }, pieces };
}

/** Bytes that all pieces take for a point: a value, with what was compared of it. */
export function bytesPerPoint({ pieces, manifest }: ManyPages): number {
  const names = readManifest(manifest.content, manifest.file);
  let points = 0;
  let bytes = 0;
  for (const { file, content } of pieces) {
    bytes += Buffer.byteLength(content);
    for (const { value } of Object.values(readSeriesPiece(content, file, names).series)) {
      points += value.filter((each) => each !== null).length;
    }
  }
  return bytes / points;
}

/** Bytes of the manifest and the piece that one more run writes, the most of as many runs as fill a piece. */
export function publishWrittenBytes({ pieces, manifest }: ManyPages, count = MANY_RUNS): number {
  const { run } = manyRuns(count);
  let names = readManifest(manifest.content, manifest.file);
  const newest = pieces.at(-1)!;
  let last = { piece: readSeriesPiece(newest.content, newest.file, names), bytes: Buffer.byteLength(newest.content) };
  let most = 0;
  for (let index = 0; index < 40; index += 1) {
    const { record, workflowRun } = run(count - 1);
    const id = `20261121-2359${String(index).padStart(2, '0')}-ffffff`;
    const grown = withRun(names, last, { record: { ...record, id }, workflowRun });
    names = grown.manifest;
    const { content, file } = grown.written;
    last = { piece: readSeriesPiece(content, file, names), bytes: Buffer.byteLength(content) };
    most = Math.max(most, last.bytes + Buffer.byteLength(jsonText(names)));
  }
  return most;
}

/** Bytes of the file of a run with 25 cases, each of which has every metric, its use of CPU and two statements. */
export function runFileBytes(): number {
  return Buffer.byteLength(publishedText(publishedOf(largeRun())));
}

function publishedOf(record: RunRecord): RunRecord {
  return publishedRecord(record, comparisonOf(record));
}

/** 25 cases of 18 metrics, compared in nine rounds. */
function largeRun(): RunRecord {
  const levels = {
    'latency-mean': 4.6,
    'latency-p75': 5.5,
    'latency-p90': 6.2,
    'latency-p95': 7.1,
    'latency-p99.9': 14.2,
    'latency-max': 22.8,
    errors: 0.0001,
    'database-cpu-per-request': 21.4,
    'memory-idle': 21_000_000,
    'memory-settled': 30_000_000,
  };
  const counts = { 'queries-per-request': 2, 'rows-per-request': 20.5, 'bytes-per-response': 1333 };
  const cases = Array.from({ length: 25 }, (_, index) => ({
    endpoint: `path-${index % 5}`,
    connections: [16, 64, 100, 500, 1000][Math.floor(index / 5)]!,
    levels,
    counts: { baseline: counts, candidate: counts },
    statements: { baseline: statements(index % 5), candidate: statements(index % 5) },
  }));
  const record = madeUpRecord({ seed: 3, rounds: 9, cases });
  const utilisation = {
    service: 0.9812,
    database: 0.4127,
    gateway: 0,
    generator: 0.6214,
    own: 0.0112,
    foreign: 0.0211,
    steal: 0.0013,
  };
  return { ...record, cases: record.cases.map((each) => ({ ...each, utilisation })) };
}

function statements(index: number) {
  return ['users', 'posts'].map((table) => ({
    query: `SELECT id, name, created_at FROM ${table}_${index} WHERE id = $1 ORDER BY created_at LIMIT $2`,
    callsPerRequest: 1,
    rowsPerRequest: 10.25,
    msPerRequest: 0.01234,
  }));
}
