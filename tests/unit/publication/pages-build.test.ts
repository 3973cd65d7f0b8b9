import { describe, expect, it } from 'vitest';
import { rebuildPages } from '../../../src/app/publish.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { Manifest } from '../../../src/core/publication/manifest.ts';
import { startPages } from '../../../src/core/publication/pages-build.ts';
import { readManifest, readSeriesPiece } from '../../../src/core/publication/pages-documents.ts';
import {
  emptyManifest,
  type LastPiece,
  PIECE_BYTES,
  type PublishedRun,
  withRun,
} from '../../../src/core/publication/pages-files.ts';
import { placeOf } from '../../../src/core/publication/place.ts';
import { publishedRecord } from '../../../src/core/publication/published-record.ts';
import { type RunRow, rowsOf } from '../../../src/core/publication/series-rows.ts';
import { publishedText } from '../../../src/core/record/published-form.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { pagesSource } from '../../support/made-up/pages-source.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { memoryBranch } from '../../support/memory-branch.ts';
import { pieceFiles } from '../../support/piece-files.ts';

const FACTS = { specName: 'rest-api', tool: '0.1.0', server: 'https://github.com', repository: null };

function publishedRun(id: string, cases: MadeUpCase[], seed = 1): PublishedRun {
  const record = madeUpRecord({ id, seed, rounds: 3, cases });
  return { record: publishedRecord(record, comparisonOf(record)), workflowRun: 7301 };
}

/** All runs of the pages, read as a page does. */
function readBack(files: readonly { file: string; content: string }[]): { manifest: Manifest; rows: RunRow[] } {
  const contents = new Map(files.map(({ file, content }) => [file, content]));
  const manifest = readManifest(contents.get('manifest.json')!, 'manifest.json');
  const rows = pieceFiles(manifest).flatMap((file) => rowsOf(readSeriesPiece(contents.get(file)!, file, manifest)));
  return { manifest, rows: rows.sort((one, other) => (one.id < other.id ? -1 : 1)) };
}

/** Made at once of all runs that the branch holds, in the order that they are written in. */
async function rebuilt(runs: readonly PublishedRun[]): Promise<{ file: string; content: string }[]> {
  const { specName } = FACTS;
  const held = runs.map(({ record, workflowRun }) => {
    const { path } = placeOf({ specName, id: record.id, sha: record.source.sha, workflowRun })!;
    return [path, publishedText(record)] as const;
  });
  const branch = memoryBranch(Object.fromEntries(held));
  const warn = (text: string) => {
    throw new Error(`Not expected: ${text}`);
  };
  await rebuildPages(specName, branch.publisher(), { pages: pagesSource, warn }, new AbortController().signal);
  const folder = `wrkbench/${specName}/`;
  return [...branch.files].flatMap(([path, content]) => {
    const file = path.slice(folder.length);
    return path.startsWith(folder) && /^(?:series\/|manifest\.json$)/.test(file) ? [{ file, content }] : [];
  });
}

/** One publication after another, each with what the last one left. */
function published(runs: readonly PublishedRun[]): { file: string; content: string }[] {
  let manifest = emptyManifest(FACTS);
  const files = new Map<string, string>();
  for (const run of runs) {
    const { id } = run.record;
    const month = manifest.months.find((each) => each.month === `${id.slice(0, 4)}-${id.slice(4, 6)}`);
    const file = month === undefined ? null : pieceFiles({ months: [month] }).at(-1)!;
    const content = file === null ? null : files.get(file)!;
    const last: LastPiece | null =
      content === null ? null : { piece: readSeriesPiece(content, file!, manifest), bytes: content.length };
    const grown = withRun(manifest, last, run);
    manifest = grown.manifest;
    files.set(grown.written.file, grown.written.content);
  }
  files.set('manifest.json', JSON.stringify(manifest));
  return [...files].map(([file, content]) => ({ file, content }));
}

describe('the files of the pages', () => {
  it('are the manifest and a piece, as they are written', async () => {
    const made = publishedRun('20261120-092802-0a1b2c', [{ endpoint: 'ping' }]);
    const [piece, manifest] = await rebuilt([made]);
    expect(manifest!.file).toBe('manifest.json');
    expect(JSON.parse(manifest!.content)).toMatchObject({
      schemaVersion: 1,
      tool: '0.1.0',
      spec: 'rest-api',
      server: 'https://github.com',
      repository: 'acme/api',
      cases: [
        {
          key: 'go/ping/direct/wrk/keep-alive/100',
          service: 'go',
          endpoint: 'ping',
          load: { route: 'direct', generator: 'wrk', keepAlive: true, connections: 100, rate: null },
          reference: false,
        },
      ],
      months: [{ month: '2026-11', pieces: 1, runs: 1, gone: 0, imported: 0 }],
      latest: {
        id: '20261120-092802-0a1b2c',
        path: `runs/2026-11/20261120-092802-0a1b2c.run-7301.${made.record.source.sha}.json`,
      },
      leftOut: [],
      oldest: '20261120-092802-0a1b2c',
    });
    expect(piece!.file).toBe('series/2026-11.json');
    const { throughput } = made.record.cases[0]!.metrics;
    const bp = (share: number) => Math.round(share * 10_000);
    expect(JSON.parse(piece!.content)).toMatchObject({
      runs: {
        id: ['20261120-092802-0a1b2c'],
        sha: [made.record.source.sha],
        workflowRun: [7301],
        pullRequest: [41],
        release: [null],
        cpu: [0],
        passed: [made.record.published!.passed],
        mode: 'd',
        imported: [false],
      },
      cpus: ['AMD EPYC 7763 64-Core Processor (4 CPUs)'],
      accepted: [],
      series: {
        '0.0': {
          value: [Number(throughput!.value.toPrecision(5))],
          changeBp: [bp(throughput!.compared!.change!)],
          verdict: '-',
        },
      },
    });
  });

  it('mark what was invalid, where the generator was the limit, and references', async () => {
    const made = publishedRun('20261120-092802-0a1b2c', [
      { endpoint: 'ping', invalid: { candidate: '3 % of requests failed' } },
      { endpoint: 'pong' },
      { endpoint: 'ping', service: 'nginx' },
    ]);
    made.record.cases[1] = {
      ...made.record.cases[1]!,
      status: 'invalid',
      reasons: [
        { code: 'generator-bound', message: 'wrk was the limit' },
        { code: 'rate-not-held', message: 'the rate was not held' },
      ],
      metrics: {},
    };
    const { manifest, rows } = readBack(await rebuilt([made]));
    expect(manifest.cases.map(({ service, reference }) => [service, reference])).toEqual([
      ['go', false],
      ['go', false],
      ['nginx', true],
    ]);
    const statuses = [0, 1, 2].map((place) => rows[0]!.points.get(`${place}.0`)?.status);
    expect(statuses).toEqual(['invalid', 'generator-bound', null]);
    expect(rows[0]!.points.get('1.0')).toMatchObject({ value: null, change: null });
  });

  it('hold the same whether made at once or one after another, in any order', async () => {
    const random = seededRandom(5);
    const runs = Array.from({ length: 30 }, (_, index) => {
      const month = 10 + Math.floor(index / 12);
      const id = `2026${month}${String(1 + (index % 12)).padStart(2, '0')}-000000-${String(index).padStart(6, '0')}`;
      const endpoints = ['ping', 'pong', 'users', 'posts'].filter(() => random.below(4) > 0);
      return publishedRun(
        id,
        endpoints.map((endpoint) => ({ endpoint })),
        index,
      );
    });
    const shuffled = runs
      .map((run) => ({ run, place: random.next() }))
      .sort((one, other) => one.place - other.place)
      .map(({ run }) => run);
    const named = (files: readonly { file: string; content: string }[]) => {
      const { manifest, rows } = readBack(files);
      return rows.map(({ points, ...row }) => ({
        ...row,
        points: Object.fromEntries(
          [...points]
            .map(([name, point]) => {
              const [ofCase, ofMetric] = name.split('.').map(Number);
              return [`${manifest.cases[ofCase!]!.key} ${manifest.metrics[ofMetric!]!.name}`, point] as const;
            })
            .sort(([one], [other]) => (one < other ? -1 : 1)),
        ),
      }));
    };
    const once = named(await rebuilt(shuffled));
    expect(once.map(({ id }) => id)).toEqual(runs.map(({ record }) => record.id));
    expect(named(published(runs))).toEqual(once);
    expect(named(published(shuffled))).toEqual(once);
  });

  it('begin a new piece with a month, and where one has become long', async () => {
    const cases = Array.from({ length: 12 }, (_, index) => ({ endpoint: `path-${index}` }));
    const { record } = publishedRun('20261101-000000-00000a', cases);
    const runs = Array.from({ length: 50 }, (_, index) => {
      const id = `2026${index < 48 ? '11' : '12'}01-0000${String(index).padStart(2, '0')}-00000a`;
      return { record: { ...record, id }, workflowRun: null };
    });
    for (const files of [await rebuilt(runs), published(runs)]) {
      const { manifest } = readBack(files);
      const pieces = files.filter(({ file }) => file.startsWith('series/'));
      expect(pieces.map(({ file }) => file)).toEqual(pieceFiles(manifest));
      expect(manifest.months.map(({ month, runs: number }) => [month, number])).toEqual([
        ['2026-11', 48],
        ['2026-12', 2],
      ]);
      expect(manifest.months[0]!.pieces).toBeGreaterThan(1);
      for (const { content } of pieces) expect(content.length).toBeLessThan(PIECE_BYTES * 1.1);
    }
  });

  it('tell whether the pieces of a month follow each other', async () => {
    const cases = Array.from({ length: 12 }, (_, index) => ({ endpoint: `path-${index}` }));
    const { record } = publishedRun('20261101-000000-00000a', cases);
    const runs = Array.from({ length: 48 }, (_, index) => {
      const id = `20261101-0000${String(index).padStart(2, '0')}-00000a`;
      return { record: { ...record, id }, workflowRun: null };
    });
    const [first, second] = runs;
    const monthOf = (files: Parameters<typeof readBack>[0]) => readBack(files).manifest.months[0]!;
    expect(monthOf(await rebuilt(runs))).toMatchObject({ ordered: true });
    expect(monthOf(published(runs))).toMatchObject({ ordered: true });
    expect(monthOf(published([second!, first!]))).toMatchObject({ pieces: 1, ordered: true });
    const late = monthOf(published([...runs.slice(1), first!]));
    expect(late.pieces).toBeGreaterThan(1);
    expect(late.ordered).toBe(false);
    // As with an import: what is added is in pieces of its own.
    const build = startPages(readBack(published([second!])).manifest);
    build.add(first!);
    expect(build.end().manifest.months[0]).toMatchObject({ pieces: 2, ordered: false });
  });

  it('hold a run once that is added twice', () => {
    const run = publishedRun('20261120-092802-0a1b2c', [{}]);
    const { manifest, rows } = readBack(published([run, run]));
    expect([manifest.months[0]!.runs, rows.length]).toEqual([1, 1]);
  });
});
