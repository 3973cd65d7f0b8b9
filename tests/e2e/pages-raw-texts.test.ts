// needs: chromium
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ViewSite, viewSite } from './support/views/site.ts';

let site: ViewSite;

beforeAll(async () => {
  site = await viewSite();
});

afterAll(() => site?.close());

describe('what the generators of a run printed', () => {
  const requestsOf = (page: Page) => {
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname.split('/').at(-1)!));
    return asked;
  };

  it('is loaded when it is unfolded, once, and shown as text', async () => {
    const { page, complaints } = await site.opened('troubled', '?view=run');
    const asked = requestsOf(page);
    const title = page.locator('summary', { hasText: 'What the generators printed' });
    await title.focus();
    await page.keyboard.press('Enter');
    await page.locator('#raw-texts summary').first().click();
    expect(await page.locator('#raw-texts pre').allTextContents()).toEqual([
      '<script>alert(1)</script>⟨U+202E⟩\n</pre>',
    ]);
    expect(await page.locator('#raw-texts summary').allTextContents()).toEqual(['<img src=x onerror=alert(1)>.txt']);
    expect(await page.locator('#raw-texts li').allTextContents()).toEqual([
      'long.txt: With it this file would have more than 64000 characters.',
    ]);
    await title.click();
    await title.click();
    expect(asked).toEqual(['20261101-110000-000002.raw.json']);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is asked for again where it could not be loaded', async () => {
    const { page } = await site.opened('troubled', '?view=run&run=20261101-090000-000000');
    await page.route('**/*.raw.json', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
    const title = page.locator('summary', { hasText: 'What the generators printed' });
    await title.click();
    await page.waitForSelector('#raw-texts .warning');
    expect(await page.locator('#raw-texts').textContent()).toContain('the server answered 503');
    await title.click();
    await title.click();
    await page.waitForSelector('#raw-texts details');
    await page.context().close();
  });

  it('is asked for again by a button, too', async () => {
    const { page } = await site.opened('troubled', '?view=run&run=20261101-090000-000000');
    await page.route('**/*.raw.json', (route) => route.fulfill({ status: 503, body: '' }), { times: 1 });
    await page.locator('summary', { hasText: 'What the generators printed' }).click();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('#raw-texts details');
    await page.context().close();
  });

  it('is not offered of a run without it', async () => {
    const { page } = await site.opened('services', '?view=run');
    expect(await page.getByText('What the generators printed').count()).toBe(0);
    await page.context().close();
  });
});
