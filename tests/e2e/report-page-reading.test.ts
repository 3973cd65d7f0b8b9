// needs: chromium
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOfEachView } from './support/accessibility.ts';
import { type ReportPages, reportPages, unfoldAll } from './support/report-pages.ts';

/** `report.html` as a reader goes through it: what is first, sorting, leaving out, unfolding, with a mouse and without. */

let pages: ReportPages;

beforeAll(async () => {
  pages = await reportPages();
});

afterAll(() => pages?.close());

const ENDPOINTS = '[aria-label="Endpoints, candidate against baseline"]';

/** Texts of a column's cells that are shown, in their order. */
function column(page: Page, table: string, index: number): Promise<string[]> {
  return page
    .locator(`${table} tbody tr:not([hidden])`)
    .evaluateAll((rows, at) => rows.map((row) => (row as HTMLTableRowElement).cells[at]!.textContent!.trim()), index);
}

describe('report.html at 390 and 1440 pixels, light and dark', () => {
  it.each(['compared', 'apostol', 'troubled'] as const)(
    'of %s has no finding of axe-core, folded or unfolded, and fits',
    async (name) => {
      const { page, complaints } = await pages.opened(name, { colorScheme: 'light' });
      expect(await findingsOfEachView(page)).toEqual([]);
      await unfoldAll(page);
      expect(await findingsOfEachView(page)).toEqual([]);
      expect(complaints).toEqual([]);
      await page.context().close();
    },
  );
});

// What the script does goes by the width, and not by the colours.
describe.each([390, 1440])('report.html at %i pixels', (width) => {
  const options = { viewport: { width, height: 900 } };

  it('has the endpoint with the regression first, and its charts open on it', async () => {
    const { page, complaints } = await pages.opened('compared', options);
    expect((await column(page, ENDPOINTS, 0))[0]).toBe('api · /db/users');
    expect((await column(page, ENDPOINTS, 1))[0]).toBe('✗ worse');
    expect(await page.locator('#chosen').textContent()).toBe('users (GET /db/users), wrk');
    expect(await page.locator('#results summary').first().textContent()).toBe('users (GET /db/users), wrk');
    const said = await page.getByRole('img', { name: /^Throughput/ }).getAttribute('aria-label');
    expect(said).toMatch(/keep-alive on · 100 connections: [\d,]+; .* connections, baseline: [\d,]+\.$/);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('sorts a table by the head of a column, up, down and back, with the mouse', async () => {
    const { page, complaints } = await pages.opened('apostol', options);
    const table = '#chosen-table';
    const reported = await column(page, table, 0);
    const head = page.locator(`${table} th`, { hasText: 'p99' }).first();
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('ascending');
    expect(await column(page, table, 0)).toEqual([
      'nginx (reference)',
      'apostol-v2',
      'apostol-v1',
      'go',
      'nodejs',
      'python',
    ]);
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBe('descending');
    expect(await column(page, table, 0)).toEqual([
      'python',
      'nodejs',
      'go',
      'apostol-v1',
      'apostol-v2',
      'nginx (reference)',
    ]);
    await head.getByRole('button').click();
    expect(await head.getAttribute('aria-sort')).toBeNull();
    expect(await column(page, table, 0)).toEqual(reported);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('leaves out on request what did not change, and says how much is left', async () => {
    const { page, complaints } = await pages.opened('compared', options);
    const all = await column(page, ENDPOINTS, 0);
    const box = page.getByLabel('Changed only').first();
    await box.check();
    const left = await column(page, ENDPOINTS, 0);
    expect(left.length).toBeLessThan(all.length);
    expect(left).toContain('api · /db/users');
    expect(await page.getByRole('status').first().textContent()).toBe(`${left.length} of ${all.length} rows`);
    await box.uncheck();
    expect(await column(page, ENDPOINTS, 0)).toEqual(all);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('leads to every section from its contents, which unfolds it', async () => {
    const { page, complaints } = await pages.opened('compared', { ...options, reducedMotion: 'reduce' });
    const links = page.locator('nav a');
    expect(await links.allTextContents()).toEqual([
      'Comparison',
      'Summary',
      'Charts',
      'Results',
      'Services',
      'Test environment',
      'Methodology',
      'Keep-alive impact',
      'Connection scaling',
      'Latency consistency',
      'Memory and CPU',
      'What limits the throughput',
      'Queries, rows and bytes',
      'How to reproduce',
      'Raw data',
    ]);
    expect(await page.locator('main > section').count()).toBe(await links.count());
    for (const link of await links.all()) {
      const target = page.locator((await link.getAttribute('href'))!);
      await link.click();
      await target.waitFor({ state: 'visible' });
      const fold = target.locator('xpath=parent::details');
      if ((await fold.count()) > 0) expect(await fold.getAttribute('open')).not.toBeNull();
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

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
