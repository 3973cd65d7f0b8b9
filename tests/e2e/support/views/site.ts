import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { build } from 'esbuild';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { textTemplates } from '../../../../scripts/text-templates.mjs';
import { browserOf } from '../browser.ts';
import type { Harness } from './data.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';

/** The views in the system's Chromium, under the policy of the published pages, with all that they complain of. */
export interface ViewSite {
  opened(scenario: ScenarioName, search: string, options?: BrowserContextOptions): Promise<OpenedView>;
  close(): Promise<void>;
}

interface OpenedView {
  page: Page;
  complaints: string[];
  /** Once the view was drawn after what `act` does. */
  drawnAfter(act: () => Promise<unknown>): Promise<void>;
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'";
const root = path.resolve(import.meta.dirname, '../../../..');

const PAGE = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Views</title>
<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,"><link rel="stylesheet" href="report.css"><link rel="stylesheet" href="views.css"></head>
<body><header><h1>Views</h1></header><main></main><p id="announcement" class="again" role="status"></p>
<script type="module" src="page.js"></script></body></html>`;

export async function viewSite(): Promise<ViewSite> {
  const files = await bundled();
  const known = new Map<ScenarioName, Harness>();
  const server = createServer((request, response) => {
    const [, name = '', ...rest] = new URL(request.url ?? '/', 'http://localhost').pathname.split('/');
    const made = known.get(name as ScenarioName);
    const file = rest.join('/');
    const run = /^runs\/(.+)\.json$/.exec(file)?.[1];
    const content =
      file === ''
        ? PAGE
        : file === 'data.json'
          ? JSON.stringify(made?.data)
          : run !== undefined
            ? made?.files.get(run)
            : files.get(file);
    const type =
      file === ''
        ? 'text/html'
        : file.endsWith('.js')
          ? 'text/javascript'
          : file.endsWith('.css')
            ? 'text/css'
            : 'application/json';
    response.writeHead(content === undefined ? 404 : 200, { 'content-type': type, 'content-security-policy': POLICY });
    response.end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await browserOf();
  return {
    async opened(scenario, search, options = {}) {
      if (!known.has(scenario)) known.set(scenario, scenarios[scenario]());
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        if (!/^(?:data|blob):/.test(request.url()) && !request.url().startsWith(`${origin}/`))
          complaints.push(`request: ${request.url()}`);
      });
      await page.goto(`${origin}/${scenario}/${search}`);
      await page.locator('main[data-drawn]').waitFor();
      return {
        page,
        complaints,
        async drawnAfter(act) {
          await page.evaluate(() => document.querySelector('main')!.removeAttribute('data-drawn'));
          await act();
          await page.locator('main[data-drawn]').waitFor();
        },
      };
    },
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Name → text, the views in chunks of their own as on the published page. */
async function bundled(): Promise<Map<string, string>> {
  const { outputFiles } = await build({
    entryPoints: { page: path.join(import.meta.dirname, 'page.ts') },
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    platform: 'browser',
    outdir: 'nowhere',
    write: false,
    legalComments: 'none',
    plugins: [textTemplates],
  });
  const styles = ['report.css', 'pages/views.css'].map((name): [string, string] => [
    path.basename(name),
    readFileSync(path.join(root, 'templates', name), 'utf8'),
  ]);
  return new Map([...outputFiles.map((file): [string, string] => [path.basename(file.path), file.text]), ...styles]);
}
