import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { outOfSight } from './out-of-sight.ts';

/** Of those that are looked at without being asked for. https://dequeuniversity.com/rules/axe/ */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

const WIDTHS = [390, 1440];

/** What axe-core finds in what is shown, with where: by all its rules, or by those of colours alone. */
export async function accessibilityFindings(page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  const violations = await page.evaluate(
    async (own) => (await (window as unknown as { axe: typeof axe }).axe.run(document, own)).violations,
    // The rest would be told at length, and takes the most time.
    { resultTypes: ['violations'], ...(rules === 'all' ? {} : { runOnly: COLOUR_RULES }) } satisfies axe.RunOptions,
  );
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 200)).join('; ')}`);
}

/**
 * Those of a page as it is now, in its size and colours, and what sticks out or is out of sight on a phone and a desk: what every change
 * is tried with. `tests/full` tries each width in light and dark.
 */
export async function findingsHere(page: Page): Promise<string[]> {
  const found = await accessibilityFindings(page);
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    found.push(...(await stickingOut(page, width)));
  }
  return found;
}

/** Those of a page as it is now, 390 and 1440 pixels wide, light and dark; and what sticks out or is out of sight. */
export async function findingsOfEachView(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // What is there, and where, is the same in the dark.
      const own = await accessibilityFindings(page, colorScheme === 'light' ? 'all' : 'colours');
      found.push(...own.map((finding) => `${width} pixels, ${colorScheme}: ${finding}`));
    }
    found.push(...(await stickingOut(page, width)));
  }
  return found;
}

async function stickingOut(page: Page, width: number): Promise<string[]> {
  // Charts are drawn anew some frames after their place has changed.
  const fits = (wanted: number) => document.documentElement.scrollWidth === wanted;
  await page.waitForFunction(fits, width, { timeout: 3000 }).catch(() => {});
  const needed = await page.evaluate(() => document.documentElement.scrollWidth);
  const missed = (await outOfSight(page)).map((each) => `${width} pixels: ${each}`);
  return needed === width ? missed : [`${width} pixels: ${needed} are needed`, ...missed];
}
