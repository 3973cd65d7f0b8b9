// needs: chromium, git
// seconds: 10
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { nightlyPages } from '../../scripts/pictures/pages.mjs';
import { browserOf } from '../e2e/support/browser.ts';

/**
 * The pages that the pictures of the README are of: real runs of the bundled server's nights, as `serve` shows a data branch of
 * them. The third night's commit adds a query to a page of users, which is accepted; the fifth is released as v1.0; the sixth
 * takes the query out again.
 */

let served: Awaited<ReturnType<typeof nightlyPages>>;
let browser: Browser;

beforeAll(async () => {
  [served, browser] = await Promise.all([nightlyPages(), browserOf()]);
}, 60_000);

afterAll(async () => {
  await browser?.close();
  served?.close();
});

/** The page, and all that it complained of. */
async function opened(address: string): Promise<{ page: Page; complaints: string[] }> {
  const page = await browser.newPage();
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('request', (request) => {
    if (!request.url().startsWith(served.url) && !request.url().startsWith('data:')) complaints.push(request.url());
  });
  await page.goto(`${served.url}${address}`);
  await page.waitForFunction(() => document.querySelector('main h2, main li') && !document.querySelector('.loading'));
  return { page, complaints };
}

/** Of each run on the trend, the newest last: its commit's cell and its figure. */
async function figures(page: Page): Promise<[string, string][]> {
  await page.locator('details').evaluateAll((all) => {
    for (const each of all as HTMLDetailsElement[]) each.open = true;
  });
  const rows = page.locator('.below tbody tr');
  await rows.first().waitFor();
  const cells = await rows.evaluateAll((all) =>
    all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.textContent ?? '')),
  );
  return cells.reverse().map(([commit, , figure]) => [commit!, figure!]);
}

describe('the nightly page of the bundled server', () => {
  it('shows the query that came with the third night and went with the sixth, and the release between', async () => {
    const { page, complaints } = await opened(
      'demo/?view=trend&metric=queries-per-request&case=rest-node/users/direct/wrk/keep-alive/10',
    );
    const found = await figures(page);
    expect(found.map(([, figure]) => figure)).toEqual(['1', '1', '2', '2', '2', '1', '1', '1']);
    expect(found[4]![0]).toMatch(/^[0-9a-f]{7} · v1\.0$/);
    expect(complaints).toEqual([]);
  });

  it('opens each view from the tabs without a complaint', async () => {
    const { page, complaints } = await opened('demo/');
    for (const tab of await page.locator('#tabs a').all()) {
      await tab.click();
      await page.waitForFunction(() => document.querySelector('main h2') && !document.querySelector('.loading'));
      expect(await tab.getAttribute('aria-current')).toBe('page');
    }
    expect(complaints).toEqual([]);
  });

  it('stands in an index with the other specs of the project', async () => {
    const { page, complaints } = await opened('');
    expect(await page.locator('li[data-spec]').evaluateAll((all) => all.map((each) => each.dataset.spec))).toEqual([
      'apostol-rest',
      'demo',
      'users',
    ]);
    expect(complaints).toEqual([]);
  });
});
