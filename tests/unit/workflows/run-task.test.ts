import { describe, expect, it } from 'vitest';
import type { JobAnnotation } from '../../../src/app/ports/job.ts';
import { TemporaryFolderFailure } from '../../../src/app/ports/machine.ts';
import { ToolMissing } from '../../../src/app/ports/tools.ts';
import { type RunTaskAdapters, runTask, type TaskResult } from '../../../src/app/workflow/run-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { jobFacts } from '../../../src/core/action/job-facts.ts';
import { judged } from '../posting/made-up.ts';
import { checkoutOf, specText } from './checkout.ts';
import { recordingJob, type Told } from './recording-job.ts';

interface Step extends Partial<Omit<RunTaskAdapters, 'job' | 'files'>> {
  inputs?: Record<string, string>;
  /** Of the checkout: its specs. */
  files?: Record<string, string>;
  /** Of the job. */
  event?: unknown;
  recording?: ReturnType<typeof recordingJob>;
}

interface Done extends Told, TaskResult {
  /** Specs that were measured, in their order. */
  measured: string[];
  /** Why others were not, by their names. */
  kept: Record<string, string>;
}

/** A step of a workflow that has no token, where each spec comes to a run in which nothing changed. */
async function step({
  inputs = {},
  files = { 'wrkbench.yml': specText('rest-api') },
  event = {},
  recording: { job, told } = recordingJob(),
  ...adapters
}: Step = {}): Promise<Done> {
  const measured: string[] = [];
  const kept: Record<string, string> = {};
  const facts = jobFacts(
    {
      GITHUB_REPOSITORY: 'acme/api',
      GITHUB_RUN_ID: '7301',
      GITHUB_WORKFLOW_REF: 'acme/api/.github/workflows/benchmark.yml@refs/heads/main',
    },
    event,
  );
  const asked = { spec: Object.keys(files).join('\n'), ...inputs } as Record<string, string>;
  const result = await runTask(
    actionInputs((name) => asked[name] ?? ''),
    facts,
    {
      job,
      files: checkoutOf(files),
      tools: { bring: async () => undefined },
      async measure({ spec: { name } }) {
        measured.push(name);
        const { record, comparison } = judged({ rounds: 20 });
        return { record: { ...record, spec: { ...record.spec, name } }, comparison };
      },
      changedFiles: async () => null,
      folderOf: (name) => `/results/${name}`,
      keepFailure: async (name, why) => void Object.assign(kept, { [name]: why }),
      rawTexts: async () => [],
      reporting: async () => Promise.reject(new Error('It has no token.')),
      ...adapters,
    },
    new AbortController().signal,
  );
  return { ...told, ...result, measured, kept };
}

/** Where the only spec came to this. */
async function noted(made: Parameters<typeof judged>[0]): Promise<JobAnnotation[]> {
  return (await step({ measure: async () => judged(made) })).annotations;
}

describe('a job that measures', () => {
  it.each([
    ['invalid', { rounds: 20, cases: [{ invalid: { candidate: '3 % of requests failed' } }] }],
    ['not measured', { rounds: 1 }],
  ])('warns beside its workflow of what is %s', async (what, made) => {
    expect(await noted(made)).toEqual([
      expect.objectContaining({
        level: 'warning',
        title: `wrkbench/rest-api: ${what}`,
        file: '.github/workflows/benchmark.yml',
      }),
    ]);
  });

  it('warns of nothing where all was measured', async () => {
    expect(await noted({ rounds: 20 })).toEqual([]);
  });
});

const both = { wrk: { connections: [100], 'keep-alive': [true] }, k6: { connections: [50], 'keep-alive': [true] } };
const three = { 'a.yml': specText('a'), 'b.yml': specText('b', both), 'c.yml': specText('c') };
const withoutK6 = {
  async bring(names: readonly string[]) {
    if (names.includes('k6')) throw new ToolMissing('k6 is not here.\nIt cannot be downloaded.');
  },
};

describe('programs', () => {
  it('are brought once, for all specs that load with them', async () => {
    const brought: string[] = [];
    await step({ files: three, tools: { bring: async (names) => void brought.push(...names) } });
    expect(brought).toEqual(['wrk', 'k6']);
  });
});

describe('a spec that cannot be measured', () => {
  it('for want of a program costs those alone that load with it, and leaves why', async () => {
    const { measured, kept, errors, uploads, verdict, failed } = await step({ files: three, tools: withoutK6 });
    expect(measured).toEqual(['a', 'c']);
    expect(kept).toEqual({ b: 'k6 is not here.\nIt cannot be downloaded.' });
    expect(errors).toEqual(['b.yml: k6 is not here.\nIt cannot be downloaded.']);
    expect(uploads).toContainEqual(['wrkbench-b', '/results/b']);
    expect({ verdict, failed }).toEqual({ verdict: 'invalid', failed: true });
  });

  it('is measured all the same where none of its own cases load with the missing program', async () => {
    const only = await step({ files: three, tools: withoutK6, inputs: { only: '*/wrk/*' } });
    expect(only.measured).toEqual(['a', 'b', 'c']);
    const first = await step({ files: { 'b.yml': specText('b', both) }, tools: withoutK6, inputs: { shard: '1/2' } });
    expect([first.measured, first.kept]).toEqual([['b'], {}]);
  });

  it('for want of a folder for what is temporary costs no other', async () => {
    const { errors, kept } = await step({
      files: three,
      async measure({ spec: { name } }) {
        if (name === 'b') throw new TemporaryFolderFailure('EROFS', 'The folder /tmp is read-only.');
        return judged({ rounds: 20 });
      },
    });
    expect(errors).toEqual(['b.yml: The folder /tmp is read-only.']);
    expect(kept).toEqual({ b: 'The folder /tmp is read-only.' });
  });

  it('has a status that is waited for, also where the job ends while programs are brought', async () => {
    const recording = recordingJob();
    const bring = async () => Promise.reject(new Error('The job is cancelled.'));
    const ended = step({ recording, tools: { bring }, inputs: { token: 'ghs_onlyForThisTest' } });
    await expect(ended).rejects.toThrow('The job is cancelled.');
    expect(recording.told.remembered).toEqual({ awaited: '["rest-api"]' });
  });

  it('ends the job by what is no failure of a spec', async () => {
    const measure = async () => Promise.reject(new TypeError('x is undefined'));
    await expect(step({ measure })).rejects.toThrow(TypeError);
  });
});

describe('of several machines that share the cases', () => {
  const files = {
    'a.yml': specText('a', { wrk: { connections: [1, 2], 'keep-alive': [true] } }),
    'b.yml': 'name: b\nlod: {}\n',
  };
  const spec = 'a.yml\nb.yml\nc.yml';

  it('the first tells of mistakes, leaves why, and fails because of them', async () => {
    const first = await step({ files, inputs: { spec, shard: '1/2', fail: 'never' } });
    expect(first.diagnostics.map(({ file }) => file)).toContain('b.yml');
    expect(first.errors).toEqual(['The checkout has no file c.yml, or it is a link to elsewhere.']);
    expect(first.kept).toEqual({ b: expect.stringMatching(/^b\.yml:/) });
    expect(first.uploads.map(([name]) => name)).toEqual(['wrkbench-b', 'wrkbench-a+shard-1-of-2']);
    expect(first.summaries[0]).toContain('Not measured: b.yml:');
    expect([first.measured, first.verdict, first.failed]).toEqual([['a'], 'invalid', true]);
  });

  it('the others tell of none, and measure their part', async () => {
    const second = await step({ files, inputs: { spec, shard: '2/2' } });
    const { diagnostics, errors, kept, uploads, summaries } = second;
    expect({ diagnostics, errors, kept }).toEqual({ diagnostics: [], errors: [], kept: {} });
    expect(uploads.map(([name]) => name)).toEqual(['wrkbench-a+shard-2-of-2']);
    expect(summaries[0]).not.toContain('b.yml');
    expect([second.measured, second.verdict, second.failed]).toEqual([['a'], 'no-change', false]);
  });

  it('one that no case is left for passes', async () => {
    const third = await step({ files, inputs: { spec, shard: '3/3' } });
    expect(third.said).toEqual(['a has no case for shard 3 of 3.']);
    expect([third.measured, third.verdict, third.failed]).toEqual([[], 'same', false]);
  });
});

describe("a job for a fork's pull request", () => {
  const pullRequest = (from: string) => ({
    repository: { full_name: 'acme/api' },
    pull_request: {
      number: 7,
      head: { sha: 'a'.repeat(40), ref: 'main', repo: { full_name: from } },
      base: { sha: 'b'.repeat(40), ref: 'main' },
    },
  });
  const files = {
    'open.yml': specText('open'),
    'secret.yml': specText('secret').replace('port: 8080', 'port: 8080\n    env: {KEY: "${env.API_KEY}"}'),
  };

  it('starts nothing of a spec that names a secret, says so in a sentence, and measures the others', async () => {
    const { measured, kept, errors, verdict } = await step({ files, event: pullRequest('somebody/api') });
    expect(measured).toEqual(['open']);
    expect(kept.secret).toMatch(
      /^This pull request comes from a fork, whose run gets no secret, .*`\$\{env\.API_KEY\}`/,
    );
    expect([errors, verdict]).toEqual([[`secret.yml: ${kept.secret}`], 'invalid']);
  });

  it('is as any other where its branch is one of the repository', async () => {
    const { measured, kept } = await step({ files, event: pullRequest('acme/api') });
    expect([measured, kept]).toEqual([['open', 'secret'], {}]);
  });
});
