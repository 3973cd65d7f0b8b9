// needs: nothing
import { describe, expect, it } from 'vitest';
import { runTask } from '../../../src/app/workflow/run-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { checkoutOf } from '../../unit/workflows/checkout.ts';
import { recordingJob } from '../../unit/workflows/recording-job.ts';
import { ALWAYS, BASE, HEAD, MERGE, onBranch, recordFor, SPEC, TOKEN, type World, world } from './given.ts';
import { factsWithin } from './task.ts';

const JUDGED = {
  sha: HEAD,
  context: 'wrkbench/rest-api',
  state: 'success',
  description: 'First measurement (base: lax)',
  target_url: 'https://github.com/acme/api/actions/runs/7200',
};

/** A step that measures pull request 12, which has passed into `lax`, and is into main by now; `seen`: its status while it measures. */
async function measuredAgain(inputs: Record<string, string> = {}, faults: World['api']['faults'] = []) {
  const given = await world();
  given.api.faults.push(...faults);
  const { forge } = given;
  forge.statuses.push(JUDGED);
  const seen: unknown[] = [];
  const event = {
    pull_request: {
      number: 12,
      head: { sha: HEAD, ref: 'main', user: { login: 'mallory' }, repo: { full_name: 'mallory/api' } },
      base: { sha: BASE, ref: 'main' },
    },
  };
  await runTask(
    actionInputs((name) => ({ token: TOKEN, upload: 'false', publish: 'false', ...inputs })[name] ?? ''),
    { ...factsWithin(given, event), sha: MERGE },
    {
      job: recordingJob().job,
      files: checkoutOf({ 'wrkbench.yml': SPEC }),
      tools: { bring: async () => undefined },
      async measure() {
        const { state, description } = forge.statuses.at(-1)!;
        seen.push({ state, description });
        const record = recordFor({ rounds: 20 });
        return { record, comparison: comparisonOf(record) };
      },
      changedFiles: async () => null,
      folderOf: (name) => `/results/${name}`,
      keepFailure: async () => undefined,
      rawTexts: async () => [],
      reporting: async () => ({ adapters: given.adapters(), close: async () => undefined }),
    },
    new AbortController().signal,
  );
  return { seen, given };
}

describe('a step for a pull request that was moved to another base after it had passed', () => {
  it('takes the success back before it measures, and judges it by the new one', async () => {
    const { seen, given } = await measuredAgain();
    expect(seen).toEqual([
      { state: 'error', description: 'It was judged for lax. It is being measured again (base: main)' },
    ]);
    expect(given.forge.statuses.at(-1)).toMatchObject({
      state: 'success',
      description: expect.stringMatching(/^No change .*\(base: main\)$/),
    });
    expect(given.warnings).toEqual([]);
  });

  it('says once, in the end, that the statuses before it cannot be read', async () => {
    const unread = { operation: 'repos/list-commit-statuses-for-ref', times: ALWAYS, kind: 500 } as const;
    const { seen, given } = await measuredAgain({}, [unread]);
    expect(seen).toEqual([{ state: 'success', description: JUDGED.description }]);
    expect(given.warnings.filter((text) => text.startsWith('Whether a status of'))).toHaveLength(1);
  });

  it('touches no status where it is to set none, or may write none', async () => {
    const left = [{ state: 'success', description: JUDGED.description }];
    expect((await measuredAgain({ status: 'false' })).seen).toEqual(left);
    expect((await measuredAgain({ token: '' })).seen).toEqual(left);
  });
});

describe('a step in a merge queue', () => {
  it('measures nothing, says why, and passes', async () => {
    const given = await world();
    onBranch(given, { event: 'merge_group', branch: 'gh-readonly-queue/main/pr-12' });
    const { job, told } = recordingJob();
    const result = await runTask(
      actionInputs((name) => (name === 'token' ? TOKEN : '')),
      factsWithin(given),
      {
        job,
        files: checkoutOf({ 'wrkbench.yml': SPEC }),
        tools: { bring: async () => Promise.reject(new Error('It needs no program.')) },
        measure: async () => Promise.reject(new Error('It measures nothing.')),
        changedFiles: async () => null,
        folderOf: (name) => `/results/${name}`,
        keepFailure: async () => undefined,
        rawTexts: async () => [],
        reporting: async () => ({ adapters: given.adapters(), close: async () => undefined }),
      },
      new AbortController().signal,
    );
    expect(result).toEqual({ verdict: 'same', failed: false });
    expect(told).toMatchObject({
      outputs: { verdict: 'same', record: '' },
      said: ['Not measured: a merge queue holds what was measured in its pull requests.'],
      errors: [],
      uploads: [],
    });
    expect(given.forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api', state: 'success' }]);
  });
});
