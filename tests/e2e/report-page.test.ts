// needs: chromium
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectDrawn, expectLegible, expectToFitAPhone } from './support/report-page.ts';
import { type ReportPageName, type ReportPages, reportPages, unfoldAll } from './support/report-pages.ts';
import { drawnPixels } from './support/trend.ts';

/** `report.html` in a real browser, from the disk as a reader opens it. */

/** Services against each other, with invalid cases, and a comparison; tests/full has all records. */
const LIKE_ALL = ['apostol', 'troubled', 'compared'] as const;

let pages: ReportPages;

beforeAll(async () => {
  pages = await reportPages();
});

afterAll(() => pages?.close());

const opened = (name: ReportPageName, options: BrowserContextOptions = {}) => pages.opened(name, options);

describe('report.html in a browser', () => {
  it.each(LIKE_ALL)('%s opens without a complaint, a request or a dialog, and draws its charts', async (name) => {
    await expectDrawn(pages, name);
  });

  it('fits a screen of 360 pixels; wide tables scroll by themselves', async () => {
    await expectToFitAPhone(pages, 'compared');
  });

  it.each(['light', 'dark'] as const)('is legible in %s: every text has a contrast of 4.5', async (colorScheme) => {
    await expectLegible(pages, 'compared', colorScheme);
  });

  it('redraws its charts when the system turns dark, and light for the printer', async () => {
    const { page } = await opened('apostol');
    const textPixels = (colour: number[]) =>
      page
        .locator('canvas')
        .first()
        .evaluate((each, [red, green, blue]) => {
          const canvas = each as HTMLCanvasElement;
          const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
          let count = 0;
          for (let at = 0; at < data.length; at += 4) {
            if (data[at] === red && data[at + 1] === green && data[at + 2] === blue && data[at + 3] === 255) count += 1;
          }
          return count;
        }, colour);
    const lightAccent = [9, 105, 218];
    const darkAccent = [88, 166, 255];
    expect(await textPixels(lightAccent)).toBeGreaterThan(1000);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => textPixels(darkAccent), { timeout: 10_000 }).toBeGreaterThan(1000);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    expect(await textPixels(lightAccent)).toBeGreaterThan(1000);
    await page.context().close();
  });

  it('shows the test that was chosen, by keyboard alone', async () => {
    const { page, complaints } = await opened('apostol');
    expect(await page.locator('#chosen').textContent()).toBe(
      'ping (GET /ping), keep-alive on, 4 threads / 100 connections',
    );
    await page.locator('#controls').getByLabel('Keep-alive').focus();
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('#chosen').textContent()).toBe(
      'ping (GET /ping), keep-alive off, 4 threads / 100 connections',
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.locator('#chosen').textContent()).toContain('keep-alive off, 4 threads / 1,000 connections');
    expect(await page.locator('#chosen-table tbody th').allTextContents()).toEqual([
      'apostol-v2',
      'nginx (reference)',
      'go',
      'apostol-v1',
      'nodejs',
      'python',
    ]);
    // There is no database test with 1000 connections: the nearest that there is takes its place.
    await page.locator('#controls').getByLabel('Endpoint').selectOption('db-ping (GET /db/ping)');
    expect(await page.locator('#chosen').textContent()).toBe(
      'db-ping (GET /db/ping), keep-alive off, 4 threads / 100 connections',
    );
    expect(await page.locator('#controls').getByLabel('Load').inputValue()).toBe('4 threads / 100 connections');
    const said = await page.getByRole('img', { name: /^Throughput/ }).getAttribute('aria-label');
    expect(said).toBe(
      'Throughput, requests per second, more is better. apostol-v2: 34,142; go: 7,167; nodejs: 5,730; python: 4,390; apostol-v1: 2,800.',
    );
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('draws memory and CPU where they were measured', async () => {
    const { page } = await opened('small');
    expect(await page.locator('canvas').count()).toBe(2);
    await page.getByText('Charts of memory and CPU').click();
    await expect.poll(() => page.locator('canvas').count(), { timeout: 10_000 }).toBe(5);
    for (const count of await drawnPixels(page)) expect(count).toBeGreaterThan(1000);
    expect(await page.locator('#charts figcaption').allTextContents()).toEqual([
      'Throughputrequests per second, more is better',
      'Latency percentileslogarithmic, less is better',
      'Memoryof the service, without page cache, less is better',
      'CPU time per requestless is better',
      'CPU usage100% is one core busy all the time',
    ]);
    await page.context().close();
  });

  it('shows hostile names as text, in tables and in the controls', async () => {
    const { page, complaints } = await opened('troubled');
    const name = '<script>alert(1)</script><img src=x onerror=alert(2)>';
    expect(await page.locator('#results tbody th', { hasText: 'alert(1)' }).first().textContent()).toBe(name);
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.title()).toBe('troubled <b>&amp; | `spec` ## not a heading: wrkbench report');
    await page.locator('#controls').getByLabel('Generator').selectOption('k6');
    expect(await page.locator('#chosen-table tbody th').first().textContent()).toBe(name);
    for (const link of await page.locator('a').all()) {
      expect(await link.getAttribute('href')).toMatch(/^(#|run\.json$|journal\.jsonl$|raw\/)/);
    }
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('has the verdict first, and a picture of each change that stays inside its frame', async () => {
    for (const width of [1200, 400]) {
      const { page, complaints } = await opened('compared', { viewport: { width, height: 900 } });
      expect(await page.locator('.headline').textContent()).toMatch(/^✗ Regression in 1 of 2 endpoints: api · \/db/);
      expect(await page.locator('main > section').first().getAttribute('id')).toBe('comparison');
      await unfoldAll(page);
      const frames = await page.locator('.interval-row svg.interval').evaluateAll((all) =>
        all.map((each) => {
          const frame = each.getBoundingClientRect();
          const parts = [...each.querySelectorAll('line, circle, rect')].map((part) => part.getBoundingClientRect());
          return {
            width: frame.width,
            inside: parts.every(({ left, right }) => left >= frame.left - 6 && right <= frame.right + 6),
          };
        }),
      );
      expect(frames.length).toBeGreaterThan(10);
      for (const frame of frames) {
        expect(frame.width).toBeGreaterThan(200);
        expect(frame.inside).toBe(true);
      }
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  it('runs no script but its own', async () => {
    const { page, complaints } = await opened('small');
    await page.evaluate(() => {
      const script = document.createElement('script');
      script.textContent = 'document.title = "taken over"';
      document.body.append(script);
    });
    expect(await page.title()).toBe('users-api: wrkbench report');
    expect(complaints.join()).toContain('Content Security Policy');
    await page.context().close();
  });

  it('says all it has to say without JavaScript', async () => {
    const { page } = await opened('apostol', { javaScriptEnabled: false });
    expect(await page.locator('#charts').isVisible()).toBe(false);
    expect(await page.locator('#results table').count()).toBe(6);
    await page.locator('#results summary').first().click();
    const bars = await page.locator('#results .bars').first().locator('.bar > rect').all();
    const widths = await Promise.all(bars.map(async (bar) => (await bar.boundingBox())!.width));
    expect(widths[1]! / widths[0]!).toBeCloseTo(270_706 / 584_991, 1);
    await page.context().close();
  });

  it('prints', async () => {
    const { page } = await opened('apostol', { colorScheme: 'dark' });
    const pdf = await page.pdf();
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-');
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect(await page.locator('nav').isVisible()).toBe(false);
    await page.context().close();
  });
});
