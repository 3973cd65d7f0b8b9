import { execFileSync } from 'node:child_process';
import { dataBranch } from '../../src/adapters/git/data-branch/branch.ts';
import { publish } from '../../src/app/publish.ts';
import { keepAll } from '../../src/core/publication/change.ts';
import { readManifest, readSeriesPiece } from '../../src/core/publication/pages-documents.ts';
import { specFiles } from '../../src/core/publication/spec-files.ts';
import { bytesPerPoint, MANY_RUNS, publishWrittenBytes, runFileBytes, SPEC } from './pages-data.ts';
import { publicationCost, RECORD_BYTES } from './publication-cost.ts';
import { nextRun } from './publishable-runs.ts';
import { type SeparateGitServer, separateGitServer } from './separate-git-server.ts';
import { atMost, type BenchResult, rounded, type Target } from './target.ts';

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

/** Resolves to how often others were first. */
async function retriesOf(server: SeparateGitServer, name: string): Promise<number> {
  const branch = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: null });
  try {
    const pages = { tool: '0.1.0', server: null, site: () => [] };
    const warn = (text: string) => {
      throw new Error(text);
    };
    const options = { retention: keepAll, squash: false, pages, warn, now: new Date() };
    return (await publish(nextRun(), null, branch, options, new AbortController().signal)).retries;
  } finally {
    await branch.close();
  }
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

interface Crowd extends BenchResult {}

async function crowd(server: SeparateGitServer, number: number, say: (line: string) => void): Promise<Crowd> {
  const name = `crowd-${number}`;
  const repository = await server.create(name);
  say(`${number} publishers at once`);
  const started = performance.now();
  const retries = await Promise.all(Array.from({ length: number }, () => retriesOf(server, name)));
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
      [`${number} publishers, retries`]: retries.reduce((sum, each) => sum + each, 0),
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
