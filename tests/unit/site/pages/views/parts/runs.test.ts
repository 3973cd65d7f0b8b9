import { describe, expect, it } from 'vitest';
import type { SeriesPiece } from '../../../../../../src/core/publication/series-piece.ts';
import { specData } from '../../../../../../src/site/pages/data/spec-data.ts';
import { hasFigures, hasResult } from '../../../../../../src/site/pages/measured-runs.ts';
import type { Page } from '../../../../../../src/site/pages/view.ts';
import { findRun, hasOlder, runBefore } from '../../../../../../src/site/pages/views/parts/runs.ts';
import { madeUpPages, runId } from '../../../../../support/made-up/pages.ts';

/** A piece for each of five months, up to November. */
const pages = madeUpPages({ runs: 300 });

/** With the newest month, as a view finds it. */
async function opened(files: ReadonlyMap<string, string>): Promise<{ page: Page; asked: string[] }> {
  const asked: string[] = [];
  const text = async (path: string) => {
    asked.push(path);
    return files.get(path)!;
  };
  const data = await specData({ text }, (sentence) => {
    throw new Error(`Not expected: ${sentence}`);
  });
  await data.fetchRuns((runs) => runs.length > 0);
  asked.splice(0);
  return { page: { data } as Page, asked };
}

/** The newest runs of November without a figure, as a push leaves them that changes nothing measurable. */
function withEmpty(count: number, passed: boolean): Map<string, string> {
  const november: SeriesPiece = JSON.parse(pages.get('series/2026-11.json')!);
  const from = november.runs.id.length - count;
  const series = Object.entries(november.series).map(([name, each]) => [
    name,
    { ...each, value: each.value.map((value, place) => (place >= from ? null : value)) },
  ]);
  const runs = {
    ...november.runs,
    passed: november.runs.passed.map((each, place) => (place >= from ? passed : each)),
  };
  return new Map([
    ...pages,
    ['series/2026-11.json', JSON.stringify({ ...november, runs, series: Object.fromEntries(series) })],
  ]);
}

describe('the run that is shown where none is asked for', () => {
  it('is the newest, and where that measured nothing, the newest that measured', async () => {
    expect((await findRun((await opened(pages)).page, {}))?.entry.id).toBe(runId(299));
    const { page } = await opened(withEmpty(2, true));
    expect((await findRun(page, {}))?.entry.id).toBe(runId(297));
    expect((await findRun(page, { shows: hasResult }))?.entry.id).toBe(runId(297));
    expect((await runBefore(page, { id: runId(299) }, hasFigures))?.id).toBe(runId(297));
    expect((await findRun(page, { id: runId(299) }))?.entry.id).toBe(runId(299));
  });

  it('is one that failed without a figure, where the page is of runs and not of figures', async () => {
    const { page } = await opened(withEmpty(2, false));
    expect((await findRun(page, { shows: hasResult }))?.entry.id).toBe(runId(299));
    expect((await findRun(page, {}))?.entry.id).toBe(runId(297));
  });

  it('is looked for in older months where this one has no figure', async () => {
    const november: SeriesPiece = JSON.parse(pages.get('series/2026-11.json')!);
    const { page, asked } = await opened(withEmpty(november.runs.id.length, true));
    expect((await findRun(page, {}))?.entry.id).toMatch(/^20261031-/);
    expect(asked).toEqual(['series/2026-10.json']);
  });
});

describe('the run before another', () => {
  it('is the next older one, of those that are here', async () => {
    const { page, asked } = await opened(pages);
    expect((await runBefore(page, { id: runId(299) }))?.id).toBe(runId(298));
    expect(asked).toEqual([]);
  });

  it('is fetched where the other is the oldest that is here', async () => {
    const { page, asked } = await opened(pages);
    const oldest = page.data.runs()[0]!;
    const before = await runBefore(page, oldest);
    expect(asked).toEqual(['series/2026-10.json']);
    expect(before?.id).toMatch(/^20261031-/);
    expect(before).toBe(page.data.runs()[page.data.runs().indexOf(oldest) - 1]);
  });

  it('is none that was imported, which has no file', async () => {
    const october: SeriesPiece = JSON.parse(pages.get('series/2026-10.json')!);
    const imported = { ...october, runs: { ...october.runs, imported: october.runs.imported.map(() => true) } };
    const { page } = await opened(new Map([...pages, ['series/2026-10.json', JSON.stringify(imported)]]));
    expect((await runBefore(page, page.data.runs()[0]!))?.id).toMatch(/^20260930-/);
  });

  it('is none for the first that is kept, which is known without a search', async () => {
    const { page, asked } = await opened(pages);
    expect(await runBefore(page, { id: runId(0) })).toBeNull();
    expect(asked).toEqual([]);
  });
});

describe('older runs to list', () => {
  it('are there until all were fetched', async () => {
    const { page } = await opened(pages);
    expect(hasOlder(page)).toBe(true);
    await page.data.fetchRuns(() => false);
    expect(hasOlder(page)).toBe(false);
  });

  it('are none that were imported, of which there is no file', async () => {
    const manifest = JSON.parse(pages.get('manifest.json')!);
    const june = { month: '2026-06', pieces: 1, runs: 50, gone: 0, imported: 50 };
    const months = [june, ...manifest.months];
    const { page } = await opened(pages);
    await page.data.fetchRuns(() => false);
    const withImported = { data: { ...page.data, manifest: { ...manifest, months } } } as Page;
    expect(hasOlder(withImported)).toBe(false);
  });
});
