// needs: nothing
import { execFileSync } from 'node:child_process';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { dataBranch } from '../../../src/adapters/git/data-branch/branch.ts';
import { branchHistory } from '../../../src/app/branch-history.ts';
import { pageLinksOf } from '../../../src/app/posting/page-links.ts';
import { WHOLE } from '../../../src/core/config/selection.ts';
import { type GitServer, gitServer } from '../../support/git-server/server.ts';
import { ALWAYS, addArtifact, BASE, HEAD, OTHER, onBranch, recordFor, reported, type World, world } from './given.ts';
import { factsWithin, reportedByTask } from './task.ts';

const never = new AbortController().signal;
let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(() => server.close());

interface KeepingWorld extends World {
  /** Paths of the data branch; none where there is no such branch. */
  kept(): string[];
  text(path: string): string;
  commits(): number;
  /** Somebody leaves what is no record. */
  breaks(path: string): Promise<void>;
}

/** With a data branch that lies in a repository of its own. */
async function keepingWorld(): Promise<KeepingWorld> {
  const given = await world({ secondMs: 2 });
  const source = { branch: 'gh-pages', path: '/' };
  given.forge.site = { html_url: 'https://acme.github.io/api/', build_type: 'legacy', source };
  given.forge.branches.set('gh-pages', ['e'.repeat(40)]);
  given.forge.files.set('e'.repeat(40), { 'wrkbench/rest-api/index.html': '<!doctype html>' });
  const name = `api-${Math.random().toString(36).slice(2)}`;
  const folder = server.create(name);
  const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' });
  const exists = () => git('for-each-ref', 'refs/heads/gh-pages') !== '';
  return {
    ...given,
    // Each job has a copy of its own.
    adapters: (changes = {}) => {
      const branch = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: null });
      onTestFinished(() => branch.close());
      const warn = (text: string) => given.warnings.push(text);
      const published = { serverUrl: 'https://github.com', repository: 'acme/api', branch: 'gh-pages', hosted: true };
      const pageLinks = pageLinksOf(given.adapters().forge, { ...published, warn });
      return given.adapters({ branch, history: branchHistory(branch, never, warn), pageLinks, ...changes });
    },
    kept: () => {
      const all = exists() ? git('ls-tree', '-r', '--name-only', 'gh-pages').trim().split('\n') : [];
      // The files that the pages are made of are another test's.
      return all.filter((path) => /\/(?:runs|hidden|set-aside)\//.test(path));
    },
    text: (path) => git('show', `gh-pages:${path}`),
    async breaks(broken) {
      const branch = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: null });
      const write = [{ path: broken, content: '{"schemaVersion": 1}' }];
      await branch.commit(() => ({ message: 'Break it', write, move: [], remove: [], squash: false }), never);
      await branch.close();
    },
    commits: () => (exists() ? Number(git('rev-list', '--count', 'gh-pages')) : 0),
  };
}

/** What is made of runs comes and goes with them. */

const [FIRST, SECOND] = ['20261120-092802-0a1b2c', '20261120-101500-3d4e5f'] as const;
const pathOf = (id: string, run = 7301, sha = OTHER) => `wrkbench/rest-api/runs/2026-11/${id}.run-${run}.${sha}.json`;
const recordOn = (sha: string, id: string = FIRST) => recordFor({ rounds: 20, id }, sha);

describe('a run of the default branch', () => {
  it.each(['push', 'schedule', 'workflow_dispatch'])('is kept where it is made by a %s', async (event) => {
    const given = await keepingWorld();
    onBranch(given, { event });
    addArtifact(given.forge, recordOn(OTHER));
    const { pageUrl } = await reported(given);
    expect(given.kept()).toEqual([pathOf(FIRST)]);
    expect(pageUrl).toBe('https://acme.github.io/api/wrkbench/rest-api/');
    expect(given.warnings).toEqual([]);
  });

  it('says on the page of the job how to have the charts shown, where nothing shows them', async () => {
    const given = await keepingWorld();
    given.forge.site = null;
    onBranch(given, {});
    addArtifact(given.forge, recordOn(OTHER));
    const { pageUrl, pagesAdvice } = await reported(given);
    expect(pageUrl).toBeNull();
    const url = 'https://github.com/acme/api/settings/pages';
    expect(pagesAdvice).toBe(
      `The charts of these runs are on the branch gh-pages, and nothing shows them yet: at ${url} choose "Deploy from a branch", gh-pages and / (root).`,
    );
    // A text of an address is kept from becoming a second link.
    const text = url.replace('//', '\u200b//');
    expect(given.summaries.slice(1)).toEqual([
      `The charts of these runs are on the branch \`gh-pages\`, and nothing shows them yet: at [${text}](${url}) choose "Deploy from a branch", \`gh-pages\` and / (root).\n`,
    ]);
    expect(given.kept()).toEqual([pathOf(FIRST)]);
  });

  it('is kept with what its generators printed', async () => {
    const given = await keepingWorld();
    onBranch(given, {});
    const { cases, ...rest } = recordOn(OTHER);
    const named = { ...rest, cases: cases.map((each) => ({ ...each, raw: ['raw/a.txt'] })) };
    const files = { 'run.json': strToU8(JSON.stringify(named)), 'raw/a.txt': strToU8('Running 10s test') };
    given.forge.artifacts.push({ id: 500, run: 7301, name: 'wrkbench-rest-api', zip: zipSync(files), expired: false });
    await reported(given);
    const beside = pathOf(FIRST).replace(/json$/, 'raw.json');
    expect(given.kept()).toEqual([pathOf(FIRST), beside]);
    expect(JSON.parse(given.text(beside)).files).toEqual({ 'raw/a.txt': 'Running 10s test' });
    expect(JSON.parse(given.text(pathOf(FIRST))).published.raw).toBe(true);
  });

  it('is kept where it is made by a schedule, whose event need not say what the default branch is', async () => {
    const given = await keepingWorld();
    onBranch(given, { event: 'schedule' });
    addArtifact(given.forge, recordOn(OTHER));
    await reported(given, { defaultBranch: '' });
    expect(given.kept()).toEqual([pathOf(FIRST)]);
  });

  it('is kept although neither its spec nor its commit can be read, as long as its record can', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    for (const operation of ['repos/get-content', 'git/get-commit']) {
      given.api.faults.push({ operation, times: ALWAYS, kind: 500 });
    }
    await reported(given);
    expect(given.kept()).toEqual([pathOf(FIRST)]);
  });

  it('is kept although its own run cannot be read, of which its job knows all that is needed', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    given.api.faults.push({ operation: 'actions/get-workflow-run', times: ALWAYS, kind: 500 });
    await reportedByTask(given, factsWithin(given));
    expect(given.kept()).toEqual([pathOf(FIRST)]);
    expect(given.forge.statuses).toMatchObject([{ sha: OTHER, state: 'success' }]);
    expect(given.warnings).toEqual([expect.stringMatching(/^Run 7301 is taken for what its own job says of it: GET /)]);
  });

  it('is kept although nobody can be told of it', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    given.api.faults.push({ operation: 'repos/create-commit-status', times: ALWAYS, kind: 422 });
    await reported(given);
    expect(given.kept()).toEqual([pathOf(FIRST)]);
    expect(given.warnings).toEqual([expect.stringMatching(/^The status wrkbench\/rest-api cannot be written: /)]);
  });

  it('is told of although it cannot be kept', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    const branch = dataBranch({ remote: `${server.url}/nothing.git`, branch: 'gh-pages', token: null });
    onTestFinished(() => branch.close());
    const { published, pageUrl } = await reported(given, {}, { branch });
    expect({ published, pageUrl }).toEqual({ published: [], pageUrl: null });
    expect(given.forge.statuses).toMatchObject([{ state: 'success' }]);
    expect(given.warnings).toEqual([expect.stringMatching(/^The run of rest-api was not published: /)]);
  });
});

describe('what is no baseline, and is not kept', () => {
  it.each([
    ['a pull request of a fork', {}, HEAD],
    ['a pull request of a branch called main, of the repository itself', { head_repository: 'acme/api' }, HEAD],
    ['a push to another branch', { event: 'push', head_branch: 'roles', head_repository: 'acme/api' }, OTHER],
    ['a push of a tag', { event: 'push', head_branch: 'v1.4.0', head_repository: 'acme/api' }, OTHER],
    ['a release', { event: 'release', head_branch: 'v1.4.0', head_repository: 'acme/api' }, OTHER],
    ["a push to a fork's main", { event: 'push' }, OTHER],
    ["a fork's nightly run", { event: 'schedule' }, OTHER],
    ['a run that somebody else started', { event: 'repository_dispatch', head_repository: 'acme/api' }, OTHER],
  ])('is %s', async (_, run, sha) => {
    const given = await keepingWorld();
    onBranch(given, { sha: OTHER });
    const stranger = { event: 'pull_request', head_branch: 'main', head_repository: 'mallory/api', head_sha: sha };
    Object.assign(given.forge.runs[0]!, stranger, run);
    const [owner = ''] = given.forge.runs[0]!.head_repository.split('/');
    Object.assign(given.forge.pulls[0]!.head, { owner, repository: given.forge.runs[0]!.head_repository });
    addArtifact(given.forge, recordOn(sha));
    const { published, pageUrl } = await reported(given);
    expect({ published, pageUrl, kept: given.kept() }).toEqual({ published: [], pageUrl: null, kept: [] });
  });

  it('is a run of the default branch whose record is of another commit', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(BASE));
    await reported(given);
    expect(given.kept()).toEqual([]);
    expect(given.forge.statuses).toMatchObject([{ state: 'error' }]);
  });

  it('is any run where nothing is to be published', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    await reported(given, { publish: false });
    expect(given.kept()).toEqual([]);
  });

  it('is any run where nobody knows what the default branch is', async () => {
    const given = await keepingWorld();
    onBranch(given, { branch: '' });
    addArtifact(given.forge, recordOn(OTHER));
    await reported(given, { defaultBranch: '' });
    expect(given.kept()).toEqual([]);
  });
});

describe('a run that is made again', () => {
  /** All jobs once more: the same run of the workflow, another measurement. */
  async function again(given: KeepingWorld, attempt: number) {
    given.forge.runs[0]!.run_attempt = attempt;
    const name = `wrkbench-rest-api+attempt-${attempt}`;
    addArtifact(given.forge, recordOn(OTHER, SECOND), { id: 900 + attempt, name });
    return await reported(given);
  }

  it('adds and replaces nothing', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    await reported(given);
    const { published, pageUrl } = await again(given, 2);
    expect({ kept: given.kept(), commits: given.commits() }).toEqual({ kept: [pathOf(FIRST)], commits: 1 });
    expect(published).toEqual([{ path: pathOf(FIRST), run: FIRST, commit: null, retries: 0 }]);
    expect(pageUrl).not.toBeNull();
    expect(given.forge.statuses.at(-1)!.target_url).toMatch(/attempts\/2$/);
  });

  it('adds nothing where both attempts are told of at once', async () => {
    const given = await keepingWorld();
    onBranch(given);
    const { run } = await given.request();
    await Promise.all(
      [FIRST, SECOND].map((id, index) => {
        const records = [{ specName: 'rest-api', record: recordOn(OTHER, id) }];
        return reported(given, { run: { ...run, attempt: index + 1 }, records });
      }),
    );
    expect(given.kept()).toHaveLength(1);
    expect(given.commits()).toBe(1);
  });

  it('adds nothing where it is only told of again', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    await reported(given);
    given.forge.runs[0]!.run_attempt = 2;
    await reported(given);
    expect({ kept: given.kept(), commits: given.commits() }).toEqual({ kept: [pathOf(FIRST)], commits: 1 });
  });

  it('is kept where the first attempt left nothing', async () => {
    const given = await keepingWorld();
    onBranch(given);
    given.forge.runs[0]!.conclusion = 'failure';
    await reported(given);
    given.forge.runs[0]!.conclusion = 'success';
    await again(given, 2);
    expect(given.kept()).toEqual([pathOf(SECOND)]);
  });

  it('sets aside the newest record where that is broken, and says so', async () => {
    const given = await keepingWorld();
    onBranch(given);
    const broken = 'wrkbench/rest-api/runs/2026-11/20261119-092802-0a1b2c.run-7300.no-commit.json';
    await given.breaks(broken);
    addArtifact(given.forge, recordOn(OTHER));
    await reported(given);
    const aside = 'wrkbench/rest-api/set-aside/20261119-092802-0a1b2c.run-7300.no-commit.json';
    expect(given.kept()).toEqual([pathOf(FIRST), aside]);
    expect(given.warnings).toEqual([expect.stringMatching(new RegExp(`^${broken} on .* cannot be read`))]);
  });

  it('is another run where another run of a workflow measures the same commit, as every night', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    await reported(given);
    given.forge.runs.push({ ...given.forge.runs[0]!, id: 7400, event: 'schedule' });
    addArtifact(given.forge, recordOn(OTHER, SECOND), { run: 7400 });
    await reported(given, { run: (await given.adapters().forge.workflowRun(7400))! });
    expect(given.kept()).toEqual([pathOf(FIRST), pathOf(SECOND, 7400)]);
  });

  it('is found by later runs as every other, and told apart from them by its name', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    await reported(given);
    const { history } = given.adapters();
    expect((await history!.latest('rest-api', [OTHER], WHOLE))?.id).toBe(FIRST);
  });
});

describe('the task', () => {
  it('says where the runs are shown, and what was kept', async () => {
    const given = await keepingWorld();
    onBranch(given);
    addArtifact(given.forge, recordOn(OTHER));
    const { outputs, said } = await reportedByTask(given);
    expect(outputs).toEqual({
      verdict: 'no-change',
      'comment-url': '',
      'page-url': 'https://acme.github.io/api/wrkbench/rest-api/',
    });
    expect(said).toEqual([expect.stringMatching(/^wrkbench\/rest-api\/runs\/\S+ is kept: commit [0-9a-f]{40}\.$/)]);
  });
});
