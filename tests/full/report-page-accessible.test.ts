// needs: chromium
// seconds: 23
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsOfEachView } from '../e2e/support/accessibility.ts';
import { readingAt } from '../e2e/support/report-page-reading.ts';
import { type ReportPages, reportPages, unfoldAll } from '../e2e/support/report-pages.ts';

/** `report.html` in every width and colour scheme: tests/e2e/report-page-reading.test.ts has one of them. */

let pages: ReportPages;

beforeAll(async () => {
  pages = await reportPages();
});

afterAll(() => pages?.close());

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

readingAt(390, () => pages);
