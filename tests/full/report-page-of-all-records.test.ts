// needs: chromium
// seconds: 12
import { afterAll, beforeAll, describe, it } from 'vitest';
import { expectDrawn, expectLegible, expectToFitAPhone } from '../e2e/support/report-page.ts';
import { reportPageNames as names, type ReportPages, reportPages } from '../e2e/support/report-pages.ts';

/** `report.html` of all fixture records: tests/e2e/report-page.test.ts has those that differ most. */

let pages: ReportPages;

beforeAll(async () => {
  pages = await reportPages();
});

afterAll(() => pages?.close());

describe('report.html in a browser', () => {
  it.each(names)('%s opens without a complaint, a request or a dialog, and draws its charts', async (name) => {
    await expectDrawn(pages, name);
  });

  it.each(names)('%s fits a screen of 360 pixels; wide tables scroll by themselves', async (name) => {
    await expectToFitAPhone(pages, name);
  });

  it.each(['light', 'dark'] as const)('is legible in %s: every text has a contrast of 4.5', async (colorScheme) => {
    for (const name of ['apostol', 'troubled', 'compared'] as const) await expectLegible(pages, name, colorScheme);
  });
});
