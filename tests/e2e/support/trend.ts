import type { BrowserContextOptions, Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityFindings } from './accessibility.ts';
import { outOfSight } from './out-of-sight.ts';
import type { PublishedPages } from './published-pages.ts';

type Files = ReadonlyMap<string, string>;

/** Pixels of each canvas that are not transparent. */
export async function drawnPixels(page: Page): Promise<number[]> {
  return page.locator('canvas').evaluateAll((canvases) =>
    canvases.map((each) => {
      const canvas = each as HTMLCanvasElement;
      const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
      return data.filter((value, index) => index % 4 === 3 && value > 0).length;
    }),
  );
}

/** Below its button, and inside of a screen this wide. */
export async function expectListBelowItsButton(pages: PublishedPages, files: Files, width: number): Promise<void> {
  const { page } = await pages.opened(files, '?view=trend', { viewport: { width, height: 900 } });
  await page.locator('#trend-cases').click();
  const list = (await page.locator('.options').boundingBox())!;
  const button = (await page.locator('#trend-cases').boundingBox())!;
  expect(list.x).toBeGreaterThanOrEqual(0);
  expect(list.x + list.width).toBeLessThanOrEqual(width);
  expect(list.y - (button.y + button.height)).toBeGreaterThanOrEqual(0);
  expect(list.y - (button.y + button.height)).toBeLessThan(12);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  await page.context().close();
}

/** Opens the trend, unfolds all of it, and finds nothing that is wrong with it. */
export async function expectSoundTrend(
  pages: PublishedPages,
  files: Files,
  { colorScheme, width }: { colorScheme: NonNullable<BrowserContextOptions['colorScheme']>; width: number },
): Promise<void> {
  const { page, complaints, requests } = await pages.opened(files, '?view=trend', {
    colorScheme,
    viewport: { width, height: 844 },
    isMobile: width < 600,
  });
  const pixels = await drawnPixels(page);
  expect(pixels).toHaveLength(2);
  for (const count of pixels) expect(count).toBeGreaterThan(1000);
  await page.locator('details').evaluateAll((all) => {
    for (const each of all as HTMLDetailsElement[]) each.open = true;
  });
  await page.waitForSelector('.below table tbody tr');
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  expect(await outOfSight(page)).toEqual([]);
  expect(await accessibilityFindings(page)).toEqual([]);
  expect(complaints).toEqual([]);
  expect(requests.filter((path) => !/^(?:rest-api|assets)\//.test(path))).toEqual([]);
  await page.context().close();
}
