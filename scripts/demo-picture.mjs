// docs/img/demo.png: what `wrkbench demo` ends with, as a terminal shows it. Takes a minute, and a machine that the demo
// and Chromium run on:
//
//   node scripts/demo-picture.mjs [FILE]
//
// FILE keeps the terminal's output, and is read instead where it is there already.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { findProgram } from './setup/machine.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
const COLUMNS = 100;
const COMMAND = 'wrkbench demo';
/** SGR codes of `src/entry/terminal.ts`: 22 and 39 end what the others begin. */
const CLASSES = { 1: 'bold', 2: 'dim', 31: 'red', 32: 'green', 33: 'yellow' };
const ESCAPE = String.fromCharCode(27);

const [kept] = process.argv.slice(2);
const output = kept !== undefined && existsSync(kept) ? readFileSync(kept, 'utf8') : recorded();
if (kept !== undefined) writeFileSync(kept, output);
await picture(pageOf(output), join(root, 'docs', 'img', 'demo.png'));

/** Standard output of the demo on a terminal of its own: the picture leaves out how far it is meanwhile. */
function recorded() {
  const folder = mkdtempSync(join(tmpdir(), 'wrkbench-demo-picture-'));
  try {
    const program = join(folder, 'wrkbench');
    symlinkSync(join(root, 'dist', 'cli.cjs'), program);
    const line = `stty cols ${COLUMNS}; '${process.execPath}' '${program}' demo 2>/dev/null`;
    // By its name, whoever calls this script.
    const env = { ...process.env, npm_command: '', TERM: 'xterm-256color' };
    return execFileSync('script', ['--quiet', '--return', '--command', line, '/dev/null'], {
      cwd: folder,
      env,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'inherit'],
    }).replaceAll('\r\n', '\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function pageOf(text) {
  const shown = `${ESCAPE}[2m$${ESCAPE}[22m ${COMMAND}\n${text.trimEnd()}`;
  return `<!doctype html><meta charset="utf-8"><style>
    body { margin: 0; background: #1c2128; width: max-content }
    pre { margin: 0; padding: 18px 22px; color: #d1d7e0; font: 13px/1.45 'DejaVu Sans Mono', monospace; width: ${COLUMNS}ch }
    .bold { font-weight: bold } .dim { color: #8b949e }
    .red { color: #ff7b72 } .green { color: #57ab5a } .yellow { color: #d4a72c }
  </style><pre>${spans(shown)}</pre>`;
}

/** Each piece of text between two codes in a span with the classes in force there. */
function spans(text) {
  const classes = new Set();
  return text
    .split(ESCAPE)
    .map((piece, index) => {
      const [, code, rest] = (index === 0 ? null : /^\[(\d+)m([\s\S]*)$/.exec(piece)) ?? [null, null, piece];
      if (code === '22') for (const name of ['bold', 'dim']) classes.delete(name);
      else if (code === '39') for (const name of ['red', 'green', 'yellow']) classes.delete(name);
      else if (code !== null) classes.add(CLASSES[code]);
      return `<span class="${[...classes].join(' ')}">${escaped(rest)}</span>`;
    })
    .join('');
}

function escaped(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

async function picture(html, file) {
  const executablePath = findProgram('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  const browser = await chromium.launch({ executablePath, args: ['--headless', '--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage({ viewport: { width: 1000, height: 400 }, deviceScaleFactor: 2 });
    await page.setContent(html);
    mkdirSync(join(file, '..'), { recursive: true });
    await page.locator('body').screenshot({ path: file });
  } finally {
    await browser.close();
  }
}
