// needs: nothing
import { describe, expect, it } from 'vitest';
import { runTask } from '../../../src/app/workflow/run-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { checkoutOf } from '../../unit/workflows/checkout.ts';
import { recordingJob } from '../../unit/workflows/recording-job.ts';
import { onBranch, SPEC, TOKEN, world } from './given.ts';
import { factsWithin } from './task.ts';

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
