// needs: chromium
// seconds: 14
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsHere } from '../e2e/support/accessibility.ts';
import { column, ENDPOINTS, readingAt } from '../e2e/support/report-page-reading.ts';
import { type ReportPages, reportPages, unfoldAll } from '../e2e/support/report-pages.ts';

/** `report.html` as a reader goes through it: what is first, sorting, leaving out, unfolding, with a mouse and without. */

let pages: ReportPages;

beforeAll(async () => {
  pages = await reportPages();
});

afterAll(() => pages?.close());

describe('report.html of a comparison, all of it unfolded', () => {
  it('has no finding of axe-core, and fits', async () => {
    const { page, complaints } = await pages.opened('compared', { colorScheme: 'light' });
    await unfoldAll(page);
    expect(await findingsHere(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

readingAt(1440, () => pages);

describe('report.html by keyboard alone', () => {
  it('sorts, leaves out, unfolds and follows its contents', async () => {
    const { page, complaints } = await pages.opened('compared');
    await page.keyboard.press('Tab');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Skip to the report');
    const focusOn = async (text: string) => {
      for (let step = 0; step < 200; step += 1) {
        const [focused, hasRing] = await page.evaluate(() => {
          const element = document.activeElement;
          const label = element?.closest('label')?.textContent ?? element?.textContent ?? '';
          return [label.trim(), element?.matches(':focus-visible') ?? false] as const;
        });
        if (focused === text) return expect(hasRing).toBe(true);
        await page.keyboard.press('Tab');
      }
      throw new Error(`Tab never comes to "${text}".`);
    };
    await focusOn('Changed only');
    await page.keyboard.press('Space');
    expect(await column(page, ENDPOINTS, 0)).not.toContain('api · all endpoints');
    await page.keyboard.press('Space');
    await focusOn('Throughput');
    await page.keyboard.press('Enter');
    const head = page.locator(`${ENDPOINTS} th`, { hasText: 'Throughput' });
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    await page.keyboard.press('Space');
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    await focusOn('Test environment');
    await page.keyboard.press('Enter');
    expect(await page.locator('#environment').isVisible()).toBe(true);
    await page.keyboard.press('Enter');
    expect(await page.locator('#environment').isVisible()).toBe(false);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('report.html without its script', () => {
  it('has readable tables, folds that open, links that unfold, and no control that does nothing', async () => {
    const { page, complaints } = await pages.opened('compared', { javaScriptEnabled: false });
    expect(await page.locator(ENDPOINTS).isVisible()).toBe(true);
    expect(await page.locator('th button, .changed-only').count()).toBe(0);
    expect(await page.locator('nav a[href="#charts"]').isVisible()).toBe(false);
    const table = page.locator('#results table').first();
    expect(await table.isVisible()).toBe(false);
    await page.locator('#results summary').first().click();
    expect(await table.isVisible()).toBe(true);
    await page.locator('nav a[href="#environment"]').click();
    await page.locator('#environment').waitFor({ state: 'visible' });
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('report.html on paper', () => {
  it('has all that is folded, and folds it again afterwards', async () => {
    const { page } = await pages.opened('compared');
    const open = () => page.locator('details[open]').count();
    const all = await page.locator('details').count();
    const before = await open();
    expect(before).toBeLessThan(all);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    expect(await open()).toBe(all);
    expect(await page.locator('#resource-chart-list canvas').count()).toBeGreaterThan(0);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    expect(await open()).toBe(before);
    await page.context().close();
  });

  it('has all that is folded without the script, too', async () => {
    const { page } = await pages.opened('compared', { javaScriptEnabled: false });
    const environment = page.locator('#environment');
    // Not by its height: Chromium may have laid out what a closed <details> holds.
    expect(await environment.isVisible()).toBe(false);
    await page.emulateMedia({ media: 'print' });
    expect(await environment.isVisible()).toBe(true);
    expect((await environment.boundingBox())?.height).toBeGreaterThan(300);
    await page.context().close();
  });
});

describe('report.html of a comparison', () => {
  it('is short enough to be read: under 5,000 pixels on a desk, under 8,000 on a phone', async () => {
    for (const [width, most] of [
      [1280, 5000],
      [390, 8000],
    ] as const) {
      const { page } = await pages.opened('compared', { viewport: { width, height: 900 } });
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(most);
      for (const shown of ['.headline', ENDPOINTS, '#chosen-table table']) {
        expect(await page.locator(shown).isVisible()).toBe(true);
      }
      await page.context().close();
    }
  });
});
