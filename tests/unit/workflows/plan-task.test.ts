import { describe, expect, it } from 'vitest';
import { planTask } from '../../../src/app/workflow/plan-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { jobFacts } from '../../../src/core/action/job-facts.ts';
import { checkoutOf, specText } from './checkout.ts';
import { recordingJob } from './recording-job.ts';

/** The plan of these files for four machines at most. */
async function planned(files: Record<string, string>) {
  const { job, told } = recordingJob();
  const kept: Record<string, string> = {};
  const asked: Record<string, string> = { spec: '*.yml', shards: '4' };
  const result = await planTask(
    actionInputs((name) => asked[name] ?? ''),
    jobFacts({}, {}),
    {
      job,
      files: checkoutOf(files),
      folderOf: (name) => `/results/${name}`,
      keepFailure: async (name, why) => void Object.assign(kept, { [name]: why }),
    },
  );
  return { ...told, ...result, kept };
}

const wrong = 'name: b\nservices: {}\nlod: {}\n';

describe('the plan for several machines', () => {
  it('is as many as the spec with the most cases has use for', async () => {
    const many = specText('many', { wrk: { connections: [1, 2, 3], 'keep-alive': [true] } });
    const { outputs, failed } = await planned({ 'a.yml': specText('a'), 'many.yml': many });
    expect(JSON.parse(outputs.matrix!)).toEqual({ shard: ['1/4', '2/4', '3/4'] });
    expect(failed).toBe(false);
  });

  it('goes on without a spec that has mistakes, of which the first machine tells', async () => {
    const { outputs, failed, diagnostics, errors, uploads } = await planned({ 'a.yml': specText('a'), 'b.yml': wrong });
    expect(JSON.parse(outputs.matrix!)).toEqual({ shard: ['1/4'] });
    expect({ failed, diagnostics, errors, uploads }).toEqual({
      failed: false,
      diagnostics: [],
      errors: [],
      uploads: [],
    });
  });

  it('fails where mistakes leave no spec, and tells of them and leaves why: no machine will', async () => {
    const { outputs, failed, diagnostics, kept, uploads } = await planned({ 'b.yml': wrong });
    expect({ failed, outputs }).toEqual({ failed: true, outputs: {} });
    expect(diagnostics.map(({ message }) => message)).toContainEqual(expect.stringMatching(/^unknown key `lod`/));
    expect(kept).toEqual({ b: expect.stringMatching(/^b\.yml:\d+:\d+: /) });
    expect(uploads).toEqual([['wrkbench-b', '/results/b']]);
  });
});
