import axe from 'axe-core';
import type { Page } from 'playwright-core';

/** Of those that are looked at without being asked for. https://dequeuniversity.com/rules/axe/ */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

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

/** Those of a page as it is now, 390 and 1440 pixels wide, light and dark; and the widths where something sticks out. */
export async function findingsOfEachView(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [390, 1440]) {
    await page.setViewportSize({ width, height: 900 });
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // What is there, and where, is the same in the dark.
      const own = await accessibilityFindings(page, colorScheme === 'light' ? 'all' : 'colours');
      found.push(...own.map((finding) => `${width} pixels, ${colorScheme}: ${finding}`));
    }
    const needed = await page.evaluate(() => document.documentElement.scrollWidth);
    if (needed !== width) found.push(`${width} pixels: ${needed} are needed`);
  }
  return found;
}
