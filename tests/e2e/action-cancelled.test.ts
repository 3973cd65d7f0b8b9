// needs: engine, wrk, k6, postgres, linux, node24
import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ACTION_NODE } from '../support/brought-programs.ts';
import { changed, expectCancelledToLeaveNothing } from './support/cancelled-job.ts';
import { hostedForge } from './support/hosted-forge.ts';
import { job } from './support/job.ts';

/** What is quickly shown of a job that is cancelled: tests/full has those that are under load. */

describe('a job that is cancelled', () => {
  it('while its first side is started leaves nothing', () => expectCancelledToLeaveNothing(async () => undefined));

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
});
