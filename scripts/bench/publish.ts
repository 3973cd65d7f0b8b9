import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { dataBranch } from '../../src/adapters/git/data-branch/branch.ts';
import { publish } from '../../src/app/publish.ts';
import { keepAll } from '../../src/core/publication/change.ts';
import { readManifest, readSeriesPiece } from '../../src/core/publication/pages-documents.ts';
import { placeOf } from '../../src/core/publication/place.ts';
import { specFiles } from '../../src/core/publication/spec-files.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { ascending, median, quantile } from '../../src/core/statistics/quantile.ts';
import { madeUpRecord } from '../../tests/support/made-up/run-record.ts';
import {
  bytesPerPoint,
  MANY_RUNS,
  type ManyPages,
  manyPages,
  manyRuns,
  publishWrittenBytes,
  runFileBytes,
  SPEC,
} from './pages-data.ts';
import { type SeparateGitServer, separateGitServer } from './separate-git-server.ts';
import { atMost, type BenchResult, rounded, type Target } from './target.ts';

const REPETITIONS = 16;
const AT_ONCE = [12, 50];

/** Publishing over HTTP to git's own server: to a branch without runs and to one with 10,000, and many publishers at once. */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const server = await separateGitServer();
  try {
    const old = await besideMany(server, say);
    const crowds: Crowd[] = [];
    for (const number of AT_ONCE) crowds.push(await crowd(server, number, say));
    return {
      figures: { ...old.figures, ...Object.assign({}, ...crowds.map(({ figures }) => figures)) },
      targets: [...old.targets, ...crowds.flatMap(({ targets }) => targets)],
    };
  } finally {
    await server.close();
  }
}

let runs = 0;
function nextRun(): RunRecord {
  runs += 1;
  const cases = Array.from({ length: 16 }, (_, index) => ({ endpoint: `path-${index}` }));
  const record = madeUpRecord({ seed: runs, rounds: 5, cases });
  const id = `20261121-${String(runs).padStart(6, '0')}-00000a`;
  return { ...record, id, source: { ...record.source, sha: runs.toString(16).padStart(40, '0') } };
}

interface Publication {
  ms: number;
  /** Bytes that the server sent. */
  fetched: number;
  retries: number;
}

async function published(server: SeparateGitServer, name: string): Promise<Publication> {
  const record = nextRun();
  const branch = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: null });
  const before = await server.sentBytes();
  const started = performance.now();
  try {
    const pages = { tool: '0.1.0', server: null, site: () => [] };
    const warn = (text: string) => {
      throw new Error(text);
    };
    const options = { retention: keepAll, squash: false, pages, warn, now: new Date() };
    const { retries } = await publish(record, null, branch, options, new AbortController().signal);
    const ms = performance.now() - started;
    return { ms, fetched: (await server.sentBytes()) - before, retries };
  } finally {
    await branch.close();
  }
}

export interface PublicationCost {
  pages: ManyPages;
  /** Of publishing beside many runs to publishing to a branch without any, in time: the median of the turns. */
  ratio: number;
  figures: BenchResult['figures'];
  /** Most bytes that were fetched beside commit, trees, manifest and a piece. */
  beyond: number;
}

/** Of one more run beside many, and beside none. */
export async function publicationCost(
  server: SeparateGitServer,
  say: (line: string) => void,
): Promise<PublicationCost> {
  const many = 'many';
  say(`making a branch of ${MANY_RUNS} runs`);
  const old = await server.create(many);
  const pages = fill(old, MANY_RUNS);
  const took = { none: [] as Publication[], empty: [] as Publication[], many: [] as Publication[] };
  const beyond: number[] = [];
  for (let index = 0; index < REPETITIONS; index += 1) {
    // In turn, so that what the machine does meanwhile falls on both.
    await server.create(`none-${index}`);
    took.none.push(await published(server, `none-${index}`));
    site(await server.create(`empty-${index}`));
    took.empty.push(await published(server, `empty-${index}`));
    const trees = readBytes(old);
    took.many.push(await published(server, many));
    beyond.push(took.many.at(-1)!.fetched - trees);
  }
  // Each of a turn's own: what the machine does in other turns is no part of it.
  const ratios = took.many.map(({ ms }, turn) => ms / took.empty[turn]!.ms);
  const ms = (all: readonly Publication[]) => median(all.map((each) => each.ms));
  const fetched = (all: readonly Publication[]) => median(all.map((each) => each.fetched));
  return {
    pages,
    ratio: rounded(median(ratios)),
    beyond: Math.max(...beyond),
    figures: {
      'publishing where there is no branch yet, ms': rounded(ms(took.none)),
      'publishing to a branch without runs, ms': rounded(ms(took.empty)),
      [`publishing beside ${MANY_RUNS} runs, ms`]: rounded(ms(took.many)),
      'publish-ratio, the middle half of the turns': [0.25, 0.75]
        .map((p) => rounded(quantile(ascending(ratios), p)))
        .join(' to '),
      'fetched from a branch without runs, bytes': fetched(took.empty),
      [`fetched beside ${MANY_RUNS} runs, bytes`]: fetched(took.many),
      'of them more than commit, trees, manifest and a piece, at most': Math.max(...beyond),
      'series of them, pieces': pages.pieces.length,
      'series of them, bytes': pages.pieces.reduce((sum, { content }) => sum + Buffer.byteLength(content), 0),
      'manifest of them, bytes': Buffer.byteLength(pages.manifest.content),
    },
  };
}

async function besideMany(server: SeparateGitServer, say: (line: string) => void): Promise<BenchResult> {
  const { pages, ratio, figures, beyond } = await publicationCost(server, say);
  return {
    figures,
    targets: [
      atMost(`publishing beside ${MANY_RUNS} runs, times that to a branch without runs`, ratio, 1.5),
      atMost('publish-written-bytes', publishWrittenBytes(pages), 64_000),
      atMost('run-file-bytes', runFileBytes(), 32_000),
      atMost('bytes-per-point', rounded(bytesPerPoint(pages)), 40),
      atMost(
        `fetched beside ${MANY_RUNS} runs beyond commit, trees, manifest and a piece, bytes (an old record has ${RECORD_BYTES})`,
        beyond,
        RECORD_BYTES,
      ),
    ],
  };
}

/** A branch that holds somebody's page, and no run. */
function site(repository: string): void {
  const input =
    'commit refs/heads/gh-pages\ncommitter a <a@b> 1700000000 +0000\ndata 5\nSite\nM 100644 inline index.html\ndata 0\n\n';
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

/** Of an old record, in which nothing is like any other: none of it hides in a delta of the others. */
const RECORD_BYTES = 4_096;

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

interface Crowd extends BenchResult {}

async function crowd(server: SeparateGitServer, number: number, say: (line: string) => void): Promise<Crowd> {
  const name = `crowd-${number}`;
  const repository = await server.create(name);
  say(`${number} publishers at once`);
  const started = performance.now();
  const all = await Promise.all(Array.from({ length: number }, () => published(server, name)));
  const seconds = (performance.now() - started) / 1000;
  const listed = execFileSync('git', ['-C', repository, 'ls-tree', '-r', '--name-only', 'gh-pages'], {
    encoding: 'utf8',
  });
  const { runs, pieces } = specFiles(listed.split('\n'), SPEC);
  const content = (path: string) =>
    execFileSync('git', ['-C', repository, 'show', `gh-pages:${path}`], { encoding: 'utf8', maxBuffer: 1e9 });
  const manifest = readManifest(content(`wrkbench/${SPEC}/manifest.json`), 'manifest.json');
  const rows = pieces.flatMap(({ path }) => readSeriesPiece(content(path), path, manifest).runs.id);
  const commits = Number(
    execFileSync('git', ['-C', repository, 'rev-list', '--count', 'gh-pages'], { encoding: 'utf8' }),
  );
  const exact = (what: string, value: number): Target => ({
    name: what,
    value,
    limit: `exactly ${number}`,
    met: value === number,
  });
  return {
    figures: {
      [`${number} publishers, seconds`]: rounded(seconds),
      [`${number} publishers, retries`]: all.reduce((sum, { retries }) => sum + retries, 0),
    },
    targets: [
      exact(`${number} publishers: records on the branch`, new Set(runs.map(({ id }) => id)).size),
      exact(`${number} publishers: runs in the series`, new Set(rows).size),
      exact(
        `${number} publishers: runs in the manifest`,
        manifest.months.reduce((sum, month) => sum + month.runs, 0),
      ),
      exact(`${number} publishers: commits`, commits),
      ...(number === 12 ? [atMost('12 publishers, seconds', rounded(seconds), 60)] : []),
    ],
  };
}
