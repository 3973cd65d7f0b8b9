import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { type ReportPageName, type ReportPages, unfoldAll } from './report-pages.ts';
import { drawnPixels } from './trend.ts';

export async function expectDrawn(pages: ReportPages, name: ReportPageName): Promise<void> {
  const { page, complaints } = await pages.opened(name);
  const pixels = await drawnPixels(page);
  expect(pixels.length).toBeGreaterThanOrEqual(2);
  for (const count of pixels) expect(count).toBeGreaterThan(1000);
  expect(complaints).toEqual([]);
  await page.context().close();
}

export async function expectToFitAPhone(pages: ReportPages, name: ReportPageName): Promise<void> {
  const { page } = await pages.opened(name, { viewport: { width: 360, height: 740 }, isMobile: true });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const charts = await page
    .locator('canvas')
    .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
  expect(Math.max(...charts)).toBeLessThanOrEqual(360);
  await unfoldAll(page);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
  const region = page.locator('#results .scroll').first();
  expect(await region.evaluate((each) => each.scrollWidth > each.clientWidth)).toBe(true);
  await page.context().close();
}

export async function expectLegible(
  pages: ReportPages,
  name: ReportPageName,
  colorScheme: 'light' | 'dark',
): Promise<void> {
  const { page } = await pages.opened(name, { colorScheme });
  await unfoldAll(page);
  const { ratio, text } = await lowestContrast(page);
  expect(ratio, `of "${text}"`).toBeGreaterThanOrEqual(4.5);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(background).toBe(colorScheme === 'dark' ? 'rgb(13, 17, 23)' : 'rgb(255, 255, 255)');
  await page.context().close();
}

/** Lowest contrast of any text against what lies behind it (WCAG 2), and where. */
async function lowestContrast(page: Page): Promise<{ ratio: number; text: string }> {
  return page.evaluate(() => {
    const channels = (colour: string) => (colour.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (colour: string) => {
      const [red = 0, green = 0, blue = 0] = channels(colour).map((value) =>
        value / 255 <= 0.03928 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const behind = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)';
      const colour = getComputedStyle(element).backgroundColor;
      return channels(colour)[3] === 0 ? behind(element.parentElement) : colour;
    };
    let lowest = { ratio: 21, text: '' };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const parent = texts.currentNode.parentElement;
      const text = texts.currentNode.textContent?.trim() ?? '';
      if (parent === null || text === '' || parent.closest('script, style') || parent.getClientRects().length === 0)
        continue;
      const [one, other] = [luminance(getComputedStyle(parent).color), luminance(behind(parent))];
      const ratio = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
      if (ratio < lowest.ratio) lowest = { ratio, text };
    }
    return lowest;
  });
}
