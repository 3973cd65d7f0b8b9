// needs: engine, wrk, k6, linux, act, chromium
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IMAGES } from '../support/images.ts';
import type { ActResult } from './support/act.ts';
import { browserOf } from './support/browser.ts';
import { start } from './support/command.ts';
import { SITE_URL } from './support/hosted-forge.ts';
import { type HostedRepository, hostedRepository } from './support/hosted-repository.ts';

/** A repository's life: pushes and pull requests, each job one call of act, in the order that a reader would see. */

/** Both burn: the first burning costs a server of several threads something more, for handing them over. */
const USUAL_US = 60;
const SLOW_US = 120;

/** Takes as many rounds as a verdict about scattering figures does. */
const BY_CPU = 'cpu-per-request: {max-increase: 10%}';
/** An exact count, which one round decides: for what is shown of the way to a verdict, and not of the verdict. */
const BY_BYTES = 'cpu-per-request: off, bytes-per-response: {max-increase: 0}';

/**
 * `/ping` always costs the same, `/time` what the environment says. Another revision is another service, so that it is measured, also
 * where it costs the same.
 */
const spec = (timeUs: number, revision: number, { gate = BY_CPU, headerBytes = 0 } = {}) => `
name: api
services:
  go:
    image: ${IMAGES.misbehaving}
    port: 8080
    ready: {path: /ping}
    env: {BURN_US: "${USUAL_US}", TIME_BURN_US: "${timeUs}", REVISION: "${revision}"${headerBytes === 0 ? '' : `, HUGE_HEADER_BYTES: "${headerBytes}"`}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}, time: {path: /time, expect: {status: 200}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, ${gate}, budget: 120s}
`;

const PAGE = `${SITE_URL}wrkbench/api/`;

let host: HostedRepository;
beforeAll(async () => {
  host = await hostedRepository(['gate.yml', 'measure.yml', 'report.yml', 'accept.yml'], {
    'wrkbench.yml': spec(USUAL_US, 0, { gate: BY_BYTES }),
  });
});
afterAll(() => host.close());

const repository = { full_name: 'acme/api', default_branch: 'main', owner: { login: 'acme' }, name: 'api' };
const log = ({ status, log: said }: ActResult) => (status === 0 ? '' : said);
const statusOf = (sha: string) => host.forge.statuses.findLast((status) => status.sha === sha)?.state;
const comments = (number: number) => host.forge.comments.filter(({ issue }) => issue === number);

/** What both jobs of gate.yml come to, for what is checked out. */
async function gated(
  event: string,
  payload: object,
  head: { sha: string; branch: string },
  variables: Record<string, string> = {},
) {
  host.know(host.git('rev-parse', 'HEAD'));
  const path = '.github/workflows/gate.yml';
  const run = host.begin({
    event,
    path,
    head_sha: head.sha,
    head_branch: head.branch,
    head_repository: 'acme/api',
  });
  const call = { event, payload, workflow: 'gate.yml', variables };
  const measured = await host.job({ ...call, job: 'measure', token: 'ghs_measuring' });
  const reported = await host.job({ ...call, job: 'report', token: 'ghs_reporting_pages' });
  run.conclusion = reported.status === 0 ? 'success' : 'failure';
  return { measured, reported };
}

/** Another gate on main: that of a pull request's base is in force. */
function gateBy(gate: string) {
  host.git('checkout', '--quiet', 'main');
  writeFileSync(path.join(host.checkout, 'wrkbench.yml'), spec(USUAL_US, 0, { gate }));
  host.git('commit', '--quiet', '--all', '--message', 'Gate by something else');
}

/** A commit on a branch of its own and its merge into main, checked out, as GitHub makes it. */
function pullRequest(number: number, text: string, owner = 'acme') {
  const { git, forge } = host;
  const base = git('rev-parse', 'main');
  const branch = `change-${number}`;
  git('checkout', '--quiet', '-B', branch, 'main');
  writeFileSync(path.join(host.checkout, 'wrkbench.yml'), text);
  writeFileSync(path.join(host.checkout, 'README.md'), `${number}\n${text}`);
  git('add', '.');
  git('commit', '--quiet', '--message', `Change ${number}`);
  const head = git('rev-parse', 'HEAD');
  git('checkout', '--quiet', '--detach', 'main');
  git('merge', '--quiet', '--no-ff', '--message', `Merge ${branch}`, branch);
  for (const sha of [base, head]) host.know(sha);
  forge.branches.set('main', git('rev-list', '--first-parent', 'main').split('\n'));
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
  const variables = {
    GITHUB_SHA: git('rev-parse', 'HEAD'),
    GITHUB_REF: `refs/pull/${number}/merge`,
    GITHUB_BASE_REF: 'main',
    GITHUB_HEAD_REF: branch,
    GITHUB_EVENT_NAME: 'pull_request',
  };
  return { head: { sha: head, branch }, payload, variables };
}

describe('a repository without forks', () => {
  it('stores its first push as a baseline', async () => {
    const sha = host.git('rev-parse', 'HEAD');
    const payload = { repository, ref: 'refs/heads/main', after: sha };
    const { measured, reported } = await gated('push', payload, { sha, branch: 'main' });
    expect([log(measured), log(reported)]).toEqual(['', '']);
    expect(statusOf(sha)).toBe('success');
    // With what its generators wrote.
    const [run, raw, ...others] = host.kept();
    expect(run).toMatch(new RegExp(`^wrkbench/api/runs/\\d{4}-\\d{2}/\\S+\\.${sha}\\.json$`));
    expect([raw, others]).toEqual([run!.replace(/json$/, 'raw.json'), []]);
  }, 300_000);

  it('stores its second push beside it', async () => {
    writeFileSync(path.join(host.checkout, 'wrkbench.yml'), spec(USUAL_US, 1, { gate: BY_BYTES }));
    host.git('commit', '--quiet', '--all', '--message', 'Second');
    const sha = host.git('rev-parse', 'HEAD');
    const payload = { repository, ref: 'refs/heads/main', after: sha };
    const { measured, reported } = await gated('push', payload, { sha, branch: 'main' });
    expect([log(measured), log(reported)]).toEqual(['', '']);
    const runs = host.kept().filter((name) => !name.endsWith('.raw.json'));
    expect(runs).toHaveLength(2);
    expect(runs.filter((name) => name.endsWith(`.${sha}.json`))).toHaveLength(1);
    host.showPages();
  }, 300_000);

  it('is green for a pull request that makes nothing slower, without a comment', async () => {
    const { head, payload, variables } = pullRequest(12, spec(USUAL_US, 12, { gate: BY_BYTES }));
    const { measured, reported } = await gated('pull_request', payload, head, variables);
    expect([log(measured), log(reported)]).toEqual(['', '']);
    expect(statusOf(head.sha)).toBe('success');
    expect(comments(12)).toEqual([]);
  }, 300_000);

  it('is red for one that does, with a comment that has the right case first', async () => {
    gateBy(BY_CPU);
    const { head, payload, variables } = pullRequest(12, spec(SLOW_US, 12));
    const { reported } = await gated('pull_request', payload, head, variables);
    expect(reported.status).not.toBe(0);
    expect(statusOf(head.sha)).toBe('failure');
    expect(comments(12)).toHaveLength(1);
    expect(comments(12)[0]!.body).toMatch(
      /### 🔴 Regression in 1 of 2 endpoints: `go · \/time` costs [\d.]+ % more CPU per request/,
    );
    const [, , first] = comments(12)[0]!
      .body.split('\n')
      .filter((line) => line.startsWith('|'));
    expect(first).toMatch(/^\| CPU per request +\| 🔴/);
    expect(comments(12)[0]!.body.indexOf('**go · /time**')).toBeLessThan(comments(12)[0]!.body.indexOf(first!));
    expect(comments(12)[0]!.body).toContain(`[Trend](${PAGE})`);
  }, 300_000);

  it('accepts it by a label, without measuring again', async () => {
    const own = host.forge.pulls.find(({ number }) => number === 12)!;
    own.labels = ['perf-accepted'];
    const later = new Date(Date.now() + 1000).toISOString();
    host.forge.events.push({ issue: 12, event: 'labeled', label: 'perf-accepted', actor: 'alice', created_at: later });
    host.forge.collaborators.set('alice', 'write');
    const measuredBefore = host.forge.artifacts.length;
    const { sha, ref } = own.head;
    host.begin({
      event: 'pull_request_target',
      path: '.github/workflows/accept.yml',
      head_sha: sha,
      head_branch: ref,
      head_repository: 'acme/api',
    });
    const head = { sha, ref, user: { login: 'acme' }, repo: { full_name: 'acme/api' } };
    const payload = {
      action: 'labeled',
      label: { name: 'perf-accepted' },
      repository,
      pull_request: { number: 12, head, base: { sha: own.base.sha, ref: 'main' } },
    };
    const call = { event: 'pull_request_target', payload, workflow: 'accept.yml', job: 'accept' };
    const reported = await host.job({ ...call, token: 'ghs_reporting' });
    expect(log(reported)).toBe('');
    expect(statusOf(sha)).toBe('success');
    expect(comments(12)).toHaveLength(1);
    expect(comments(12)[0]!.body).toContain('Accepted regression');
    expect(host.forge.artifacts).toHaveLength(measuredBefore);
  }, 300_000);
});

describe('the page that the comment links to', () => {
  it('shows both pushes, and not the pull request', async () => {
    const serving = start(['serve', host.repository, '--branch', 'gh-pages'], { cwd: tmpdir() });
    await serving.prints(/\/wrkbench\/\n[\s\S]*Press Ctrl-C/);
    const served = /http:\/\/127\.0\.0\.1:\d+\//.exec(serving.stdout)![0];
    const browser = await browserOf();
    try {
      const page = await browser.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(error.message));
      await page.goto(`${PAGE.replace(SITE_URL, served)}?view=trend`);
      await page.waitForSelector('.below summary');
      await page.locator('details').evaluateAll((all) => {
        for (const each of all as HTMLDetailsElement[]) each.open = true;
      });
      const commits = await page.locator('.below table tbody td:nth-child(2)').allTextContents();
      const pushed = host.git('log', '--first-parent', '--format=%H', 'main').split('\n').reverse();
      expect(new Set(commits)).toEqual(new Set(pushed.slice(0, 2).map((sha) => sha.slice(0, 7))));
      expect(complaints).toEqual([]);
    } finally {
      await browser.close();
      serving.process.kill('SIGINT');
      await serving.ended;
    }
  }, 60_000);
});

describe('a pull request from a fork', () => {
  it('goes by two workflows, of which the first may write nothing', async () => {
    // What is shown is who may write, and not how CPU is judged.
    gateBy(BY_BYTES);
    const changed = spec(USUAL_US, 13, { gate: BY_BYTES, headerBytes: 1000 });
    const { head, payload, variables } = pullRequest(13, changed, 'mallory');
    host.know(host.git('rev-parse', 'HEAD'));
    const measuring = host.begin({
      event: 'pull_request',
      path: '.github/workflows/measure.yml',
      head_sha: head.sha,
      head_branch: head.branch,
      head_repository: 'mallory/api',
    });
    const call = { event: 'pull_request', payload, workflow: 'measure.yml', job: 'measure', variables };
    const measured = await host.job({ ...call, token: 'ghs_measuring' });
    expect(log(measured)).toBe('');
    expect([statusOf(head.sha), comments(13)]).toEqual([undefined, []]);
    measuring.conclusion = 'success';
    host.git('checkout', '--quiet', 'main');
    const sha = host.git('rev-parse', 'main');
    host.begin({
      event: 'workflow_run',
      path: '.github/workflows/report.yml',
      head_sha: sha,
      head_branch: 'main',
      head_repository: 'acme/api',
    });
    const reported = await host.job({
      event: 'workflow_run',
      payload: { repository, workflow_run: { id: measuring.id, pull_requests: [] } },
      workflow: 'report.yml',
      job: 'report',
      token: 'ghs_reporting',
    });
    expect(reported.status).not.toBe(0);
    expect(statusOf(head.sha)).toBe('failure');
    expect(comments(13)[0]!.body).toMatch(/### 🔴 Regression/);
  }, 300_000);
});

describe('the API', () => {
  it('was asked for nothing that GitHub would refuse', () => {
    expect(host.api.diagnostics).toEqual([]);
  });
});
