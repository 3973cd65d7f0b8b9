// node scripts/pictures.mjs [NAME …]: draws the pictures of docs/img/ in the system's Chromium; all of them, or those whose file name
// holds one of the names. A new picture is an entry of a list in scripts/pictures/.
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { chromium } from 'playwright-core';
import { textTemplates } from './text-templates.mjs';

const OUT = 'docs/img';
/** Each gives `pictures`: a list of `{ name, html, width, dark? }`, `html` being a whole page. */
const LISTS = ['comments'];

const wanted = process.argv.slice(2);
const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-pictures-'));
const browser = await chromium.launch({
  executablePath: '/usr/bin/chromium',
  args: ['--headless', '--no-sandbox', '--disable-gpu', '--disable-background-networking'],
});
try {
  mkdirSync(OUT, { recursive: true });
  for (const list of LISTS) {
    for (const picture of await picturesOf(list)) {
      if (wanted.length > 0 && !wanted.some((name) => picture.name.includes(name))) continue;
      await draw(picture);
    }
  }
} finally {
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

async function picturesOf(list) {
  const outfile = path.join(folder, `${list}.mjs`);
  await build({
    entryPoints: [`scripts/pictures/${list}.ts`],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // A package in CommonJS requires Node.js modules.
    banner: {
      js: "import { createRequire as requireOf } from 'node:module'; const require = requireOf(import.meta.url);",
    },
    plugins: [textTemplates],
    logLevel: 'error',
  });
  const { pictures } = await import(pathToFileURL(outfile).href);
  return await pictures();
}

async function draw({ name, html, width, dark = false }) {
  const page = await browser.newPage({
    viewport: { width, height: 200 },
    colorScheme: dark ? 'dark' : 'light',
    deviceScaleFactor: 1,
  });
  const file = path.join(folder, 'page.html');
  writeFileSync(file, html);
  await page.goto(pathToFileURL(file).href);
  const target = path.join(OUT, `${name}-${width}${dark ? '-dark' : ''}.png`);
  await page.screenshot({ path: target, fullPage: true });
  await page.close();
  console.log(`${target}: ${Math.round(statSync(target).size / 1024)} KiB`);
}
