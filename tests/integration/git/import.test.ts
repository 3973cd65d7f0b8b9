// needs: nothing
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { dataFolder } from '../../../src/adapters/files/data-folder.ts';
import { dataBranch } from '../../../src/adapters/git/data-branch/branch.ts';
import { importRuns } from '../../../src/app/import-runs.ts';
import { publish } from '../../../src/app/publish.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { readBenchmarkData } from '../../../src/core/publication/benchmark-data.ts';
import { keepAll } from '../../../src/core/publication/change.ts';
import { readManifest, readSeriesPiece } from '../../../src/core/publication/pages-documents.ts';
import { type RunRow, rowsOf } from '../../../src/core/publication/series-rows.ts';
import { type GitServer, gitServer } from '../../support/git-server/server.ts';
import { pieceFiles } from '../../support/piece-files.ts';
import { recordOf } from '../../unit/posting/made-up.ts';

const never = new AbortController().signal;
const pages = { tool: '0.1.0', server: 'https://github.com', site: () => [] };
const warn = (text: string) => {
  throw new Error(`unexpected: ${text}`);
};
const options = { specName: 'rest-api', pages, warn };
const recorded = readBenchmarkData(
  readFileSync(new URL('../../../fixtures/github-action-benchmark/data.js', import.meta.url), 'utf8'),
  'data.js',
);

let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(() => server.close());

function repository() {
  const name = `api-${Math.random().toString(36).slice(2)}`;
  const folder = server.create(name);
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  return {
    git,
    branch() {
      const own = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: null });
      onTestFinished(() => own.close());
      return own;
    },
    text: (file: string) => git('show', `gh-pages:wrkbench/rest-api/${file}`),
  };
}

/** All runs of the pages, as a page reads them. */
function rowsIn(text: (file: string) => string): RunRow[] {
  const manifest = readManifest(text('manifest.json'), 'manifest.json');
  return pieceFiles(manifest).flatMap((file) => rowsOf(readSeriesPiece(text(file), file, manifest)));
}

/** In the month of the newest of them, whose pieces both then have to share. */
function ownRun(second: number) {
  return recordOf({ id: `20260331-05590${second}-0a1b2c` });
}
const add = (second: number, branch: ReturnType<typeof dataBranch>) => {
  const record = ownRun(second);
  return publish(
    record,
    comparisonOf(record),
    branch,
    { retention: keepAll, squash: false, pages, warn, now: new Date() },
    never,
  );
};

describe('what another tool measured, on a data branch', () => {
  it('is added once, to a branch that is made for it', async () => {
    const { branch, git, text } = repository();
    expect(await importRuns(recorded, options, branch(), never)).toEqual({
      added: 8,
      known: 0,
      leftOut: 0,
      commit: git('rev-parse', 'gh-pages').trim(),
    });
    expect(rowsIn(text).map(({ imported }) => imported)).toEqual(Array(8).fill(true));
    expect(await importRuns(recorded, options, branch(), never)).toEqual({
      added: 0,
      known: 8,
      leftOut: 0,
      commit: null,
    });
    expect(git('rev-list', '--count', 'gh-pages').trim()).toBe('1');
    expect(git('log', '-1', '--format=%s', 'gh-pages').trim()).toBe(
      'Import runs of github-action-benchmark into rest-api',
    );
  });

  it('stands beside our runs, whichever came first, and stays when more are published', async () => {
    const { branch, text, git } = repository();
    await add(1, branch());
    const own = git('ls-tree', '-r', 'gh-pages', '--', 'wrkbench/rest-api/runs');
    expect(await importRuns(recorded, options, branch(), never)).toMatchObject({ added: 8, known: 0 });
    await add(2, branch());
    const rows = rowsIn(text);
    expect(rows.filter(({ imported }) => imported)).toHaveLength(8);
    expect(rows.filter(({ imported }) => !imported).map(({ id }) => id)).toEqual([ownRun(1).id, ownRun(2).id]);
    expect(git('ls-tree', '-r', 'gh-pages', '--', 'wrkbench/rest-api/runs')).toContain(own.trim());
    expect(readManifest(text('manifest.json'), 'x')).toMatchObject({
      latest: { id: ownRun(2).id },
      oldest: ownRun(1).id,
    });
    expect(await importRuns(recorded, options, branch(), never)).toMatchObject({ added: 0, known: 8, commit: null });
  });

  it('of several importers at once is there once', async () => {
    const { branch, text } = repository();
    const all = await Promise.all([1, 2, 3].map(() => importRuns(recorded, options, branch(), never)));
    expect(all.map(({ added }) => added).toSorted()).toEqual([0, 0, 8]);
    expect(rowsIn(text)).toHaveLength(8);
  });

  it('leaves pages of a later wrkbench as they are, with a sentence', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'import-'));
    await importRuns(recorded, options, dataFolder(folder), never);
    const file = path.join(folder, 'wrkbench/rest-api/manifest.json');
    const later = readFileSync(file, 'utf8').replace('"schemaVersion":1', '"schemaVersion":2');
    writeFileSync(file, later);
    const quiet = { ...options, warn: () => undefined };
    await expect(importRuns(recorded, quiet, dataFolder(folder), never)).rejects.toThrow(
      /The pages of rest-api are of a later wrkbench: update this one, and import again/,
    );
    expect(readFileSync(file, 'utf8')).toBe(later);
  });
});

describe('what another tool measured, in a folder', () => {
  it('is written as on a branch, and nothing else is touched', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'import-'));
    writeFileSync(path.join(folder, 'index.html'), 'mine');
    const first = await importRuns(recorded, options, dataFolder(folder), never);
    expect(first).toMatchObject({ added: 8, commit: folder });
    expect(readdirSync(folder).toSorted()).toEqual(['index.html', 'wrkbench']);
    const text = (file: string) => readFileSync(path.join(folder, 'wrkbench/rest-api', file), 'utf8');
    expect(rowsIn(text)).toHaveLength(8);
    const { branch, text: onBranch } = repository();
    await importRuns(recorded, options, branch(), never);
    for (const file of ['manifest.json', ...pieceFiles(readManifest(text('manifest.json'), 'x'))]) {
      expect(text(file)).toBe(onBranch(file));
    }
    expect(await importRuns(recorded, options, dataFolder(folder), never)).toMatchObject({ added: 0, commit: null });
  });

  it('that cannot be written is answered in a sentence', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'import-'));
    writeFileSync(path.join(folder, 'wrkbench'), 'a file');
    await expect(importRuns(recorded, options, dataFolder(folder), never)).rejects.toThrow(
      /cannot be (?:read|written) \(/,
    );
  });
});
