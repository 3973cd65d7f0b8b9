// needs: engine, wrk, k6, postgres, linux
import type { ChildProcess } from 'node:child_process';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { IMAGES } from '../support/images.ts';
import { REST_NODE_SQL } from '../support/server-programs.ts';
import { branchedRepository } from './support/branched-repository.ts';
import { hostedForge } from './support/hosted-forge.ts';
import { ACTION_NODE, job } from './support/job.ts';
import { portReuse, portReuseBefore } from './support/kernel-settings.ts';
import { killTree } from './support/kill-tree.ts';
import { abandonedFolders, leftovers, worktreesOf } from './support/leftovers.ts';
import { loaded } from './support/loaded.ts';

const sql = Object.fromEntries(REST_NODE_SQL.map((file) => [path.basename(file), readFileSync(file, 'utf8')]));
const spec = (revision: number) => `
name: cancelled
services:
  node:
    image: "${IMAGES.restNode}"
    port: 8080
    env: {DATABASE_URL: "\${database.url}", REVISION: "${revision}"}
    ready: {path: /ping}
database: {image: "${IMAGES.postgres}", init: [${Object.keys(sql).join(', ')}]}
endpoints: {ping: {path: /ping}}
load: {wrk: {threads: 1, connections: [100], keep-alive: [on], duration: 30s}}
gate: {baseline: "commit:main", budget: 300s}
`;
const changed = (written = spec) =>
  branchedRepository({ 'wrkbench.yml': written(1), ...sql }, { 'wrkbench.yml': written(2) });

/** GitHub's order: https://docs.github.com/actions/reference/workflow-cancellation-reference */
describe('a job that is cancelled', () => {
  it.each([
    ['while its first side is started', async () => undefined],
    ['under load', loaded],
  ])('%s leaves nothing', async (_, then) => {
    const folder = changed();
    const own = job(
      folder,
      { repository: { full_name: 'acme/api', default_branch: 'main' } },
      { GITHUB_EVENT_NAME: 'push' },
    );
    const inputs = { comment: 'never', status: 'false', publish: 'false', upload: 'false' };
    const step = own.step('action', inputs);
    await step.logs(/The baseline is/);
    await then(step.process);
    const ended = { done: false };
    void step.ended.then(() => {
      ended.done = true;
    });
    step.process.kill('SIGINT');
    for (const [signal, after] of [
      ['SIGTERM', 7_500],
      ['SIGKILL', 2_500],
    ] as const) {
      const until = performance.now() + after;
      while (!ended.done && performance.now() < until) await sleep(50);
      if (!ended.done) step.process.kill(signal);
    }
    await step.ended;
    const { status, log } = await own.step('post', inputs).ended;
    expect({ status, log }).toMatchObject({ status: 0 });
    const results = path.join(folder, 'wrkbench-results', 'cancelled');
    const header = JSON.parse(readFileSync(path.join(results, 'journal.jsonl'), 'utf8').split('\n', 1)[0]!) as {
      id: string;
    };
    expect(leftovers(header.id, folder)).toEqual([]);
    expect(readdirSync(results)).toContain('journal.jsonl');
  });

  it('has its statuses set after the job, since they may be required', async () => {
    const folder = changed();
    const host = await hostedForge();
    onTestFinished(() => host.close());
    const sha = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: folder, encoding: 'utf8' }).trim();
    const event = { repository: { full_name: 'acme/api', default_branch: 'main' } };
    const own = job(folder, event, {
      ...{ GITHUB_EVENT_NAME: 'push', GITHUB_SHA: sha, GITHUB_REF: 'refs/heads/main' },
      ...host.variables(),
    });
    const inputs = { token: 'ghs_reporting', comment: 'never', publish: 'false', upload: 'false' };
    const step = own.step('action', inputs);
    await step.logs(/The baseline is/);
    step.process.kill('SIGTERM');
    expect((await step.ended).status).toBe(1);
    expect(host.forge.statuses).toEqual([]);
    const { status, log } = await own.step('post', inputs, ACTION_NODE).ended;
    expect({ status, log }).toMatchObject({ status: 0 });
    expect(host.forge.statuses).toMatchObject([
      {
        sha,
        context: 'wrkbench/cancelled',
        state: 'error',
        description: 'Not measured: its job was cancelled, or ran out of time',
      },
    ]);
  });

  it.each(['SIGTERM', 'SIGHUP'] as const)('by %s takes down itself what it has started', async (signal) => {
    const folder = changed();
    const own = job(folder, {}, { GITHUB_EVENT_NAME: 'push' });
    const step = own.step('action', { comment: 'never', status: 'false', publish: 'false', upload: 'false' });
    await loaded(step.process);
    step.process.kill(signal);
    const { status, log } = await step.ended;
    expect({ status, log }).toMatchObject({ status: 1, log: expect.stringContaining(`${signal}: taking down`) });
    const results = path.join(folder, 'wrkbench-results', 'cancelled');
    const [header] = readFileSync(path.join(results, 'journal.jsonl'), 'utf8').split('\n', 1);
    expect(leftovers((JSON.parse(header!) as { id: string }).id, folder)).toEqual([]);
  });

  it.each([
    ['at once', (step: ChildProcess) => step.kill('SIGKILL'), []],
    ['with all that it has started', (step: ChildProcess) => killTree(step.pid!), ['worktree', 'load']],
  ] as const)('by SIGKILL %s leaves nothing after the post step', async (_, kill, folders) => {
    // Without keep-alive the kernel's ports are set for the run as well.
    const folder = changed((revision) => spec(revision).replace('[on]', '[off]'));
    const own = job(folder, {}, { GITHUB_EVENT_NAME: 'push' });
    const step = own.step('action', { comment: 'never', status: 'false', publish: 'false', upload: 'false' });
    await loaded(step.process);
    kill(step.process);
    const { log } = await step.ended;
    expect(portReuse()).toBe('1');
    expect(worktreesOf(folder)).toHaveLength(1);
    const left = abandonedFolders().join();
    for (const kind of folders) expect(left).toContain(`/wrkbench-${kind}-`);
    const results = path.join(folder, 'wrkbench-results', 'cancelled');
    const header = JSON.parse(readFileSync(path.join(results, 'journal.jsonl'), 'utf8').split('\n', 1)[0]!) as {
      id: string;
    };
    const { status } = await own.step('post').ended;
    expect(status).toBe(0);
    expect(leftovers(header.id, folder)).toEqual([]);
    expect(portReuse()).toBe(portReuseBefore(log));
  });
});
