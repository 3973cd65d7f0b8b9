// needs: engine, wrk, linux
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { githubApi } from '../support/github-api/server.ts';
import { emptyForge } from '../support/github-api/state.ts';
import { IMAGES } from '../support/images.ts';
import { specFolder } from '../support/spec-folder.ts';
import { branchedRepository } from './support/branched-repository.ts';
import { recordIn } from './support/command.ts';
import { hostedForge } from './support/hosted-forge.ts';
import { ACTION_NODE, job } from './support/job.ts';
import { leftovers } from './support/leftovers.ts';

const spec = (name = 'http', more = '') => `
name: ${name}
services:
  go: {image: "${IMAGES.misbehaving}", port: 8080, ready: {path: /ping}${more}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, budget: 60s}
`;
const quiet = { comment: 'never', status: 'false', publish: 'false', upload: 'false' };
const WORKFLOW = '.github/workflows/benchmark.yml';
const push = { repository: { full_name: 'acme/api', default_branch: 'main' } };

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

  it('fails on a limit, and says which in the summary, though nobody else can be told', async () => {
    const refusing = await githubApi(emptyForge('acme/api'), { tokens: {} });
    onTestFinished(() => refusing.close());
    const folder = specFolder({ 'wrkbench.yml': spec().replace('memory-peak: off', 'memory-peak: {max: 1m}') });
    const own = job(folder, push, { GITHUB_EVENT_NAME: 'push', GITHUB_API_URL: refusing.url });
    const inputs = { token: 'ghs_unknown', upload: 'false', baseline: 'none' };
    const { status, log } = await own.step('action', inputs).ended;
    expect(status).toBe(1);
    expect(log).toContain('::warning::');
    expect(own.outputs().verdict).toBe('regression');
    expect(own.summary()).toMatch(/🔴 1 limit broken: /);
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

  it('shows mistakes of specs at their lines, and measures the others', async () => {
    const folder = specFolder({
      'a/wrkbench.yml': 'name: a\nservices: {}\nendpoints: {}\nlod: {}\n',
      'b/wrkbench.yml': spec('b'),
    });
    const own = job(folder, push, { GITHUB_EVENT_NAME: 'push' });
    const { status, log } = await own.step('action', { ...quiet, spec: '*/wrkbench.yml', baseline: 'none' }).ended;
    expect(status).toBe(1);
    expect(log).toMatch(/::error title=wrkbench,file=a\/wrkbench\.yml,line=4,/);
    const kept = readFileSync(path.join(folder, 'wrkbench-results', 'a', 'failure.txt'), 'utf8');
    expect(kept).toMatch(/^a\/wrkbench\.yml:\d+:\d+: .* \(and \d mistakes? more\)\n$/);
    expect(own.summary()).toContain('## ❌ Not measured: a/wrkbench.yml:');
    expect(own.outputs().record).toBe(path.join(folder, 'wrkbench-results', 'b', 'run.json'));
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
      ['wrkbench/http', 'success', 'Not measured: no relevant files changed.'],
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

  const secret = 'ghs_wrkbenchTestSecret0123456789';

  /** A step that starts a server of this source as a process, with tokens in its environment. */
  async function stepWith(source: string, node?: string) {
    const folder = specFolder({
      'wrkbench.yml': spec().replace(
        /services:[\s\S]*?endpoints/,
        'services:\n  go: {command: [node, seen.mjs], port: 8097, ready: {path: /ping}}\nendpoints',
      ),
      'seen.mjs': `import { createServer } from 'node:http';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
createServer((_, response) => response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true }))).listen(8097);
${source}`,
    });
    const own = job(folder, push, {
      GITHUB_EVENT_NAME: 'push',
      ACTIONS_RUNTIME_TOKEN: secret,
      NODE_AUTH_TOKEN: secret,
      GITHUB_TOKEN: secret,
      GITHUB_API_URL: 'http://127.0.0.1:9',
    });
    const inputs = { ...quiet, token: secret, baseline: 'none', runtime: 'process' };
    const { status, log } = await own.step('action', inputs, node).ended;
    expect({ status, log }).toMatchObject({ status: 0 });
    return { folder, log, seen: readFileSync(path.join(folder, 'seen.json'), 'utf8') };
  }

  it('gives no token to what it starts, and shows none', async () => {
    const { folder, log, seen } = await stepWith(`writeFileSync('seen.json', JSON.stringify(process.env));`);
    expect(seen).toContain('"PATH"');
    expect(seen).not.toContain(secret);
    expect(log.replace(`::add-mask::${secret}`, '')).not.toContain(secret);
    for (const file of ['run.json', 'report.html', 'report.md', 'journal.jsonl']) {
      expect(readFileSync(path.join(folder, 'wrkbench-results', 'http', file), 'utf8')).not.toContain(secret);
    }
  });

  const readsOthers = `
const read = (file) => { try { return readFileSync(file, 'utf8'); } catch { return ''; } };
const pids = readdirSync('/proc').filter((name) => /^\\d+$/.test(name));
const all = pids.map((pid) => ({ command: read('/proc/' + pid + '/cmdline'), variables: read('/proc/' + pid + '/environ') }));
writeFileSync('seen.json', JSON.stringify(all.filter(({ command }) => command.includes('action.cjs'))));`;

  it('has no token where a service of the same user could read it, on the Node.js of actions', async () => {
    const { seen, log } = await stepWith(readsOthers, ACTION_NODE);
    expect(JSON.parse(seen)).toHaveLength(1);
    expect(seen).toContain('PATH=');
    expect(seen).not.toContain(secret);
    expect(log).not.toContain("The job's token can be read");
  });

  it('says where it cannot keep it from being read, on an older one', async () => {
    const { log } = await stepWith(readsOthers);
    expect(log).toContain("::warning::The job's token can be read by the services of this run, since Node.js v20");
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
