// node scripts/pictures.mjs [NAME …]: draws the pictures of docs/img/ in the system's Chromium; all of them, or those whose file name
// holds one of the names. `--all DIR` draws each verdict's comment, summary and report, wide and narrow, light and dark, to be
// looked at. A new picture is an entry of a list in scripts/pictures/.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { builtPage, pageScript } from './page-script.mjs';
import { pagesServed } from './pictures/pages.mjs';
import { textTemplates } from './text-templates.mjs';

const KEPT = 'docs/img';
/**
 * Each gives `pictures`: a list of `{ name, html, width, height?, dark, kept }`, `html` being a whole page, shown whole where no height
 * is named.
 */
const LISTS = ['comments', 'reports'];

const { values, positionals: wanted } = parseArgs({ options: { all: { type: 'string' } }, allowPositionals: true });
const out = values.all ?? KEPT;
// Without one, verdicts are drawn as empty boxes.
if (execFileSync('fc-list', [':lang=und-zsye'], { encoding: 'utf8' }) === '') {
  console.error('No font of this machine has emoji: apt-get install fonts-noto-color-emoji');
  process.exit(1);
}
const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-pictures-'));
const page = await builtPage();
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  mkdirSync(out, { recursive: true });
  for (const list of LISTS) {
    for (const picture of await picturesOf(list)) if (isWanted(picture)) await draw(picture);
  }
  const site = await pagesServed();
  try {
    for (const picture of site.pictures) if (isWanted(picture)) await draw(picture);
  } finally {
    site.close();
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

function isWanted({ kept, name }) {
  return (kept || values.all !== undefined) && (wanted.length === 0 || wanted.some((each) => name.includes(each)));
}

async function picturesOf(list) {
  const outfile = path.join(folder, `${list}.mjs`);
  await build({
    entryPoints: [`scripts/pictures/${list}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    // A package in CommonJS requires Node.js modules.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [textTemplates, pageScript(page)],
    logLevel: 'error',
  });
  const { pictures } = await import(pathToFileURL(outfile).href);
  return await pictures();
}

async function draw({ name, html, url, width, height, dark }) {
  const tab = await browser.newPage({
    viewport: { width, height: height ?? 200 },
    colorScheme: dark ? 'dark' : 'light',
    deviceScaleFactor: 1,
  });
  const file = path.join(folder, 'page.html');
  if (url === undefined) writeFileSync(file, html);
  await tab.goto(url ?? pathToFileURL(file).href, { waitUntil: 'networkidle' });
  const target = path.join(out, `${name}-${width}${dark ? '-dark' : ''}.png`);
  await tab.screenshot({ path: target, fullPage: height === undefined || values.all !== undefined });
  await tab.close();
  console.log(`${target}: ${Math.round(statSync(target).size / 1024)} KiB`);
}
