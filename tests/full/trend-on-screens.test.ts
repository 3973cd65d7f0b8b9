// needs: chromium
// seconds: 24
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type PublishedPages, publishedPages } from '../e2e/support/published-pages.ts';
import { expectListBelowItsButton, expectSoundTrend } from '../e2e/support/trend.ts';
import { madeUpPages } from '../support/made-up/pages.ts';

/** The trend in every colour scheme and on screens of any width: tests/e2e has one or two of each. */

const files = madeUpPages({ runs: 160, services: ['go', 'rust'] });
let pages: PublishedPages;

beforeAll(async () => {
  pages = await publishedPages();
});

afterAll(() => pages?.close());

describe('the trend in a browser', () => {
  it.each([
    ['light', 1440],
    ['dark', 1440],
    ['light', 390],
    ['dark', 390],
  ] as const)('in %s at %i pixels opens without a complaint, and axe finds nothing', async (colorScheme, width) => {
    await expectSoundTrend(pages, files, { colorScheme, width });
  });
});

describe('the list of cases', () => {
  it.each([320, 390, 600, 680, 768, 900, 1024, 1070, 1150, 1199, 1200, 1440])(
    'lies on a screen of %i pixels, below its button',
    async (width) => {
      await expectListBelowItsButton(pages, files, width);
    },
  );
});
