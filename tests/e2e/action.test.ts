// needs: engine, wrk, k6, linux, act
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type GitServer, gitServer } from '../support/git-server/server.ts';
import { type ArtifactService, artifactService } from '../support/github-api/artifact-service.ts';
import { type GithubApi, githubApi } from '../support/github-api/server.ts';
import { emptyForge, type Forge } from '../support/github-api/state.ts';
import { IMAGES } from '../support/images.ts';
import { type ActResult, act } from './support/act.ts';

/** A repository's life: pushes and pull requests, each job one call of act, in the order that a reader would see. */

const TOKENS = {
  ghs_measuring: { permissions: { contents: 'read', actions: 'read' }, login: 'github-actions[bot]' },
  ghs_telling: {
    permissions: { actions: 'read', contents: 'write', 'pull-requests': 'write', statuses: 'write' },
    login: 'github-actions[bot]',
  },
} as const;

/** Another revision is another service, so that it is measured, also where it costs the same. */
const spec = (burnUs: number, revision: number) => `
name: api
services:
  go:
    image: ${IMAGES.misbehaving}
    port: 8080
    ready: {path: /ping}
    env: {BURN_US: "${burnUs}", REVISION: "${revision}"}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  k6: {rate: 300/s, connections: [8], keep-alive: [on], duration: 2s}
  warm-up: 1s
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, latency-p50: off, budget: 60s}
`;

/** Both burn: the first burning costs a server of several threads something more, for handing them over. */
const USUAL_US = 60;
const SLOW_US = 120;

let forge: Forge;
let api: GithubApi;
let git: GitServer;
let artifacts: ArtifactService;
let checkout: string;
let run = 7300;

const call = (...args: string[]) =>
  execFileSync('git', ['-C', checkout, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
    encoding: 'utf8',
  }).trim();
const log = ({ status, log: said }: ActResult) => (status === 0 ? '' : said);

beforeAll(async () => {
  forge = emptyForge('acme/api');
  api = await githubApi(forge, { tokens: TOKENS });
  git = await gitServer();
  artifacts = await artifactService(forge, () => run);
  git.create('acme/api');
  checkout = mkdtempSync(path.join(tmpdir(), 'wrkbench-repository-'));
  mkdirSync(path.join(checkout, '.github/workflows'), { recursive: true });
  for (const name of ['gate.yml', 'measure.yml', 'tell.yml', 'accept.yml']) {
    cpSync(path.join('workflows', name), path.join(checkout, '.github/workflows', name));
  }
  writeFileSync(path.join(checkout, 'wrkbench.yml'), spec(USUAL_US, 0));
  call('init', '--quiet', '--initial-branch', 'main');
  call('add', '.');
  call('commit', '--quiet', '--message', 'First');
});
afterAll(async () => {
  await Promise.all([api.close(), git.close(), artifacts.close()]);
  rmSync(checkout, { recursive: true, force: true });
});

function variables(token: keyof typeof TOKENS, more: Record<string, string> = {}): Record<string, string> {
  return {
    GITHUB_API_URL: api.url,
    GITHUB_SERVER_URL: `http://git.localhost:${new URL(git.url).port}`,
    GITHUB_REPOSITORY: 'acme/api',
    GITHUB_RUN_ID: String(run),
    WRKBENCH_TEST_TOKEN: token,
    ...artifacts.variables,
    ...more,
  };
}

const repository = { full_name: 'acme/api', default_branch: 'main', owner: { login: 'acme' }, name: 'api' };

/** Measures and tells of a commit, as two jobs of one workflow. */
async function workflow(
  event: string,
  payload: object,
  head: { sha: string; branch: string; repository: string },
  more = {},
) {
  run += 1;
  known(call('rev-parse', 'HEAD'));
  forge.runs.push({
    id: run,
    run_attempt: 1,
    event,
    path: '.github/workflows/gate.yml',
    head_sha: head.sha,
    head_branch: head.branch,
    head_repository: head.repository,
    conclusion: null,
    created_at: new Date().toISOString(),
  });
  const file = '.github/workflows/gate.yml';
  const measured = await act({
    directory: checkout,
    event,
    payload,
    workflow: file,
    job: 'measure',
    variables: variables('ghs_measuring', more),
  });
  const told = await act({
    directory: checkout,
    event,
    payload,
    workflow: file,
    job: 'tell',
    variables: variables('ghs_telling', more),
  });
  forge.runs.at(-1)!.conclusion = told.status === 0 ? 'success' : 'failure';
  return { measured, told };
}

/** What the API knows of a commit: its parents, and the files that are asked for. */
function known(sha: string): void {
  const parents = call('rev-list', '--parents', '-n', '1', sha).split(' ').slice(1);
  forge.commits.set(sha, { parents, message: call('log', '-1', '--format=%B', sha) });
  const files = ['wrkbench.yml', '.github/workflows/gate.yml', '.github/workflows/measure.yml'];
  forge.files.set(sha, Object.fromEntries(files.map((name) => [name, call('show', `${sha}:${name}`)])));
}

interface Change {
  number: number;
  burnUs: number;
  owner?: string;
}

/** A commit on a branch of its own and its merge into main, checked out, as GitHub makes it. */
function pullRequest({ number, burnUs, owner = 'acme' }: Change) {
  const base = call('rev-parse', 'main');
  const branch = `change-${number}`;
  call('checkout', '--quiet', '-B', branch, 'main');
  writeFileSync(path.join(checkout, 'wrkbench.yml'), spec(burnUs, number));
  writeFileSync(path.join(checkout, 'README.md'), `${number} ${burnUs} ${Date.now()}\n`);
  call('add', '.');
  call('commit', '--quiet', '--message', `Change ${number}`);
  const head = call('rev-parse', 'HEAD');
  call('checkout', '--quiet', '--detach', 'main');
  call('merge', '--quiet', '--no-ff', '--message', `Merge ${branch}`, branch);
  for (const sha of [base, head]) known(sha);
  forge.branches.set('main', call('rev-list', '--first-parent', 'main').split('\n'));
  const own = {
    number,
    state: 'open' as const,
    head: { sha: head, ref: branch, owner, repository: `${owner}/api` },
    base: { sha: base, ref: 'main' },
    labels: [],
    files: ['README.md', 'wrkbench.yml'],
    messages: [`Change ${number}`],
  };
  forge.pulls = [...forge.pulls.filter((each) => each.number !== number), own];
  const payload = {
    repository,
    pull_request: {
      number,
      head: { sha: head, ref: branch, user: { login: owner }, repo: { full_name: `${owner}/api` } },
      base: { sha: base, ref: 'main', repo: repository },
    },
  };
  const more = {
    GITHUB_SHA: call('rev-parse', 'HEAD'),
    GITHUB_REF: `refs/pull/${number}/merge`,
    GITHUB_BASE_REF: 'main',
    GITHUB_HEAD_REF: branch,
    GITHUB_EVENT_NAME: 'pull_request',
  };
  return { head, branch, payload, more, repository: `${owner}/api` };
}

const statusOf = (sha: string) => forge.statuses.findLast((status) => status.sha === sha)?.state;
const comments = (number: number) => forge.comments.filter(({ issue }) => issue === number);

describe('a repository without forks', () => {
  it('stores its first push as a baseline', async () => {
    const sha = call('rev-parse', 'HEAD');
    const payload = { repository, ref: 'refs/heads/main', after: sha };
    const { measured, told } = await workflow('push', payload, { sha, branch: 'main', repository: 'acme/api' });
    expect([log(measured), log(told)]).toEqual(['', '']);
    expect(statusOf(sha)).toBe('success');
    const stored = execFileSync(
      'git',
      ['-C', path.join(git.root, 'acme/api.git'), 'ls-tree', '-r', '--name-only', 'gh-pages'],
      { encoding: 'utf8' },
    );
    expect(stored).toMatch(new RegExp(`^wrkbench/api/runs/\\d{4}-\\d{2}/\\S+\\.${sha}\\.json\n$`));
  }, 300_000);

  it('is green for a pull request that makes nothing slower', async () => {
    const change = pullRequest({ number: 12, burnUs: USUAL_US });
    const { measured, told } = await workflow(
      'pull_request',
      change.payload,
      { sha: change.head, branch: change.branch, repository: change.repository },
      change.more,
    );
    expect([log(measured), log(told)]).toEqual(['', '']);
    expect(statusOf(change.head)).toBe('success');
    expect(comments(12)).toHaveLength(1);
    expect(comments(12)[0]!.body).toMatch(/### [🟢⚪🟡]/u);
  }, 300_000);

  it('is red for one that does, in the same comment, the right case first', async () => {
    const before = comments(12)[0]!.id;
    const change = pullRequest({ number: 12, burnUs: SLOW_US });
    const { told } = await workflow(
      'pull_request',
      change.payload,
      { sha: change.head, branch: change.branch, repository: change.repository },
      change.more,
    );
    expect(told.status).not.toBe(0);
    expect(statusOf(change.head)).toBe('failure');
    expect(comments(12).map(({ id }) => id)).toEqual([before]);
    expect(comments(12)[0]!.body).toMatch(/### 🔴 Regression.*`go · \/ping` costs [\d.]+ % more CPU per request/);
  }, 300_000);

  it('accepts it by a label, without measuring again', async () => {
    const own = forge.pulls.find(({ number }) => number === 12)!;
    own.labels = ['perf-accepted'];
    forge.events.push({
      issue: 12,
      event: 'labeled',
      label: 'perf-accepted',
      actor: 'alice',
      created_at: new Date(Date.now() + 1000).toISOString(),
    });
    forge.collaborators.set('alice', 'write');
    const measuredBefore = forge.artifacts.length;
    const file = path.join(checkout, '.github/workflows/accept.yml');
    writeFileSync(
      file,
      readFileSync(file, 'utf8').replace('.github/workflows/measure.yml', '.github/workflows/gate.yml'),
    );
    run += 1;
    const payload = {
      action: 'labeled',
      label: { name: 'perf-accepted' },
      repository,
      pull_request: {
        number: 12,
        head: { sha: own.head.sha, ref: own.head.ref, user: { login: 'acme' }, repo: { full_name: 'acme/api' } },
        base: { sha: own.base.sha, ref: 'main' },
      },
    };
    const told = await act({
      directory: checkout,
      event: 'pull_request_target',
      payload,
      workflow: '.github/workflows/accept.yml',
      job: 'accept',
      variables: variables('ghs_telling'),
    });
    expect(log(told)).toBe('');
    expect(statusOf(own.head.sha)).toBe('success');
    expect(comments(12)[0]!.body).toContain('Accepted regression');
    expect(forge.artifacts).toHaveLength(measuredBefore);
  }, 300_000);
});

describe('a pull request from a fork', () => {
  it('goes by two workflows, of which the first may write nothing', async () => {
    const change = pullRequest({ number: 13, burnUs: SLOW_US, owner: 'mallory' });
    run += 1;
    const measuring = run;
    known(call('rev-parse', 'HEAD'));
    forge.runs.push({
      id: measuring,
      run_attempt: 1,
      event: 'pull_request',
      path: '.github/workflows/measure.yml',
      head_sha: change.head,
      head_branch: change.branch,
      head_repository: 'mallory/api',
      conclusion: null,
      created_at: new Date().toISOString(),
    });
    const measured = await act({
      directory: checkout,
      event: 'pull_request',
      payload: change.payload,
      workflow: '.github/workflows/measure.yml',
      job: 'measure',
      variables: variables('ghs_measuring', change.more),
    });
    expect(log(measured)).toBe('');
    expect([statusOf(change.head), comments(13)]).toEqual([undefined, []]);
    forge.runs.at(-1)!.conclusion = 'success';
    run += 1;
    call('checkout', '--quiet', 'main');
    const payload = { repository, workflow_run: { id: measuring, pull_requests: [] } };
    const told = await act({
      directory: checkout,
      event: 'workflow_run',
      payload,
      workflow: '.github/workflows/tell.yml',
      job: 'tell',
      variables: variables('ghs_telling'),
    });
    expect(told.status).not.toBe(0);
    expect(statusOf(change.head)).toBe('failure');
    expect(comments(13)[0]!.body).toMatch(/### 🔴 Regression/);
  }, 300_000);
});

describe('the API', () => {
  it('was asked for nothing that GitHub would refuse', () => {
    expect(api.mistakes).toEqual([]);
  });
});
