// needs: engine, wrk, k6, linux, act, chromium
// seconds: 76
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { browserOf } from '../e2e/support/browser.ts';
import { start } from '../e2e/support/command.ts';
import { SITE_URL } from '../e2e/support/hosted-forge.ts';
import {
  BY_BYTES,
  BY_CPU,
  expectFirstPushToBeKept,
  type LivingRepository,
  livingRepository,
  log,
  repository,
  SLOW_US,
  spec,
  USUAL_US,
} from '../e2e/support/living-repository.ts';

/** A repository's life: pushes and pull requests, each job one call of act, in the order that a reader would see. */

const PAGE = `${SITE_URL}wrkbench/api/`;

let living: LivingRepository;
let { host, gated, gateBy, pullRequest, statusOf, comments } = {} as LivingRepository;
beforeAll(async () => {
  living = await livingRepository();
  ({ host, gated, gateBy, pullRequest, statusOf, comments } = living);
});
afterAll(() => host.close());

describe('a repository without forks', () => {
  it('stores its first push as a baseline', () => expectFirstPushToBeKept(living), 300_000);

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

describe('the API', () => {
  it('was asked for nothing that GitHub would refuse', () => {
    expect(host.api.diagnostics).toEqual([]);
  });
});
