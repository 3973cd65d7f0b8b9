// needs: chromium
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { madeUpPages, runId, shaOf } from '../support/made-up/pages.ts';
import { accessibilityFindings } from './support/accessibility.ts';
import { outOfSight } from './support/out-of-sight.ts';
import { type PublishedPages, publishedPages } from './support/published-pages.ts';
import { drawnPixels, expectSoundTrend } from './support/trend.ts';

/** The published pages in a real browser, from a server of plain files under their own policy. */

const files = madeUpPages({ runs: 160, services: ['go', 'rust'] });
let pages: PublishedPages;

beforeAll(async () => {
  pages = await publishedPages();
});

afterAll(() => pages?.close());

const stateOf = (page: Page) => decodeURIComponent(new URL(page.url()).search);
const rangeShown = (page: Page) => page.locator('.toolbar p').textContent();
const settled = (page: Page) => page.waitForFunction(() => document.querySelector('.loading') === null);

describe('the trend in a browser', () => {
  it('opens without a complaint, and axe finds nothing', async () => {
    await expectSoundTrend(pages, files, { colorScheme: 'light', width: 1440 });
  });

  it('begins with the newest runs, and fetches older ones when they are asked for', async () => {
    const many = madeUpPages({ runs: 400, services: ['go', 'rust'] });
    const { page, requests } = await pages.opened(many);
    const series = () => requests.filter((path) => path.includes('series/')).length;
    expect(await rangeShown(page)).toMatch(/^100 runs, /);
    const first = series();
    expect(first).toBeLessThan([...many.keys()].length - 1);
    await page.getByRole('button', { name: 'All' }).click();
    await settled(page);
    expect(await rangeShown(page)).toMatch(/^399 runs, 2026-07-01 09:15 UTC to /);
    expect(series()).toBe([...many.keys()].length - 1);
    await page.context().close();
  });

  it('has no place on its axis for runs without a figure, as after an import', async () => {
    const measured = new Map(files);
    for (const [path, text] of files) {
      if (!path.startsWith('series/') || path.startsWith('series/2026-09')) continue;
      const piece = JSON.parse(text);
      piece.runs.imported.fill(true);
      piece.series = Object.fromEntries(Object.entries(piece.series).filter(([key]) => key.startsWith('2.')));
      measured.set(path, JSON.stringify(piece));
    }
    const { page, complaints } = await pages.opened(measured);
    const own = JSON.parse(files.get('series/2026-09.json')!).runs.id.length;
    expect(await rangeShown(page)).toMatch(new RegExp(`^${own} runs, 2026-09-01 `));
    expect(await page.locator('#trend-run').getAttribute('max')).toBe(String(own - 1));
    await page.getByRole('button', { name: 'Earlier' }).click();
    await expect.poll(() => page.locator('#announcement').textContent()).toBe('There are no more runs.');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('shows what each control says, keeps the focus on it, and goes back and forward', async () => {
    const { page, complaints } = await pages.opened(files, '?utm=7&view=trend');
    const title = () => page.locator('figcaption').first().textContent();
    await page.getByLabel('Metric').focus();
    await page.getByLabel('Metric').selectOption('latency-p99');
    expect(stateOf(page)).toBe('?utm=7&view=trend&metric=latency-p99');
    expect(await title()).toBe('Latency, p99milliseconds, less is better');
    await page.waitForFunction(() => document.activeElement?.id === 'trend-metric');
    await page.getByLabel('Along').selectOption('time');
    await page.getByLabel('Normalised by the reference').check();
    expect(await title()).toMatch(/^Latency, p99, normalised/);
    await page.getByLabel('Axis from 0').check();
    await page.getByLabel('Band').uncheck();
    expect(await page.locator('figure').first().textContent()).not.toContain('Band:');
    await page.locator('#trend-changes').selectOption('sum');
    expect(await page.locator('figcaption').nth(1).textContent()).toMatch(/^Changes of latency, p99, added up/);
    await page.locator('#trend-cases').click();
    await page.getByLabel('rust · ping').uncheck();
    expect(stateOf(page)).toBe(
      '?utm=7&view=trend&metric=latency-p99&axis=time&normalised=on&zero=on&band=off&changes=sum&case=go/ping/direct/wrk/on/100',
    );
    expect(await page.locator('.picker').evaluate((each) => (each as HTMLDetailsElement).open)).toBe(true);
    await page.waitForFunction(
      (label) => (document.activeElement as HTMLInputElement).labels?.[0]?.textContent === label,
      'rust · ping · wrk · keep-alive on · 100 connections',
    );
    await page.goBack();
    expect(await page.getByLabel('rust · ping').isChecked()).toBe(true);
    for (let step = 0; step < 6; step += 1) await page.goBack();
    expect(stateOf(page)).toBe('?utm=7&view=trend');
    expect(await title()).toMatch(/^CPU per request/);
    for (let step = 0; step < 7; step += 1) await page.goForward();
    expect(stateOf(page)).toContain('case=go/ping/direct/wrk/on/100');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('goes to other runs by buttons, days, a drag and the wheel', async () => {
    const { page } = await pages.opened(files);
    const all = await rangeShown(page);
    await page.getByRole('button', { name: 'Zoom in' }).click();
    expect(await rangeShown(page)).toMatch(/^50 runs/);
    await page.waitForFunction(() => document.activeElement?.id === 'trend-in');
    await page.getByRole('button', { name: 'Earlier' }).click();
    const earlier = await rangeShown(page);
    await page.getByRole('button', { name: 'Later' }).click();
    expect(await rangeShown(page)).not.toBe(earlier);
    await page.getByRole('button', { name: 'Zoom out' }).click();
    expect(await rangeShown(page)).toMatch(/^100 runs/);
    await page.getByRole('button', { name: 'Newest 100' }).click();
    expect(await rangeShown(page)).toBe(all);
    await page.getByLabel('From', { exact: true }).fill('2026-08-20');
    await page.getByLabel('To', { exact: true }).fill('2026-08-22');
    expect(await rangeShown(page)).toMatch(/^\d runs, 2026-08-20 .* to 2026-08-22 /);
    await page.getByLabel('From', { exact: true }).fill('2027-08-20');
    expect(await page.locator('main .warning').textContent()).toMatch(/^No run was published in this range/);
    await page.getByRole('button', { name: 'Newest 100' }).click();
    const box = (await page.locator('canvas').first().boundingBox())!;
    await page.mouse.move(box.x + box.width * 0.4, box.y + 100);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.6, box.y + 100, { steps: 4 });
    await page.mouse.up();
    const drawn = Number.parseInt((await rangeShown(page)) ?? '', 10);
    expect(drawn).toBeGreaterThan(15);
    expect(drawn).toBeLessThan(25);
    await page.mouse.move(box.x + box.width * 0.5, box.y + 100);
    await page.mouse.wheel(0, -100);
    expect(await rangeShown(page)).toMatch(new RegExp(`^${drawn} runs`));
    await page.keyboard.down('Control');
    await page.mouse.wheel(0, -100);
    await page.keyboard.up('Control');
    await page.waitForFunction(
      // Not there while another month is loaded.
      (before) => Number.parseInt(document.querySelector('.toolbar p')?.textContent ?? '', 10) < before,
      drawn,
    );
    await page.context().close();
  });

  it('tells of the run that is clicked or reached by the keyboard, with links to where it came from', async () => {
    const { page } = await pages.opened(files, '?view=trend&last=all');
    const heading = () => page.locator('#trend-run-title').textContent();
    expect(await heading()).toBe('Run of 2026-09-12 06:15 UTC');
    const links = () =>
      page
        .locator('.details a')
        .evaluateAll((all) => all.map((each) => (each as HTMLAnchorElement).href.replace(/.*\?/, '?')));
    await page.locator('#trend-run').focus();
    await page.keyboard.press('ArrowLeft');
    expect(await heading()).toBe('Run of 2026-09-11 19:15 UTC');
    expect(await page.locator('#trend-run').getAttribute('aria-valuetext')).toMatch(/^2026-09-11 19:15 UTC · /);
    expect(await links()).toEqual([
      `https://github.com/acme/api/commit/${shaOf(158)}`,
      'https://github.com/acme/api/pull/258',
      `?view=run&last=all&at=${runId(158)}&run=${runId(158)}`,
      `?view=compare&last=all&at=${runId(158)}&head=${runId(158)}`,
    ]);
    expect(stateOf(page)).toBe(`?view=trend&last=all&at=${runId(158)}`);
    const changes = page.locator('canvas').nth(1);
    await changes.scrollIntoViewIfNeeded();
    const box = (await changes.boundingBox())!;
    await page.mouse.click(box.x + box.width * 0.5, box.y + 100);
    expect(await heading()).toMatch(/^Run of 2026-08-0/);
    await page.locator('#trend-annotations').click();
    await page.locator('.annotations li', { hasText: 'accepted for' }).getByRole('button').click();
    expect(await page.locator('.details').textContent()).toContain('Accepted/*: one more check of the token');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('trend-run');
    await page.context().close();
  });

  it('is reached by the keyboard alone, every control of it', async () => {
    const { page } = await pages.opened(files);
    const reached: string[] = [];
    for (let step = 0; step < 80; step += 1) {
      await page.keyboard.press('Tab');
      const at = await page.evaluate(() => {
        const { activeElement } = document;
        return activeElement?.id || activeElement?.textContent || '';
      });
      // A field for a day takes a step for each part of it.
      if (reached.at(-1) !== at && reached.includes(at)) break;
      if (reached.at(-1) !== at) reached.push(at);
    }
    const ids = await page
      .locator('main :is(select, input:enabled, button, summary):visible')
      .evaluateAll((all) => all.map(({ id, textContent }) => id || textContent));
    expect(ids.filter((id) => !reached.includes(id ?? ''))).toEqual([]);
    expect(reached.slice(0, 3)).toEqual(['Skip to the content', 'Acme API benchmarks', 'tab-trend']);
    await page.context().close();
  });

  it('saves what it shows as CSV and JSON', async () => {
    const { page, complaints } = await pages.opened(files);
    const saved = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return { name: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const csv = await saved('Download CSV');
    expect(csv.name).toBe('rest-api-cpu-per-request.csv');
    expect(csv.text.split('\r\n')).toHaveLength(202);
    const json = await saved('Download JSON');
    expect(json.name).toBe('rest-api-cpu-per-request.json');
    expect(JSON.parse(json.text).series.map((each: { case: string }) => each.case)).toEqual([
      'go/ping/direct/wrk/on/100',
      'rust/ping/direct/wrk/on/100',
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('draws its charts again where the system turns dark, and light for the printer', async () => {
    const { page } = await pages.opened(files);
    const inColour = (colour: number[]) =>
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
    expect(await inColour([9, 105, 218])).toBeGreaterThan(100);
    await page.emulateMedia({ colorScheme: 'dark' });
    await expect.poll(() => inColour([88, 166, 255]), { timeout: 10_000 }).toBeGreaterThan(100);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    expect(await inColour([9, 105, 218])).toBeGreaterThan(100);
    await page.context().close();
  });
});

describe('a page whose data is not as it should be', () => {
  it.each([
    ['is not there', '!404', /^manifest\.json could not be loaded: the server answered 404/],
    ['is cut off', files.get('manifest.json')!.slice(0, 500), /^manifest\.json is cut off or was changed by hand/],
    ['is of something else', '[1, 2]', /^manifest\.json is not data of wrkbench/],
    ['is of a newer wrkbench', '{"schemaVersion": 2}', /^manifest\.json was written by a newer wrkbench/],
  ])('says so where the manifest %s', async (_, content, message) => {
    const { page } = await pages.opened(new Map([...files, ['manifest.json', content]]));
    expect(await page.locator('main .warning').textContent()).toMatch(message);
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.context().close();
  });

  it('offers to try again where a file does not arrive, and then shows it', async () => {
    const { page } = await pages.opened(files);
    await page.route('**/manifest.json', (route) => route.abort(), { times: 1 });
    await page.reload();
    await page.waitForSelector('main .warning');
    expect(await page.locator('main').textContent()).toBe(
      'manifest.json could not be loaded: the server did not answer. Check the connection, then try again. Try again',
    );
    expect(await accessibilityFindings(page)).toEqual([]);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('canvas');
    expect(await page.locator('.warning').count()).toBe(0);
    await page.context().close();
  });

  it('calls no defect what is a lost file of its script, and stays where it was for another try', async () => {
    const { page } = await pages.opened(files);
    await page.route('**/assets/*.js', (route) => route.abort());
    await page.locator('#tab-compare').click();
    await page.waitForSelector('main .warning');
    expect(await page.locator('main').textContent()).toMatch(
      /^Compareassets\/[\w-]+\.js could not be loaded: the server did not answer, or the pages were updated just now\. /,
    );
    await page.unroute('**/assets/*.js');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('main h2', { hasText: 'Compare two runs' }).waitFor();
    expect(stateOf(page)).toBe('?view=compare');
    await page.context().close();
  });

  it('offers to load runs again that did not arrive, above those that did', async () => {
    const { page } = await pages.opened(files, '?view=trend&last=all');
    const all = await rangeShown(page);
    await page.route('**/series/2026-08.json', (route) => route.abort(), { times: 1 });
    await page.reload();
    await page.waitForSelector('#problems .warning');
    await settled(page);
    expect(await page.locator('#problems').textContent()).toMatch(
      /^series\/2026-08\.json could not be loaded: the server did not answer\. .* are left out here\. Try again$/,
    );
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('canvas');
    await settled(page);
    expect(await rangeShown(page)).toBe(all);
    expect(await page.locator('.warning').count()).toBe(0);
    await page.context().close();
  });

  it('says that no run could be loaded, and not that there is none', async () => {
    const { page } = await pages.opened(files);
    await page.route('**/series/*.json', (route) => route.abort());
    await page.reload();
    await page.waitForSelector('main .warning');
    expect(await page.locator('main').textContent()).toMatch(
      /^Trendseries\/2026-09\.json could not be loaded: the server did not answer\. Check the connection, then try again\. Try again$/,
    );
    await page.unroute('**/series/*.json');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.waitForSelector('canvas');
    await page.context().close();
  });

  it('names three files that did not arrive, and counts the others', async () => {
    const { page } = await pages.opened(madeUpPages({ runs: 400 }), '?view=trend');
    await page.route(/series\/2026-(?!12)\d\d(-\d)?\.json/, (route) => route.abort());
    await page.getByRole('button', { name: 'All' }).click();
    await settled(page);
    const notices = await page.locator('#problems .warning').allTextContents();
    expect(notices).toHaveLength(4);
    expect(notices.at(-1)).toMatch(/^\d more files? could not be read either\.$/);
    await page.context().close();
  });

  it('says after a while that its script did not arrive', async () => {
    const { page } = await pages.opened(files);
    await page.route('**/assets/app.js', (route) => route.abort());
    await page.reload();
    const late = page.locator('.late');
    expect(await late.isVisible()).toBe(false);
    await late.evaluate((each) => {
      for (const animation of each.getAnimations()) animation.finish();
    });
    expect(await late.isVisible()).toBe(true);
    await page.context().close();
  });

  it('shows the other runs where a piece is cut off', async () => {
    const cut = new Map([...files, ['series/2026-08.json', files.get('series/2026-08.json')!.slice(0, 2000)]]);
    const { page } = await pages.opened(cut, '?view=trend&last=all');
    expect(await page.locator('#problems').textContent()).toMatch(
      /^series\/2026-08\.json is cut off .* left out here\.$/,
    );
    expect(await rangeShown(page)).toMatch(/^\d+ runs/);
    expect((await drawnPixels(page))[0]).toBeGreaterThan(1000);
    await page.context().close();
  });

  it('says so where no run was published yet', async () => {
    const { page, complaints } = await pages.opened(madeUpPages({ runs: 0 }));
    expect(await page.locator('main').textContent()).toBe('TrendNo runs have been published yet, or none that counts.');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says which series, run or view of the address nobody has, and shows the rest', async () => {
    const { page, complaints } = await pages.opened(files, '?view=spin&metric=speed&case=<img src=x>&at=nothing');
    const notices = await page.locator('main .warning').allTextContents();
    expect(notices).toEqual([
      'This page has no view “spin”. This is Trend.',
      'No run has a metric called “speed”: choose one of those in the list.',
      'No run has a case called “<img src=x>”: it may have been renamed or removed.',
      'Run nothing is not among the runs shown.',
    ]);
    expect((await drawnPixels(page))[0]).toBeGreaterThan(1000);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('takes names for what they are, whatever they hold', async () => {
    const manifest = JSON.parse(files.get('manifest.json')!);
    const names = ['<script>alert(1)</script>', `"'>|\\${'🦀'.repeat(20)}`, 'x'.repeat(300)];
    for (const [place, name] of names.entries()) {
      Object.assign(manifest.cases[place], { key: name, service: name, endpoint: name });
    }
    Object.assign(manifest.metrics[0], { title: '<b onmouseover=alert(1)>', unit: '<i>/s', name: '__proto__' });
    manifest.server = 'javascript:alert(1)//';
    manifest.repository = '"><img src=x onerror=alert(1)>';
    const hostile = new Map([...files, ['manifest.json', JSON.stringify(manifest)]]);
    const search = `?view=trend&metric=__proto__&case=${encodeURIComponent(names.map((name) => name.replace(/[\\|]/g, '\\$&')).join('|'))}`;
    const { page, complaints } = await pages.opened(hostile, search, {
      viewport: { width: 390, height: 844 },
      isMobile: true,
    });
    expect(await page.locator('main .warning').allTextContents()).toEqual([]);
    expect(await page.locator('.details tbody th').allTextContents()).toEqual(
      names.map((name) => expect.stringContaining(name) as string),
    );
    expect(await page.locator('.details dl a').count()).toBe(0);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await outOfSight(page)).toEqual([]);
    await page.locator('#trend-figures-table').click();
    await page.waitForSelector('.below table tbody tr');
    expect(await page.locator('main script, main img, main b, main i').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
