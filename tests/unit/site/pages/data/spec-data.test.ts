import { describe, expect, it } from 'vitest';
import { type Month, pieceFile } from '../../../../../src/core/publication/manifest.ts';
import { emptyManifest, jsonText } from '../../../../../src/core/publication/pages-files.ts';
import { rawText } from '../../../../../src/core/publication/raw-text.ts';
import { pieceOf, type RunRow } from '../../../../../src/core/publication/series-rows.ts';
import { type DataFiles, dataFiles } from '../../../../../src/site/pages/data/files.ts';
import { specData } from '../../../../../src/site/pages/data/spec-data.ts';
import { UnloadedData, UnreadableData } from '../../../../../src/site/pages/view.ts';
import { madeUpPages, runId, shaOf } from '../../../../support/made-up/pages.ts';

interface Reading {
  files: DataFiles;
  asked: string[];
  complaints: string[];
}

function reading(content: ReadonlyMap<string, string>): Reading {
  const asked: string[] = [];
  const answer = async (address: string | URL | Request) => {
    const path = String(address).replace('https://acme.github.io/api/wrkbench/rest-api/', '');
    asked.push(path);
    const text = content.get(path);
    if (text === 'unreachable') throw new TypeError('fetch failed');
    return text === undefined ? new Response('', { status: 404 }) : new Response(text);
  };
  const files = dataFiles('https://acme.github.io/api/wrkbench/rest-api/?view=trend', answer);
  return { files, asked, complaints: [] };
}

const opened = ({ files, complaints }: Reading) => specData(files, (sentence) => void complaints.push(sentence));

const row = (id: string): RunRow => ({
  ...{ id, sha: null, workflowRun: null, pullRequest: null, release: null, cpu: 'any', passed: null, mode: null },
  ...{ anchor: null, imported: false, accepted: [], points: new Map() },
});

/** Files of a spec's folder; of each month, the ids that its pieces hold. */
function pagesOf(
  idsOfMonths: Readonly<Record<string, readonly (readonly string[])[]>>,
  more: Partial<Month> = {},
): Map<string, string> {
  const files = new Map<string, string>();
  const months: Month[] = [];
  for (const [month, pieces] of Object.entries(idsOfMonths)) {
    months.push({ month, pieces: pieces.length, runs: pieces.flat().length, gone: 0, imported: 0, ...more });
    for (const [index, ids] of pieces.entries()) {
      files.set(pieceFile({ month }, index + 1), jsonText(pieceOf(ids.map(row))));
    }
  }
  const start = emptyManifest({ specName: 'rest-api', tool: '0.1.0', server: null, repository: null });
  return files.set('manifest.json', jsonText({ ...start, months }));
}

/** Five pieces. */
const pages = madeUpPages({ runs: 300 });

describe('the data of a spec', () => {
  it('fetches the newest runs first, in one go where it is told how many, and each file once', async () => {
    const read = reading(pages);
    const data = await opened(read);
    expect(data.runs()).toEqual([]);
    await data.fetchRuns((runs) => runs.length >= 100, 100);
    const newest = ['series/2026-11.json', 'series/2026-10.json'];
    expect(read.asked).toEqual(['manifest.json', ...newest]);
    expect(data.runs().at(-1)).toMatchObject({
      id: runId(299),
      sha: shaOf(299),
      at: Date.UTC(2026, 10, 15, 10, 15),
      workflowRun: 7_301_000_299,
      pullRequest: null,
      passed: true,
      mode: 'duet',
      imported: false,
      cpu: 'AMD EPYC 7763 64-Core Processor (4 CPUs)',
    });
    await Promise.all([data.fetchRuns(() => false), data.fetchRuns(() => false)]);
    expect(read.asked).toEqual([
      'manifest.json',
      ...newest,
      ...['09', '08', '07'].map((month) => `series/2026-${month}.json`),
    ]);
    expect(data.runs().map(({ id }) => id)).toEqual(
      data
        .runs()
        .map(({ id }) => id)
        .sort(),
    );
  });

  it('has the runs of a month in their order, and all of them, although one was published late', async () => {
    const at = (time: string) => `202611${time}00-0a1b2c`;
    const read = reading(
      pagesOf({
        '2026-10': [['20261031-120000-0a1b2c']],
        '2026-11': [[at('20-0800'), at('20-0930')], [at('20-0900')]],
      }),
    );
    const data = await opened(read);
    await data.fetchRuns((runs) => runs.length >= 1);
    expect(data.runs().map(({ id }) => id)).toEqual([at('20-0800'), at('20-0900'), at('20-0930')]);
    expect(read.asked).toEqual(['manifest.json', 'series/2026-11-2.json', 'series/2026-11.json']);
  });

  it('asks for the last pieces alone of a month whose pieces are in order', async () => {
    const pieces = [['20261120-080000-0a1b2c', '20261120-090000-0a1b2c'], ['20261120-093000-0a1b2c']];
    for (const [ordered, asked] of [
      [true, ['series/2026-11-2.json']],
      [false, ['series/2026-11-2.json', 'series/2026-11.json']],
    ] as const) {
      const read = reading(pagesOf({ '2026-11': pieces }, { ordered }));
      await (await opened(read)).fetchRuns((runs) => runs.length >= 1);
      expect(read.asked).toEqual(['manifest.json', ...asked]);
    }
  });

  it('asks for 8 pieces of a month at once, and no more', async () => {
    const ids = Array.from({ length: 20 }, (_, index) => `202611${String(index + 1).padStart(2, '0')}-000000-0a1b2c`);
    const { files } = reading(pagesOf({ '2026-11': ids.map((id) => [id]) }));
    let [open, most] = [0, 0];
    const counting: DataFiles = {
      async text(path) {
        open += 1;
        most = Math.max(most, open);
        const text = await files.text(path);
        open -= 1;
        return text;
      },
    };
    const data = await specData(counting, () => undefined);
    await data.fetchRuns((runs) => runs.length >= 1);
    expect(data.runs().map(({ id }) => id)).toEqual(ids);
    expect(most).toBe(8);
  });

  it('leaves out runs that are hidden, and those that have expired', async () => {
    const data = await opened(reading(madeUpPages({ runs: 20, manifest: { oldest: runId(2) } })));
    await data.fetchRuns(() => false);
    expect(data.runs().map(({ id }) => id)).toEqual(
      [2, ...Array.from({ length: 16 }, (_, index) => index + 4)].map((index) => runId(index)),
    );
  });

  it.each([
    ['is not there', undefined, 'series/2026-10.json could not be loaded: the server answered 404.'],
    [
      'is cut off',
      pages.get('series/2026-10.json')!.slice(0, 900),
      'series/2026-10.json is cut off or was changed by hand',
    ],
    ['is of something else', '{"schemaVersion":1,"runs":7}', 'series/2026-10.json is not data of wrkbench: `runs`'],
    [
      'is of a newer wrkbench',
      '{"schemaVersion":2}',
      'series/2026-10.json was written by a newer wrkbench: it has schema version 2',
    ],
    ['cannot be asked for', 'unreachable', 'series/2026-10.json could not be loaded: the server did not answer.'],
  ])('reads the other pieces where one %s', async (_, content, message) => {
    const files = new Map(pages);
    if (content === undefined) files.delete('series/2026-10.json');
    else files.set('series/2026-10.json', content);
    const read = reading(files);
    const data = await opened(read);
    await data.fetchRuns(() => false);
    expect(read.complaints).toHaveLength(1);
    expect(read.complaints[0]).toContain(message);
    expect(read.complaints[0]).toMatch(/left out here\.$/);
    expect(data.runs().length).toBeGreaterThan(200);
    expect(data.runs().every(({ id }) => !id.startsWith('202610'))).toBe(true);
  });

  it.each([
    ['is none', 'null', 'manifest.json is not data of wrkbench: the whole file'],
    ['is a page', '<!doctype html>', 'manifest.json is cut off'],
    ['is of a newer wrkbench', '{"schemaVersion":9}', 'schema version 9, and this page reads version 1'],
  ])('is refused where the manifest %s', async (_, content, message) => {
    const opening = opened(reading(new Map([['manifest.json', content]])));
    await expect(opening).rejects.toThrow(UnreadableData);
    await expect(opened(reading(new Map([['manifest.json', content]])))).rejects.toThrow(message);
  });

  it('is none, rather than a spec without runs, where no piece can be read', async () => {
    const lost = new Map([...pages].map(([path, text]) => [path, path === 'manifest.json' ? text : 'unreachable']));
    const read = reading(lost);
    const data = await opened(read);
    const asking = () => data.fetchRuns((runs) => runs.length > 0).catch((error: unknown) => error);
    for (const error of [await asking(), await asking()]) {
      expect(error).toBeInstanceOf(UnloadedData);
      expect((error as Error).message).toBe(
        'series/2026-11.json could not be loaded: the server did not answer. Check the connection, then try again.',
      );
    }
    expect(read.complaints).toEqual([]);
  });

  it('asks for a run by its place, and again where it was not there', async () => {
    const read = reading(pages);
    const data = await opened(read);
    const run = { id: runId(7), sha: shaOf(7), workflowRun: 7_301_000_007 };
    const path = `runs/2026-07/${run.id}.run-7301000007.${run.sha}.json`;
    await expect(data.run(run)).rejects.toThrow(`${path} could not be loaded: the server answered 404`);
    await expect(data.run(run)).rejects.toThrow(UnreadableData);
    expect(read.asked).toEqual(['manifest.json', path, path]);
    await expect(data.run({ ...run, id: '../../x' })).rejects.toThrow('is no name of a run');
  });

  it('asks for what the generators of a run printed beside that run, whenever it is wanted', async () => {
    const run = { id: runId(7), sha: shaOf(7), workflowRun: null };
    const path = `runs/2026-07/${run.id}.${run.sha}.raw.json`;
    const text = rawText(run.id, [{ path: 'raw/a.txt', text: 'Running' }])!;
    const read = reading(new Map([...pages, [path, text]]));
    const data = await opened(read);
    expect(await data.rawTexts(run)).toEqual(JSON.parse(text));
    expect(read.asked).toEqual(['manifest.json', path]);
    await expect(data.rawTexts({ ...run, id: runId(8) })).rejects.toThrow(
      'could not be loaded: the server answered 404',
    );
    await expect(data.rawTexts({ ...run, id: '../../x' })).rejects.toThrow('is no name of a run');
    const foreign = await opened(reading(new Map([...pages, [path, '{"schemaVersion":1,"files":{"a":1}}']])));
    await expect(foreign.rawTexts(run)).rejects.toThrow(`${path} is not data of wrkbench`);
  });
});
