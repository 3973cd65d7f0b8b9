import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { builtPage } from '../../../scripts/page-script.mjs';
import { renderReport } from '../../../src/app/report.ts';
import { readRunRecord } from '../../../src/core/record/run-record-file.ts';
import { browserOf } from './browser.ts';

/** The fixture records as `report.html`, and the browser that opens them from the disk. */

const root = path.resolve(import.meta.dirname, '../../..');
export const reportPageNames = ['apostol', 'abstract-rest', 'hardware-tax', 'small', 'troubled', 'compared'] as const;
export type ReportPageName = (typeof reportPageNames)[number];

/** The page, and all that it complained of or asked the network for. */
interface OpenedPage {
  page: Page;
  complaints: string[];
}

export interface ReportPages {
  opened(name: ReportPageName, options?: BrowserContextOptions): Promise<OpenedPage>;
  close(): Promise<void>;
}

export async function reportPages(): Promise<ReportPages> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'wrkbench-report-page-'));
  const bundle = await builtPage();
  const pageScript = bundle.outputFiles[0]!.text;
  const written = new Map<ReportPageName, Promise<void>>();
  const write = async (name: ReportPageName) => {
    const file = `${name}.json`;
    const record = readRunRecord(await readFile(path.join(root, 'fixtures/records', file), 'utf8'), file);
    await writeFile(path.join(folder, `${name}.html`), renderReport(record, 'html', { pageScript }));
  };
  const browser = await browserOf();
  return {
    async opened(name, options = {}) {
      if (!written.has(name)) written.set(name, write(name));
      await written.get(name);
      const context = await browser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      const url = pathToFileURL(path.join(folder, `${name}.html`)).href;
      page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (request.url().split('#')[0] !== url && !request.url().startsWith('data:'))
          complaints.push(`request: ${request.url()}`);
      });
      await page.goto(url);
      return { page, complaints };
    },
    async close() {
      await browser.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** All that is folded, as a reader who opens everything has it. */
export async function unfoldAll(page: Page): Promise<void> {
  await page.locator('details').evaluateAll((all) => {
    for (const each of all as HTMLDetailsElement[]) each.open = true;
  });
}
