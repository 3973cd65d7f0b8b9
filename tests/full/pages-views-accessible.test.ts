// needs: chromium
// seconds: 37
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOfEachView } from '../e2e/support/accessibility.ts';
import { unfoldAll } from '../e2e/support/report-pages.ts';
import { type ViewSite, viewSite } from '../e2e/support/views/site.ts';

/** Each view of the published pages in every width and colour scheme: tests/e2e/pages-views.test.ts has one of each. */

let site: ViewSite;

beforeAll(async () => {
  site = await viewSite();
});

afterAll(() => site?.close());

const pages = [
  ['services', '?view=ranking'],
  ['small', '?view=ranking&generator=k6'],
  ['troubled', '?view=ranking'],
  ['services', '?view=run'],
  ['compared', '?view=run'],
  ['troubled', '?view=run&metric=latency-p99'],
  ['services', '?view=compare&base=20261101-140000-000005&metric=all'],
  ['compared', '?view=compare'],
] as const;

describe('at 390 and 1440 pixels, light and dark', () => {
  it.each(pages)('%s%s has no finding of axe-core, folded or unfolded, and fits', async (scenario, search) => {
    const { page, complaints } = await site.opened(scenario, search, { colorScheme: 'light' });
    expect(await findingsOfEachView(page)).toEqual([]);
    await unfoldAll(page);
    expect(await findingsOfEachView(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
