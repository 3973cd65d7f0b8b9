// needs: chromium
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findingsHere } from './support/accessibility.ts';
import { outOfSight } from './support/out-of-sight.ts';
import { unfoldAll } from './support/report-pages.ts';
import { type ViewSite, viewSite } from './support/views/site.ts';

/** Ranking, Run and Compare as a reader goes through them, under the policy of the published pages. */

let site: ViewSite;

beforeAll(async () => {
  site = await viewSite();
});

afterAll(() => site?.close());

const column = (page: Page, table: string, index: number): Promise<string[]> =>
  page
    .locator(`[aria-label="${table}"] tbody tr`)
    .evaluateAll((rows, at) => rows.map((row) => (row as HTMLTableRowElement).cells[at]!.textContent!.trim()), index);

describe('each view', () => {
  it.each([
    ['services', '?view=ranking'],
    ['compared', '?view=run'],
    ['compared', '?view=compare'],
  ] as const)('%s%s opens without a complaint, has no finding of axe-core, and fits', async (scenario, search) => {
    const { page, complaints } = await site.opened(scenario, search, { colorScheme: 'light' });
    await unfoldAll(page);
    expect(await findingsHere(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('the ranking', () => {
  it('goes by what is chosen, keeps it in the address, and the control has the focus', async () => {
    const { page, complaints, drawnAfter } = await site.opened('services', '?view=ranking&unknown=kept');
    expect(await column(page, 'Ranking', 0)).toEqual([
      'nginx (reference)',
      'apostol-v2',
      'go',
      'apostol-v1',
      'nodejs',
      'python',
    ]);
    await page.locator('#choose-keep-alive').focus();
    await drawnAfter(() => page.locator('#choose-keep-alive').selectOption('off'));
    expect(new URL(page.url()).search).toBe(
      '?view=ranking&unknown=kept&endpoint=ping&generator=wrk&route=direct&keep-alive=off&load=100',
    );
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('choose-keep-alive');
    expect(await page.locator('.lead').textContent()).toMatch(/^ping, wrk, keep-alive off, .*: apostol-v2 answers/);
    expect(await page.locator('#announcement').textContent()).toContain('apostol-v2 answers the most requests');
    await drawnAfter(() => page.locator('#choose-endpoint').selectOption('db-ping'));
    expect(await page.locator('.lead').textContent()).toMatch(/^db-ping, wrk, keep-alive off/);
    await drawnAfter(() => page.goBack());
    expect(await page.locator('.lead').textContent()).toMatch(/^ping, wrk, keep-alive off/);
    await drawnAfter(() => page.goForward());
    expect(await page.locator('#choose-endpoint').inputValue()).toBe('db-ping');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is held against the service that is chosen', async () => {
    const { page, complaints, drawnAfter } = await site.opened('services', '?view=ranking');
    expect(await column(page, 'Ranking', 4)).toEqual(['2.2x', '1.00x', '0.43x', '0.26x', '0.20x', '0.0089x']);
    await drawnAfter(() => page.locator('#choose-relative-to').selectOption('go'));
    expect(await page.locator('[aria-label="Ranking"] th').nth(4).textContent()).toBe('× go');
    expect((await column(page, 'Ranking', 4))[2]).toBe('1.00x');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('can be worked with the keyboard alone', async () => {
    const { page, drawnAfter } = await site.opened('services', '?view=ranking');
    for (let step = 0; step < 10; step += 1) {
      await page.keyboard.press('Tab');
      if ((await page.evaluate(() => document.activeElement?.id)) === 'choose-load') break;
    }
    await drawnAfter(() => page.keyboard.press('ArrowDown'));
    expect(new URL(page.url()).searchParams.get('load')).toBe('1000');
    const head = page.locator('[aria-label="Ranking"] th button', { hasText: 'p99' });
    await head.focus();
    await page.keyboard.press('Enter');
    expect(await page.locator('[aria-label="Ranking"] th[aria-sort]').getAttribute('aria-sort')).toBe('ascending');
    await page.context().close();
  });

  it('shows invalid cases, marked and in no rank, and runs nothing that a name holds', async () => {
    const { page, complaints } = await site.opened('troubled', '?view=ranking');
    const ranks = await column(page, 'Ranking', 1);
    const names = await column(page, 'Ranking', 0);
    const invalid = names.flatMap((name, at) => (name.includes('(invalid') ? [ranks[at]] : []));
    expect(invalid).toEqual(['not ranked', 'not ranked']);
    expect(names.join('\n')).toContain('<script>alert(1)</script>');
    expect(await page.locator('main script, main img').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('says what an address asks for and this run does not have', async () => {
    const { page, complaints } = await site.opened(
      'services',
      '?view=ranking&endpoint=%3Cb%3Enone&run=20250101-000000-ffffff',
    );
    expect(await page.locator('.warning').allTextContents()).toEqual([
      'There is no run 20250101-000000-ffffff here: it may have expired. Shown is the newest run.',
      'This run has no endpoint “<b>none”. Shown is the nearest that it has.',
    ]);
    expect(await column(page, 'Ranking', 0)).toHaveLength(6);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('of one service is that of its endpoints', async () => {
    const { page } = await site.opened('compared', '?view=ranking');
    expect(await page.locator('main').textContent()).toContain('This run measured one service, api');
    expect(await column(page, 'Ranking', 1)).toEqual(['1', '2']);
    await page.context().close();
  });

  it('is saved as it is shown, as CSV and as JSON', async () => {
    const { page, complaints } = await site.opened('services', '?view=ranking');
    const saved = async (name: string) => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
      return { file: download.suggestedFilename(), text: await readFile(await download.path(), 'utf8') };
    };
    const csv = await saved('CSV');
    expect(csv.file).toBe('ranking-20261101-160000-000007.csv');
    const [head, first] = csv.text.split('\r\n');
    expect(head).toMatch(/^case,service,endpoint,rank,status,throughput \(req\/s\),/);
    expect(first).toMatch(/^nginx\/ping\/direct\/wrk\/keep-alive\/100,nginx,ping,,valid,/);
    const json = await saved('JSON');
    expect(JSON.parse(json.text)).toMatchObject([
      { service: 'nginx', rank: null },
      { service: 'apostol-v2', rank: 1 },
      {},
      {},
      {},
      {},
    ]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});

describe('a run', () => {
  it('goes to the one before and after, by links that can be opened beside the page', async () => {
    const { page, complaints, drawnAfter } = await site.opened('services', '?view=run');
    expect(await page.locator('#next-run').getAttribute('aria-disabled')).toBe('true');
    await drawnAfter(() => page.locator('#previous-run').click());
    expect(new URL(page.url()).searchParams.get('run')).toBe('20261101-150000-000006');
    expect(await page.locator('#next-run').getAttribute('href')).toContain('run=20261101-160000-000007');
    await drawnAfter(() => page.locator('#choose-run').selectOption('20261101-090000-000000'));
    expect(await page.locator('#previous-run').getAttribute('aria-disabled')).toBe('true');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is found by its commit, and leads to the commit and the pull request', async () => {
    const { page } = await site.opened('compared', '?view=run&commit=9d1e9a1');
    expect(
      await page.locator('.facts a').evaluateAll((links) => links.map((link) => (link as HTMLAnchorElement).href)),
    ).toEqual([
      'https://github.com/acme/api/commit/9d1e9a1b9d1e9a1b9d1e9a1b9d1e9a1b9d1e9a1b',
      'https://github.com/acme/api/pull/42',
    ]);
    expect(await page.locator('.facts').textContent()).toContain('✗ failed');
    await page.context().close();
  });

  it('leads nowhere where the branch names no server of the web', async () => {
    const { page, complaints } = await site.opened('troubled', '?view=run');
    expect(await page.locator('.facts a').count()).toBe(0);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('has all cases in shades, of the metric that is chosen, with their figures', async () => {
    const { page, drawnAfter } = await site.opened('services', '?view=run');
    const cell = page.locator('[aria-label="Throughput, wrk"] tbody tr').first().locator('td').first();
    expect(await cell.getAttribute('class')).toBe('right heat heat-7');
    expect(await cell.textContent()).toBe('569,924');
    await drawnAfter(() => page.locator('#choose-metric').selectOption('latency-p99'));
    expect(new URL(page.url()).searchParams.get('metric')).toBe('latency-p99');
    expect(await page.locator('[aria-label="Latency, p99, wrk"] td.heat').count()).toBeGreaterThan(20);
    await page.context().close();
  });

  it('has the changes that were measured, the worse ones first', async () => {
    const { page } = await site.opened('compared', '?view=run');
    const verdicts = await column(page, 'Changes against the baseline', 4);
    expect(verdicts).toContain('✗ worse');
    expect(verdicts).toContain('✓ better');
    expect((await column(page, 'Changes against the baseline', 0))[0]).toBe('api · users');
    expect(await page.locator('#run-changes').textContent()).toContain('Both sides were loaded at the same time');
    await page.context().close();
  });

  it('of one load has no heading without anything under it, and calls accepted what was', async () => {
    const { page, complaints } = await site.opened('alone', '?view=run&run=20261101-090000-000000');
    const headings = await page.locator('main h2').allTextContents();
    expect(headings).not.toContain('One load in detail');
    expect(headings).toContain('Latency percentiles');
    expect(await outOfSight(page)).toEqual([]);
    expect(await page.locator('.facts').textContent()).toContain('✓ passed');
    expect(await column(page, 'Changes against the baseline', 4)).toEqual(['– worse, accepted']);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('that found both sides to be the same has no heading without anything under it', async () => {
    const { page, complaints } = await site.opened('alone', '?view=run&run=20261101-100000-000001');
    expect(await page.locator('#run-changes').textContent()).toContain('Nothing was measured, since both sides are');
    expect(await outOfSight(page)).toEqual([]);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('has its verdicts in sight on a phone, under the name of what they are of', async () => {
    const { page } = await site.opened('compared', '?view=run', {
      viewport: { width: 390, height: 844 },
      isMobile: true,
    });
    const row = page.locator('[aria-label="Changes against the baseline"] tbody tr').first();
    await row.scrollIntoViewIfNeeded();
    const cells = await row.locator('td:not(:empty)').evaluateAll((all) =>
      all.map((each) => {
        const { left, right } = each.getBoundingClientRect();
        const title = getComputedStyle(each, '::before').content.replaceAll('"', '');
        return { title, isInSight: left >= 0 && right <= innerWidth };
      }),
    );
    expect(cells).toEqual(['Metric', 'Change', 'Verdict'].map((title) => ({ title, isInSight: true })));
    await page.context().close();
  });

  it('whose file is cut off says so, and the others are still to be chosen', async () => {
    const { page, complaints, drawnAfter } = await site.opened('troubled', '?view=run&run=20261101-100000-000001');
    expect(await page.locator('.warning').textContent()).toContain('runs/20261101-100000-000001.json');
    await drawnAfter(() => page.locator('#next-run').click());
    expect(await page.locator('#heat-map').count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('of an empty branch is none, which every view says', async () => {
    for (const view of ['ranking', 'run', 'compare']) {
      const { page, complaints } = await site.opened('empty', `?view=${view}`);
      expect(await page.locator('.warning').textContent()).toContain('No run was published yet');
      expect(complaints).toEqual([]);
      await page.context().close();
    }
  });

  it('prints, light and with all of its pictures', async () => {
    const { page } = await site.opened('services', '?view=run', { colorScheme: 'dark' });
    await page.emulateMedia({ media: 'print' });
    expect(await page.evaluate(() => getComputedStyle(document.body).backgroundColor)).toBe('rgb(255, 255, 255)');
    expect(await page.locator('.controls').first().isVisible()).toBe(false);
    expect(await page.locator('.picture').first().isVisible()).toBe(true);
    await page.context().close();
  });
});

describe('the comparison of two runs', () => {
  it('of one kind of machine shows changes, and decides none but exact counts', async () => {
    const { page, complaints } = await site.opened('services', '?view=compare');
    expect(await page.locator('#conditions').textContent()).toContain('every change is undecided');
    expect(new Set(await column(page, 'Figures of both runs', 4))).toEqual(new Set(['? undecided']));
    expect((await column(page, 'Figures of both runs', 3)).every((change) => /^[+-]?[\d.]+ %$/.test(change))).toBe(
      true,
    );
    expect(await page.locator('#counts').textContent()).toContain('are the same in both runs');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('is of the newest run and the one before, although that is not loaded yet', async () => {
    const { page, complaints } = await site.opened('small', '?view=compare');
    expect(await page.locator('#choose-base').inputValue()).toBe('20261101-090000-000000');
    expect(await page.locator('#choose-head').inputValue()).toBe('20261101-100000-000001');
    expect(complaints).toEqual([]);
    await page.context().close();
  });

  it('of different machines has no percentage, and says why before all else', async () => {
    const { page } = await site.opened('services', '?view=compare&base=20261101-140000-000005');
    expect(await page.locator('#conditions .warning').textContent()).toContain('The runs differ in CPU model');
    expect(new Set(await column(page, 'Figures of both runs', 3))).toEqual(new Set(['–']));
    expect(await page.locator('#changes').textContent()).not.toContain('%');
    expect(await page.locator('#changes td.quiet').count()).toBeGreaterThan(20);
    await page.context().close();
  });

  it('is of the runs that are chosen, either way round', async () => {
    const { page, drawnAfter } = await site.opened('services', '?view=compare');
    await drawnAfter(() => page.locator('#choose-base').selectOption('20261101-090000-000000'));
    await drawnAfter(() => page.getByRole('button', { name: 'Swap' }).click());
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({
      view: 'compare',
      base: '20261101-160000-000007',
      head: '20261101-090000-000000',
    });
    expect(await page.locator('#conditions').textContent()).toContain('The first run is newer than the second one');
    await drawnAfter(() => page.locator('#choose-metric').selectOption('all'));
    expect((await column(page, 'Figures of both runs', 1)).slice(0, 2)).toEqual(['Throughput', 'Latency, mean']);
    await page.context().close();
  });

  it('of a run with itself says that there is nothing to compare', async () => {
    const id = '20261101-160000-000007';
    const { page, complaints } = await site.opened('services', `?view=compare&base=${id}&head=${id}`);
    expect(await page.locator('.warning').textContent()).toContain(`Both are the same run, ${id}`);
    expect(complaints).toEqual([]);
    await page.context().close();
  });
});
