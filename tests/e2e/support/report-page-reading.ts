import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { ReportPages } from './report-pages.ts';

export const ENDPOINTS = '[aria-label="Endpoints, candidate against baseline"]';

/** Texts of a column's cells that are shown, in their order. */
export function column(page: Page, table: string, index: number): Promise<string[]> {
  return page
    .locator(`${table} tbody tr:not([hidden])`)
    .evaluateAll((rows, at) => rows.map((row) => (row as HTMLTableRowElement).cells[at]!.textContent!.trim()), index);
}

/** What the script does goes by the width, and not by the colours. */
export function readingAt(width: number, pages: () => ReportPages): void {
  describe(`report.html at ${width} pixels`, () => {
    const options = { viewport: { width, height: 900 } };

    it('has the endpoint with the regression first, and its charts open on it', async () => {
      const { page, complaints } = await pages().opened('compared', options);
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
      const { page, complaints } = await pages().opened('apostol', options);
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
      const { page, complaints } = await pages().opened('compared', options);
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
      const { page, complaints } = await pages().opened('compared', { ...options, reducedMotion: 'reduce' });
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
}
