// Pictures of the published pages, of the runs in fixtures/nightly/: each page as `wrkbench serve` shows it from a data branch.
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const RUNS = path.join(ROOT, 'fixtures/nightly');
const COMMAND = path.join(ROOT, 'dist/cli.cjs');
const DESK = 1280;
const PHONE = 390;

/**
 * As the other lists, but with the `url` of a page in place of its HTML; `close` ends the server.
 * @returns {Promise<{ pictures: object[], close(): void }>}
 */
export async function pagesServed() {
  const { url, close } = await nightlyPages();
  const of = (name, address, width, { dark = false, height = 900, kept = true } = {}) => ({
    name: `pages-${name}`,
    url: `${url}${address}`,
    width,
    height,
    dark,
    kept,
  });
  const shown = [
    ['index', ''],
    ['trend', 'users/?view=trend'],
    ['nightly', 'demo/?view=trend&metric=throughput'],
    ['ranking', 'apostol-rest/?view=ranking'],
    ['run', 'demo/?view=run'],
    ['compare', 'demo/?view=compare'],
  ];
  const dark = new Set(['run']);
  const phone = new Set(['trend']);
  return {
    pictures: shown.flatMap(([name, address]) => [
      of(name, address, DESK, { kept: !dark.has(name) }),
      of(name, address, DESK, { kept: dark.has(name), dark: true }),
      of(name, address, PHONE, { kept: phone.has(name), height: 844 }),
      of(name, address, PHONE, { kept: false, dark: true, height: 844 }),
    ]),
    close,
  };
}

/**
 * The pages of the runs in fixtures/nightly/, made anew and served; `url` is that of their index.
 * @returns {Promise<{ url: string, close(): void }>}
 */
export async function nightlyPages() {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-pages-'));
  const { url, end } = await served(folder, branchIn(folder));
  return {
    url,
    close() {
      end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A repository with the runs on its data branch, and what wrkbench makes of them. */
function branchIn(folder) {
  const [remote, checkout] = [path.join(folder, 'remote.git'), path.join(folder, 'checkout')];
  const git = (...args) => {
    const own = ['-c', 'user.name=wrkbench', '-c', 'user.email=wrkbench@users.noreply.github.com'];
    execFileSync('git', [...own, ...args], { stdio: 'ignore' });
  };
  git('init', '--bare', remote);
  git('init', '--initial-branch', 'gh-pages', checkout);
  cpSync(RUNS, checkout, { recursive: true });
  git('-C', checkout, 'add', '.');
  git('-C', checkout, 'commit', '--message', 'Runs');
  git('-C', checkout, 'push', remote, 'gh-pages');
  for (const spec of readdirSync(path.join(RUNS, 'wrkbench'))) {
    execFileSync(process.execPath, [COMMAND, 'publish', spec, '--rebuild', '--remote', remote], { cwd: folder });
  }
  return remote;
}

async function served(cwd, remote) {
  const args = [COMMAND, 'serve', '--branch', 'gh-pages', '--remote', remote];
  const child = spawn(process.execPath, args, { cwd, stdio: ['ignore', 'pipe', 'ignore'] });
  const url = await new Promise((resolve, reject) => {
    let said = '';
    child.stdout.on('data', (chunk) => {
      said += chunk;
      const found = /http:\S+/.exec(said);
      if (found !== null) resolve(found[0]);
    });
    child.on('close', (status) => reject(new Error(`wrkbench serve ended with ${status}`)));
  });
  return { url, end: () => child.kill('SIGTERM') };
}
