// needs: engine, wrk, k6, postgres, linux
// seconds: 43
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { changed, expectCancelledToLeaveNothing, spec } from '../e2e/support/cancelled-job.ts';
import { job } from '../e2e/support/job.ts';
import { portReuse, portReuseBefore } from '../e2e/support/kernel-settings.ts';
import { killTree } from '../e2e/support/kill-tree.ts';
import { abandonedFolders, leftovers, worktreesOf } from '../e2e/support/leftovers.ts';
import { loaded } from '../e2e/support/loaded.ts';

describe('a job that is cancelled', () => {
  it('under load leaves nothing', () => expectCancelledToLeaveNothing(loaded));

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
