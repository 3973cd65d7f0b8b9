import { type Browser, chromium, errors, type Page } from 'playwright-core';
import { DATA_FOLDER } from '../../../src/core/publication/place.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { SPEC } from '../pages-data.ts';
import { rounded } from '../target.ts';
import { type FileServer, fileServer, type Sent } from './file-server.ts';
import type { SiteContent } from './page-files.ts';

export interface PagesInBrowser {
  chromium: string;
  firstChart: Times;
  firstLoad: Sent;
  /** From the press of All to the drawn chart. */
  all: number;
  changeSeries: Times;
  addCase: number;
}

interface Times {
  median: number;
  each: number[];
}

const LOADS = 5;
const CHANGES = 10;
/** That a page may take to draw what it shows. */
const PATIENCE_MS = 60_000;

/** What the trend view leaves in the timeline when it has drawn; the page of the other layout does the same. */
export const CHART_MARK = 'wrkbench:chart';

/** Milliseconds, of a page of ours: from the start of the navigation, or from what was changed, to the first frame with the chart. */
export async function measuredPages(files: SiteContent): Promise<PagesInBrowser> {
  return await inChromium(files, async (browser, server) => {
    const address = `${server.origin}/${DATA_FOLDER}/${SPEC}/`;
    const firstChart: number[] = [];
    let firstLoad: Sent | undefined;
    for (let index = 0; index < LOADS; index += 1) {
      const { page } = await opened(browser);
      server.taken();
      await page.goto(address, { waitUntil: 'commit' });
      firstChart.push(rounded(await drawnAfter(page, 0)));
      firstLoad = server.taken();
      await heldToBeDrawn(page);
      await page.context().close();
    }
    const { page, complaints } = await opened(browser);
    await page.goto(address, { waitUntil: 'commit' });
    await drawnAfter(page, 0);
    const all = await changed(page, () => document.querySelector<HTMLElement>('#trend-last-all')!.click());
    const changeSeries: number[] = [];
    for (let index = 0; index < CHANGES; index += 1) {
      changeSeries.push(
        await changed(page, () => {
          const select = document.querySelector<HTMLSelectElement>('#trend-metric')!;
          select.selectedIndex = (select.selectedIndex + 1) % select.options.length;
          select.dispatchEvent(new Event('change', { bubbles: true }));
        }),
      );
    }
    const addCase = await changed(page, () => document.querySelector<HTMLElement>('#trend-case-1')!.click());
    await heldToBeDrawn(page);
    if (complaints.length > 0) throw new Error(`The page complained: ${complaints.join('; ')}`);
    return {
      chromium: browser.version(),
      firstChart: timesOf(firstChart),
      firstLoad: firstLoad!,
      all,
      changeSeries: timesOf(changeSeries),
      addCase,
    };
  });
}

export interface OtherInBrowser extends Omit<Sent, 'requests'> {
  /** In words where it took longer than anybody waits. */
  chartMs: number | string;
}

/** The page of the other layout, in the same Chromium. */
export async function measuredOther(files: SiteContent): Promise<OtherInBrowser> {
  return await inChromium(files, async (browser, server) => {
    const { page, complaints } = await opened(browser);
    const late = `not drawn within ${PATIENCE_MS / 1000} s`;
    let chartMs: number | string = late;
    const crashed = new Promise<string>((resolve) => page.on('crash', () => resolve('the page crashed')));
    const drawn = async () => {
      await page.goto(`${server.origin}/`, { waitUntil: 'commit' });
      return rounded(await drawnAfter(page, 0));
    };
    // A page whose script is busy answers nothing, not even that time is up.
    const patience = new AbortController();
    const timeUp = new Promise<string>((resolve) => {
      const timer = setTimeout(() => resolve(late), PATIENCE_MS);
      patience.signal.addEventListener('abort', () => clearTimeout(timer));
    });
    const own = drawn().catch((error: unknown) => {
      if (error instanceof errors.TimeoutError || patience.signal.aborted) return late;
      throw error;
    });
    chartMs = await Promise.race([own, crashed, timeUp]);
    patience.abort();
    if (complaints.length > 0) throw new Error(`The page of the other layout complained: ${complaints.join('; ')}`);
    const { bytes, zipped } = server.taken();
    return { bytes, zipped, chartMs };
  });
}

async function inChromium<T>(
  files: SiteContent,
  measure: (browser: Browser, server: FileServer) => Promise<T>,
): Promise<T> {
  const server = await fileServer(files);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
  try {
    return await measure(browser, server);
  } finally {
    await browser.close();
    await server.close();
  }
}

/** A page without anything of an earlier one. */
async function opened(browser: Browser): Promise<{ page: Page; complaints: string[] }> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  await context.addInitScript(notingFrames, CHART_MARK);
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  const complaints: string[] = [];
  page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
  page.on('pageerror', ({ message }) => complaints.push(message));
  return { page, complaints };
}

/** In the page: notes when each frame with drawn charts was done. */
function notingFrames(mark: string): void {
  const frames: number[] = [];
  Object.assign(globalThis, { benchFrames: frames });
  new PerformanceObserver((list) => {
    if (!list.getEntries().some(({ name }) => name === mark)) return;
    // A task after the next frame's callbacks comes when that frame has been made.
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => frames.push(performance.now());
      port2.postMessage(null);
    });
  }).observe({ type: 'mark', buffered: true });
}

/** When the first frame with charts was done after so many others. */
async function drawnAfter(page: Page, frames: number): Promise<number> {
  const handle = await page.waitForFunction(
    (count) => (globalThis as unknown as { benchFrames: number[] }).benchFrames[count],
    frames,
    { polling: 20 },
  );
  return (await handle.jsonValue())!;
}

/** Milliseconds from what `act` does in the page to the frame with the chart. */
async function changed(page: Page, act: () => void): Promise<number> {
  const { frames, started } = (await page.evaluate(`(() => {
    const frames = benchFrames.length;
    const started = performance.now();
    (${act.toString()})();
    return { frames, started };
  })()`)) as { frames: number; started: number };
  return rounded((await drawnAfter(page, frames)) - started);
}

/** Throws where the first canvas has no more than one colour. */
async function heldToBeDrawn(page: Page): Promise<void> {
  const colours = await page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>('main figure canvas')!;
    const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
    return new Set(new Uint32Array(data.buffer)).size;
  });
  if (colours < 2) throw new Error('The chart was said to be drawn, and its canvas is empty.');
}

function timesOf(each: number[]): Times {
  return { median: rounded(median(each)), each };
}
