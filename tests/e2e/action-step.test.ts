// needs: engine, wrk, linux, node24
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ACTION_NODE } from '../support/brought-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { branchedRepository } from './support/branched-repository.ts';
import { recordIn } from './support/command.ts';
import { hostedForge } from './support/hosted-forge.ts';
import { job } from './support/job.ts';
import { leftovers } from './support/leftovers.ts';
import { push, quiet, readsOthers, secret, spec, stepWith, WORKFLOW } from './support/measuring-step.ts';

describe('a step that measures', () => {
  it('leaves the run, the outputs and a summary, and passes', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec() });
    const own = job(folder, push, { GITHUB_EVENT_NAME: 'push' });
    const { status, log } = await own.step('action', { ...quiet, baseline: 'none' }).ended;
    expect({ status, log }).toMatchObject({ status: 0 });
    const out = path.join(folder, 'wrkbench-results', 'http');
    expect(own.outputs()).toEqual({
      verdict: 'first-measurement',
      record: path.join(out, 'run.json'),
      comparison: '',
      report: path.join(out, 'report.html'),
      'comment-url': '',
      'page-url': '',
    });
    expect(own.summary()).toContain('⚪ First measurement');
    expect(log).toContain('::group::');
    expect(leftovers(recordIn(out).id, folder)).toEqual([]);
  });

  it('tells of it, keeps it and uploads it in the same job', async () => {
    const folder = branchedRepository({ 'wrkbench.yml': spec() }, { 'wrkbench.yml': `${spec()}\n` });
    const sha = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
    const host = await hostedForge();
    onTestFinished(() => host.close());
    host.begin({ event: 'push', path: WORKFLOW, head_sha: sha, head_branch: 'main', head_repository: 'acme/api' });
    host.forge.commits.set(sha, { parents: [], message: 'First' });
    host.forge.files.set(sha, { 'wrkbench.yml': spec() });
    const facts = { GITHUB_EVENT_NAME: 'push', GITHUB_SHA: sha, GITHUB_REF: 'refs/heads/main' };
    const own = job(folder, { ...push, ref: 'refs/heads/main', after: sha }, { ...facts, ...host.variables() });
    const { status, log } = await own.step('action', { token: 'ghs_reporting', baseline: 'none' }).ended;
    expect({ status, log }).toMatchObject({ status: 0 });
    const { id } = recordIn(path.join(folder, 'wrkbench-results', 'http'));
    const place = `wrkbench/http/runs/${id.slice(0, 4)}-${id.slice(4, 6)}/${id}.run-7301.${sha}`;
    // With what its generators wrote.
    expect(host.kept()).toEqual([`${place}.json`, `${place}.raw.json`]);
    expect(host.forge.statuses.map(({ context, state }) => [context, state])).toEqual([['wrkbench/http', 'success']]);
    expect(host.forge.artifacts.map(({ name }) => name)).toEqual(['wrkbench-http']);
    // Of what was told and kept; how busy the machine is, it says as well.
    const warnings = (log.match(/::warning.*/g) ?? []).filter(
      (line) => !/Other processes use|hypervisor takes/.test(line),
    );
    expect(warnings).toEqual([]);
    expect(host.api.diagnostics).toEqual([]);
  });

  it('sets the status of a pull request that changes nothing of what matters, since it may be required', async () => {
    const folder = branchedRepository({ 'wrkbench.yml': spec() }, { 'README.md': 'words' });
    const sha = (name: string) => execFileSync('git', ['rev-parse', name], { cwd: folder, encoding: 'utf8' }).trim();
    const [headSha, baseSha] = [sha('HEAD'), sha('main')];
    const host = await hostedForge();
    onTestFinished(() => host.close());
    host.begin({
      event: 'pull_request',
      path: WORKFLOW,
      head_sha: headSha,
      head_branch: 'change',
      head_repository: 'acme/api',
    });
    host.forge.files.set(baseSha, { 'wrkbench.yml': spec(), [WORKFLOW]: 'jobs: {}' });
    const repository = { full_name: 'acme/api', default_branch: 'main' };
    const base = { sha: baseSha, ref: 'main' };
    host.forge.pulls.push({
      ...{ number: 12, state: 'open', labels: [], files: ['README.md'], messages: ['Words'], base },
      head: { sha: headSha, ref: 'change', owner: 'acme', repository: 'acme/api' },
    });
    const head = { sha: headSha, ref: 'change', user: { login: 'acme' }, repo: { full_name: 'acme/api' } };
    const event = { repository, pull_request: { number: 12, head, base: { ...base, repo: repository } } };
    const facts = { GITHUB_EVENT_NAME: 'pull_request', GITHUB_SHA: headSha, GITHUB_REF: 'refs/pull/12/head' };
    const own = job(folder, event, { ...facts, GITHUB_BASE_REF: 'main', ...host.variables() });
    const { status, log } = await own.step('action', { token: 'ghs_reporting', paths: '**/*.go' }).ended;
    expect({ status, log }).toMatchObject({ status: 0 });
    expect(host.forge.statuses.map(({ context, state, description }) => [context, state, description])).toEqual([
      ['wrkbench/http', 'success', 'Not measured: no relevant files changed. (base: main)'],
    ]);
  });

  it('answers a wrong input with a sentence', async () => {
    const own = job(specFolder({ 'wrkbench.yml': spec() }), push);
    const { status, log } = await own.step('action', { ...quiet, comment: 'sometimes' }).ended;
    expect(status).toBe(1);
    expect(log).toContain(
      '::error::The input comment is `sometimes`: expected one of always, change, regression, never.',
    );
  });

  it('gives no token to what it starts, and shows none', async () => {
    const { folder, log, seen } = await stepWith(`writeFileSync('seen.json', JSON.stringify(process.env));`);
    expect(seen).toContain('"PATH"');
    expect(seen).not.toContain(secret);
    expect(log.replace(`::add-mask::${secret}`, '')).not.toContain(secret);
    for (const file of ['run.json', 'report.html', 'report.md', 'journal.jsonl']) {
      expect(readFileSync(path.join(folder, 'wrkbench-results', 'http', file), 'utf8')).not.toContain(secret);
    }
  });

  it('has no token where a service of the same user could read it, on the Node.js of actions', async () => {
    const { seen, log } = await stepWith(readsOthers, ACTION_NODE);
    expect(JSON.parse(seen)).toHaveLength(1);
    expect(seen).toContain('PATH=');
    expect(seen).not.toContain(secret);
    expect(log).not.toContain("The job's token can be read");
  });

  it.each(['pull_request_target', 'workflow_run'])(
    'measures nothing under %s, which has rights of its own',
    async (event) => {
      const folder = specFolder({ 'wrkbench.yml': spec() });
      const { status, log } = await job(folder, push, { GITHUB_EVENT_NAME: event }).step('action', quiet).ended;
      expect(status).toBe(1);
      expect(log).toContain(
        `::error::task: run does not measure under ${event}: it would start what a pull request brings`,
      );
    },
  );
});
