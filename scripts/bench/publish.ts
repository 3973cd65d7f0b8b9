import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { dataBranch } from '../../src/adapters/git/data-branch/branch.ts';
import { publish } from '../../src/app/publish.ts';
import { keepAll } from '../../src/core/publication/change.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { median } from '../../src/core/statistics/quantile.ts';
import { type GitServer, gitServer } from '../../tests/support/git-server/server.ts';
import { madeUpRecord } from '../../tests/support/made-up/run-record.ts';
import { atMost, type BenchResult, rounded, type Target } from './target.ts';

/** Of an old branch. */
const MANY_RUNS = 10_000;
const REPETITIONS = 8;
const AT_ONCE = [12, 50];

/** Publishing over HTTP to git's own server: to a branch without runs and to one with 10,000, and many publishers at once. */
export async function figuresAndTargets(say: (line: string) => void): Promise<BenchResult> {
  const server = await gitServer();
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

async function published(server: GitServer, name: string): Promise<Publication> {
  const record = nextRun();
  const branch = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: null });
  const before = server.bytes.sent;
  const started = performance.now();
  try {
    const options = { retention: keepAll, squash: false, now: new Date() };
    const { retries } = await publish(record, null, branch, options, new AbortController().signal);
    return { ms: performance.now() - started, fetched: server.bytes.sent - before, retries };
  } finally {
    await branch.close();
  }
}

async function besideMany(server: GitServer, say: (line: string) => void): Promise<BenchResult> {
  const many = 'many';
  say(`making a branch of ${MANY_RUNS} runs`);
  const old = server.create(many);
  fill(old, MANY_RUNS);
  const took = { none: [] as Publication[], empty: [] as Publication[], many: [] as Publication[] };
  const beyond: number[] = [];
  for (let index = 0; index < REPETITIONS; index += 1) {
    // In turn, so that what the machine does meanwhile falls on both.
    server.create(`none-${index}`);
    took.none.push(await published(server, `none-${index}`));
    site(server.create(`empty-${index}`));
    took.empty.push(await published(server, `empty-${index}`));
    const trees = treesBytes(old);
    took.many.push(await published(server, many));
    beyond.push(took.many.at(-1)!.fetched - trees);
  }
  const ms = (all: readonly Publication[]) => median(all.map((each) => each.ms));
  const fetched = (all: readonly Publication[]) => median(all.map((each) => each.fetched));
  return {
    figures: {
      'publishing where there is no branch yet, ms': rounded(ms(took.none)),
      'publishing to a branch without runs, ms': rounded(ms(took.empty)),
      [`publishing beside ${MANY_RUNS} runs, ms`]: rounded(ms(took.many)),
      'fetched from a branch without runs, bytes': fetched(took.empty),
      [`fetched beside ${MANY_RUNS} runs, bytes`]: fetched(took.many),
      'of them more than commit and trees, at most': Math.max(...beyond),
    },
    targets: [
      atMost(
        `publishing beside ${MANY_RUNS} runs, times that to a branch without runs`,
        rounded(ms(took.many) / ms(took.empty)),
        1.5,
      ),
      atMost(
        `fetched beside ${MANY_RUNS} runs beyond commit and trees, bytes (an old record has ${RECORD_BYTES})`,
        Math.max(...beyond),
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

/** What the newest commit and its trees take in a pack, without any file. */
function treesBytes(repository: string): number {
  const list = ['rev-list', '--objects', '--filter=blob:none', '--max-count=1', 'gh-pages'];
  const objects = execFileSync('git', ['-C', repository, ...list], { maxBuffer: 1e9 });
  return execFileSync('git', ['-C', repository, 'pack-objects', '--stdout', '--quiet'], {
    input: objects,
    maxBuffer: 1e9,
  }).byteLength;
}

/** Of an old record, in which nothing is like any other: none of it hides in a delta of the others. */
const RECORD_BYTES = 4_096;

/** Runs of two years, straight into the repository. */
function fill(repository: string, count: number): void {
  const stream: string[] = [];
  stream.push('commit refs/heads/gh-pages', 'committer a <a@b> 1700000000 +0000', 'data 5', 'Runs\n');
  for (let index = 0; index < count; index += 1) {
    const month = `${2024 + Math.floor(index / 5_000)}${String(1 + (Math.floor(index / 420) % 12)).padStart(2, '0')}`;
    const id = `${month}01-${String(index).padStart(6, '0').slice(0, 6)}-0000ff`;
    const sha = (index + 1_000_000).toString(16).padStart(40, '0');
    const path = `wrkbench/rest-api/runs/${month.slice(0, 4)}-${month.slice(4)}/${id}.${sha}.json`;
    const own = createHash('shake256', { outputLength: RECORD_BYTES / 2 })
      .update(String(index))
      .digest('hex');
    stream.push(`M 100644 inline ${path}`, `data ${Buffer.byteLength(own)}`, own);
  }
  const { status, stderr } = spawnSync('git', ['-C', repository, 'fast-import', '--quiet'], {
    input: `${stream.join('\n')}\n`,
    maxBuffer: 1e9,
  });
  if (status !== 0) throw new Error(`fast-import failed: ${stderr}`);
  execFileSync('git', ['-C', repository, 'repack', '-adq']);
}

interface Crowd extends BenchResult {}

async function crowd(server: GitServer, number: number, say: (line: string) => void): Promise<Crowd> {
  const name = `crowd-${number}`;
  const repository = server.create(name);
  say(`${number} publishers at once`);
  const started = performance.now();
  const all = await Promise.all(Array.from({ length: number }, () => published(server, name)));
  const seconds = (performance.now() - started) / 1000;
  const listed = execFileSync('git', ['-C', repository, 'ls-tree', '-r', '--name-only', 'gh-pages'], {
    encoding: 'utf8',
  });
  const paths = listed.split('\n').filter((path) => path !== '');
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
      exact(`${number} publishers: records on the branch`, new Set(paths).size),
      exact(`${number} publishers: commits`, commits),
      ...(number === 12 ? [atMost('12 publishers, seconds', rounded(seconds), 60)] : []),
    ],
  };
}
