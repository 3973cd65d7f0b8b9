import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { placeOf } from '../../src/core/publication/place.ts';
import { specFiles, specFolder } from '../../src/core/publication/spec-files.ts';
import { ascending, median, quantile } from '../../src/core/statistics/quantile.ts';
import { commandMs } from './command.ts';
import { MANY_RUNS, type ManyPages, manyPages, manyRuns, SPEC } from './pages-data.ts';
import { nextRun } from './publishable-runs.ts';
import type { SeparateGitServer } from './separate-git-server.ts';
import { type BenchResult, rounded } from './target.ts';

const REPETITIONS = 16;

export interface PublicationCost {
  pages: ManyPages;
  /**
   * Of `wrkbench publish` beside many runs to the same beside none, in time from the start of the command to its end: the median of
   * the turns.
   */
  ratio: number;
  figures: BenchResult['figures'];
  /** Most bytes that were fetched beside commit, trees, manifest and a piece. */
  beyond: number;
}

/**
 * Of one more run beside many, and beside none. Both branches have the pages already, which the first publication of all writes: that
 * one is measured by itself.
 */
export async function publicationCost(
  server: SeparateGitServer,
  say: (line: string) => void,
): Promise<PublicationCost> {
  const folder = mkdtempSync(path.join(tmpdir(), 'wrkbench-bench-publish-'));
  try {
    return await costIn(folder, server, say);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function costIn(
  folder: string,
  server: SeparateGitServer,
  say: (line: string) => void,
): Promise<PublicationCost> {
  const published = async (name: string): Promise<Publication> => {
    const run = path.join(folder, 'run.json');
    writeFileSync(run, JSON.stringify(nextRun()));
    const before = await server.sentBytes();
    const ms = await commandMs(['publish', run, '--remote', `${server.url}/${name}.git`], folder);
    return { ms, fetched: (await server.sentBytes()) - before };
  };
  say(`making a branch of ${MANY_RUNS} runs`);
  const many = await server.create('many');
  const pages = fill(many, MANY_RUNS);
  await published('many');
  const took = { none: [] as Publication[], empty: [] as Publication[], many: [] as Publication[] };
  const starting: number[] = [];
  const beyond: number[] = [];
  for (let turn = 0; turn < REPETITIONS; turn += 1) {
    // In turn, so that what the machine does meanwhile falls on all of them.
    starting.push(await commandMs(['--version'], folder));
    const name = `empty-${turn}`;
    const empty = await server.create(name);
    took.none.push(await published(name));
    removeRuns(empty);
    took.empty.push(await published(name));
    const trees = readBytes(many);
    took.many.push(await published('many'));
    beyond.push(took.many.at(-1)!.fetched - trees);
  }
  // Each of a turn's own: what the machine does in other turns is no part of it.
  const ratios = took.many.map(({ ms }, turn) => ms / took.empty[turn]!.ms);
  const started = took.many.map(({ ms }, turn) => (ms - starting[turn]!) / (took.empty[turn]!.ms - starting[turn]!));
  const ms = (all: readonly Publication[]) => median(all.map((each) => each.ms));
  const fetched = (all: readonly Publication[]) => median(all.map((each) => each.fetched));
  return {
    pages,
    ratio: rounded(median(ratios)),
    beyond: Math.max(...beyond),
    figures: {
      'starting the command and nothing else, ms': rounded(median(starting)),
      'publishing where there is no branch yet, ms': rounded(ms(took.none)),
      'publishing to a branch with pages and without runs, ms': rounded(ms(took.empty)),
      [`publishing beside ${MANY_RUNS} runs, ms`]: rounded(ms(took.many)),
      'publish-ratio, the middle half of the turns': [0.25, 0.75]
        .map((p) => rounded(quantile(ascending(ratios), p)))
        .join(' to '),
      'publish-ratio without starting the command': rounded(median(started)),
      'fetched from a branch without runs, bytes': fetched(took.empty),
      [`fetched beside ${MANY_RUNS} runs, bytes`]: fetched(took.many),
      'of them more than commit, trees, manifest and a piece, at most': Math.max(...beyond),
      'series of them, pieces': pages.pieces.length,
      'series of them, bytes': pages.pieces.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
      'manifest of them, bytes': Buffer.byteLength(pages.manifest.content),
    },
  };
}

interface Publication {
  ms: number;
  /** Bytes that the server sent. */
  fetched: number;
}

/** The pages stay. */
function removeRuns(repository: string): void {
  const own = ['runs', 'series', 'manifest.json'].map((name) => `D ${specFolder(SPEC)}${name}\n`).join('');
  const input = `commit refs/heads/gh-pages\ncommitter a <a@b> 1700000000 +0000\ndata 5\nClear\nfrom refs/heads/gh-pages^0\n${own}\n`;
  execFileSync('git', ['-C', repository, 'fast-import', '--quiet'], { input });
}

/** What the newest commit, its trees, the manifest and the newest piece take in a pack. */
function readBytes(repository: string): number {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8', maxBuffer: 1e9 }).trim();
  const trees = git('rev-list', '--objects', '--filter=blob:none', '--max-count=1', 'gh-pages');
  const folder = `wrkbench/${SPEC}`;
  const pieces = git('ls-tree', '-r', '--name-only', 'gh-pages', `${folder}/series/`).split('\n');
  const newest = specFiles(pieces, SPEC).pieces.at(-1)!.path;
  const read = [`${folder}/manifest.json`, newest].map((path) => git('rev-parse', `gh-pages:${path}`));
  return execFileSync('git', ['-C', repository, 'pack-objects', '--stdout', '--quiet'], {
    input: `${[trees, ...read].join('\n')}\n`,
    maxBuffer: 1e9,
  }).byteLength;
}

/** Runs of two years with their pages, straight into the repository. */
function fill(repository: string, count: number): ManyPages {
  const stream: string[] = [];
  stream.push('commit refs/heads/gh-pages', 'committer a <a@b> 1700000000 +0000', 'data 5', 'Runs\n');
  const add = (path: string, content: string) =>
    stream.push(`M 100644 inline ${path}`, `data ${Buffer.byteLength(content)}`, content);
  const { run } = manyRuns(count);
  for (let index = 0; index < count; index += 1) {
    const { record, workflowRun } = run(index);
    const own = createHash('shake256', { outputLength: RECORD_BYTES / 2 })
      .update(String(index))
      .digest('hex');
    add(placeOf({ specName: SPEC, id: record.id, sha: record.source.sha, workflowRun })!.path, own);
  }
  const pages = manyPages(count);
  for (const { file, content } of [...pages.pieces, pages.manifest]) add(`wrkbench/${SPEC}/${file}`, content);
  const { status, stderr } = spawnSync('git', ['-C', repository, 'fast-import', '--quiet'], {
    input: `${stream.join('\n')}\n`,
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`fast-import failed: ${stderr}`);
  execFileSync('git', ['-C', repository, 'repack', '-adq']);
  return pages;
}

/** Of an old record, in which nothing is like any other: none of it hides in a delta of the others. */
export const RECORD_BYTES = 4_096;
