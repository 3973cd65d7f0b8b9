import type { ChildProcess } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { IMAGES } from '../../support/images.ts';
import { REST_NODE_SQL_FILES } from '../../support/server-programs.ts';
import { branchedRepository } from './branched-repository.ts';
import { job } from './job.ts';
import { leftovers } from './leftovers.ts';

export const spec = (revision: number) => `
name: cancelled
services:
  node:
    image: "${IMAGES.restNode}"
    port: 8080
    env: {DATABASE_URL: "\${database.url}", REVISION: "${revision}"}
    ready: {path: /ping}
database: {image: "${IMAGES.postgres}", init: [${Object.keys(REST_NODE_SQL_FILES).join(', ')}]}
endpoints: {ping: {path: /ping}}
load: {wrk: {threads: 1, connections: [100], keep-alive: [on], duration: 30s}}
gate: {baseline: "commit:main", budget: 300s}
`;
/** A repository whose branch changes what is measured, so that both sides are. */
export const changed = (written = spec) =>
  branchedRepository({ 'wrkbench.yml': written(1), ...REST_NODE_SQL_FILES }, { 'wrkbench.yml': written(2) });

/** GitHub's order: https://docs.github.com/actions/reference/workflow-cancellation-reference */
export async function expectCancelledToLeaveNothing(then: (step: ChildProcess) => Promise<unknown>): Promise<void> {
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
}
