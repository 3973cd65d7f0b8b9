import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { builtPages } from '../../../scripts/page-script.mjs';
import { browserOf } from './browser.ts';

/** The published pages as a browser has them from a server of plain files, below the address of a project's site. */
export interface PublishedPages {
  /** `files` of the spec's folder; one that begins with `!` answers with that status instead. */
  opened(files: ReadonlyMap<string, string>, search?: string, options?: BrowserContextOptions): Promise<OpenedPages>;
  close(): Promise<void>;
}

interface OpenedPages {
  page: Page;
  /** All that it complained of. */
  complaints: string[];
  /** Paths that it asked for, below the spec's folder or beside it, and addresses elsewhere. */
  requests: string[];
}

const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'";

const SHELL = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>rest-api: Benchmarks</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="../assets/pages.css">
<script type="module" src="../assets/app.js"></script>
</head>
<body>
<a class="skip" href="#view">Skip to the content</a>
<header>
<p class="brand"><a href="../">Acme API benchmarks</a></p>
<h1>rest-api</h1>
<nav id="tabs" aria-label="Views"></nav>
</header>
<main id="view" tabindex="-1"><p class="late">A file of this page has not arrived yet.</p></main>
<p id="announcement" role="status"></p>
<footer><p>Measured and drawn by wrkbench 0.1.0.</p></footer>
</body>
</html>
`;

const TYPES: Record<string, string> = {
  html: 'text/html',
  js: 'text/javascript',
  css: 'text/css',
  json: 'application/json',
};

export async function publishedPages(): Promise<PublishedPages> {
  const { files: assets } = await builtPages();
  let files: ReadonlyMap<string, string> = new Map();
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://here').pathname.replace('/api/wrkbench/', '');
    const asset = assets.find(({ name }) => path === `assets/${name}`)?.content;
    const content = path === 'rest-api/' ? SHELL : (asset ?? files.get(path.replace('rest-api/', '')));
    const refused = content === undefined ? '404' : (/^!(\d{3})$/.exec(content)?.[1] ?? null);
    const type = TYPES[path.split('.').at(-1) ?? ''] ?? 'text/html';
    response.writeHead(Number(refused ?? 200), { 'content-type': `${type}; charset=utf-8` });
    response.end(refused === null ? content : 'refused');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const browser = await browserOf();
  return {
    async opened(own, search = '', options = {}) {
      files = own;
      const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, ...options });
      const page = await context.newPage();
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on('console', (message) => complaints.push(`${message.type()}: ${message.text()}`));
      page.on('pageerror', (error) => complaints.push(`error: ${error.message}`));
      page.on('dialog', (dialog) => {
        complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
      page.on('request', (request) => {
        const url = request.url();
        if (!url.startsWith('data:') && !url.startsWith('blob:'))
          requests.push(url.replace(`${origin}/api/wrkbench/`, ''));
      });
      await page.goto(`${origin}/api/wrkbench/rest-api/${search}`);
      await page.waitForFunction(
        () =>
          document.querySelector('main h2, main > .warning') !== null && document.querySelector('.loading') === null,
      );
      return { page, complaints, requests };
    },
    close: () => closed(browser, server),
  };
}

async function closed(browser: Browser, server: Server): Promise<void> {
  await browser.close();
  await new Promise<void>((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
