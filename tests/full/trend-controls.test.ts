// needs: chromium
// seconds: 8
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PublishedPages, publishedPages } from '../e2e/support/published-pages.ts';
import { expectListBelowItsButton } from '../e2e/support/trend.ts';
import { madeUpPages } from '../support/made-up/pages.ts';

/** The controls of the trend under a reader's keyboard and pointer, on screens of any width. */

const files = madeUpPages({ runs: 160, services: ['go', 'rust'] });
let pages: PublishedPages;

beforeAll(async () => {
  pages = await publishedPages();
});

afterAll(() => pages?.close());

const stateOf = (page: Page) => decodeURIComponent(new URL(page.url()).search);
const rangeShown = (page: Page) => page.locator('.toolbar p').textContent();
const focused = (page: Page) => page.evaluate(() => document.activeElement?.id);
const begin = async () => {
  const { page } = await pages.opened(files, '?view=trend&from=2026-08-20&to=2026-08-25');
  await page.locator('#trend-from').focus();
  return page;
};

describe('a day of the range', () => {
  it('is typed key by key, and counts with Enter', async () => {
    const page = await begin();
    await page.keyboard.type('08222026', { delay: 20 });
    expect(await page.locator('#trend-from').inputValue()).toBe('2026-08-22');
    expect(stateOf(page)).toBe('?view=trend&from=2026-08-20&to=2026-08-25');
    await page.keyboard.press('Enter');
    expect(stateOf(page)).toBe('?view=trend&from=2026-08-22&to=2026-08-25');
    expect(await rangeShown(page)).toMatch(/^\d+ runs, 2026-08-22 /);
    await page.waitForFunction(() => document.activeElement?.id === 'trend-from');
    await page.goBack();
    expect(await page.locator('#trend-from').inputValue()).toBe('2026-08-20');
    await page.context().close();
  });

  it('is stepped with the arrow keys, as far as one likes', async () => {
    const page = await begin();
    await page.keyboard.press('ArrowRight');
    for (let step = 0; step < 3; step += 1) await page.keyboard.press('ArrowUp', { delay: 20 });
    await page.keyboard.press('Enter');
    expect(stateOf(page)).toContain('from=2026-08-23');
    await page.context().close();
  });

  it('counts when the field is left with the keyboard, and the next control has the focus', async () => {
    const page = await begin();
    await page.keyboard.type('08222026', { delay: 20 });
    for (let step = 0; step < 5 && (await focused(page)) === 'trend-from'; step += 1) await page.keyboard.press('Tab');
    await page.waitForFunction(() => location.search.includes('from=2026-08-22'));
    await page.waitForFunction(() => document.activeElement?.id === 'trend-to');
    await page.keyboard.type('08232026', { delay: 20 });
    await page.keyboard.press('Enter');
    expect(stateOf(page)).toBe('?view=trend&from=2026-08-22&to=2026-08-23');
    await page.context().close();
  });

  it('counts when the field is left with the pointer, and so does what is clicked', async () => {
    const page = await begin();
    await page.keyboard.type('08222026', { delay: 20 });
    await page.getByLabel('Axis from 0').click();
    await page.waitForFunction(() => location.search.includes('zero=on'));
    expect(stateOf(page)).toBe('?view=trend&from=2026-08-22&to=2026-08-25&zero=on');
    await page.locator('#trend-from').focus();
    await page.keyboard.type('08232026', { delay: 20 });
    await page.locator('h2').click();
    await expect.poll(() => rangeShown(page), { timeout: 10_000 }).toMatch(/^\d+ runs, 2026-08-23 /);
    await page.locator('#trend-from').focus();
    await page.keyboard.type('08242026', { delay: 20 });
    await page.getByRole('button', { name: 'Newest 100' }).click();
    expect(stateOf(page)).toBe('?view=trend&zero=on');
    await page.context().close();
  });

  it('is left alone while its year is unfinished', async () => {
    const page = await begin();
    await page.keyboard.type('0822202', { delay: 20 });
    await page.keyboard.press('Enter');
    expect(stateOf(page)).toBe('?view=trend&from=2026-08-20&to=2026-08-25');
    await page.context().close();
  });
});

describe('the list of cases', () => {
  // Where the controls are in one column, and where all of them are in one row; trend-on-screens.test.ts has what lies between.
  it.each([320, 1200])('lies on a screen of %i pixels, below its button', async (width) => {
    await expectListBelowItsButton(pages, files, width);
  });
});
