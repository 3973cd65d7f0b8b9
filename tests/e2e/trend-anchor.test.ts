// needs: chromium
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { publish } from '../../src/app/publish.ts';
import { comparisonOf } from '../../src/core/comparison/comparison-of.ts';
import { keepAll } from '../../src/core/publication/change.ts';
import { specFolder } from '../../src/core/publication/spec-files.ts';
import { pagesSource } from '../support/made-up/pages-source.ts';
import { madeUpRecord } from '../support/made-up/run-record.ts';
import { memoryBranch } from '../support/memory-branch.ts';
import { type PublishedPages, publishedPages } from './support/published-pages.ts';
import { expectSoundTrend } from './support/trend.ts';

/** How far a branch is from its anchor, on the published trend in a real browser. */

const KEY = 'go/ping/*';
const CPU = 'cpu-per-request';
let pages: PublishedPages;

beforeAll(async () => {
  pages = await publishedPages();
});

afterAll(() => pages?.close());

/** Runs of a day each; the one before the newest was compared with v1.0 as well, of which 12 % came since and 8 % were accepted. */
async function publishedRuns(): Promise<Map<string, string>> {
  const branch = memoryBranch();
  const recordOf = (id: string, ratio: number) =>
    madeUpRecord({
      id,
      rounds: 20,
      gate: { anchor: 'commit:v1.0' },
      cases: [16, 100].map((connections) => ({ connections, ratios: { [CPU]: ratio } })),
    });
  for (const day of [1, 2, 3, 4]) {
    const record = recordOf(`2026110${day}-093000-00000a`, 1);
    const anchor = comparisonOf(recordOf(record.id, 1.12));
    const since = [{ key: KEY, metric: CPU, accepted: 0.08, runs: 3, crept: true }];
    const comparison = { ...comparisonOf(record), ...(day === 3 ? { anchor: { ...anchor, since } } : {}) };
    const options = { retention: keepAll, squash: false, pages: pagesSource, now: new Date(0), warn: () => {} };
    await publish(record, comparison, branch.publisher(), options, new AbortController().signal);
  }
  const folder = specFolder('rest-api');
  const own = [...branch.files].filter(([path]) => path.startsWith(folder));
  return new Map(own.map(([path, content]) => [path.slice(folder.length), content]));
}

describe('the trend of a spec with an anchor', () => {
  it('says beside the chart how far the newest run that was compared with it is from it', async () => {
    const files = await publishedRuns();
    const { page, complaints } = await pages.opened(files, `?view=trend&metric=${CPU}`, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
    });
    const section = page.getByRole('region', { name: 'Since v1.0' });
    await section.waitFor();
    expect(await section.locator('h3, p, li').allTextContents()).toEqual([
      'Since v1.0',
      'CPU per request, service and database, in the run of 2026-11-03 09:30 UTC',
      expect.stringMatching(
        /^go · ping: \+1\d\.\d %, of which \+8\.0 % was accepted \(3 runs\); crept in, though no run was red$/,
      ),
    ]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    await page.locator('#trend-metric').selectOption('latency-p99');
    await expect.poll(() => section.textContent()).toContain('Latency, p99');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('has no finding of axe-core, and shows no such part where the file of that run is gone', async () => {
    const files = await publishedRuns();
    await expectSoundTrend(pages, files, { colorScheme: 'light', width: 390 });
    const gone = new Map([...files].filter(([path]) => !path.startsWith('runs/')));
    const { page } = await pages.opened(gone, `?view=trend&metric=${CPU}`);
    expect(await page.getByRole('region', { name: 'Since v1.0' }).count()).toBe(0);
    expect(await page.locator('canvas').count()).toBe(2);
    await page.context().close();
  });
});
