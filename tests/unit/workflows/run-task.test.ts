import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import type { Job, JobAnnotation } from '../../../src/app/ports/job.ts';
import { type RunTaskAdapters, runTask } from '../../../src/app/workflow/run-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { jobFacts } from '../../../src/core/action/job-facts.ts';
import { judged } from '../posting/made-up.ts';

const SPEC = stringify({
  name: 'rest-api',
  services: { go: { image: 'bench/go:1', port: 8080, ready: { path: '/ping' } } },
  endpoints: { ping: { path: '/ping' } },
  load: { wrk: { threads: 4, connections: [100], 'keep-alive': [true], duration: '10s' } },
});

/** A job of a workflow that has no token, in which the only spec came to this. */
async function noted(made: Parameters<typeof judged>[0]): Promise<JobAnnotation[]> {
  const found: JobAnnotation[] = [];
  const ignored = () => undefined;
  const job = {
    output: ignored,
    summary: async () => undefined,
    diagnostic: ignored,
    error: ignored,
    say: ignored,
    remember: ignored,
    group: (_: string, inside: () => Promise<unknown>) => inside(),
    upload: async () => null,
    annotate: (annotation: JobAnnotation) => found.push(annotation),
  } as unknown as Job;
  const { record, comparison } = judged(made);
  const adapters: RunTaskAdapters = {
    job,
    files: { list: async () => [], text: async () => SPEC, kind: async () => 'file', staysInside: async () => true },
    tools: async () => undefined,
    measure: async () => ({ record, comparison }),
    changedFiles: async () => null,
    folderOf: (name) => `/results/${name}`,
    keepFailure: async () => undefined,
    rawTexts: async () => [],
    reporting: async () => Promise.reject(new Error('It has no token.')),
  };
  const facts = jobFacts(
    {
      GITHUB_REPOSITORY: 'acme/api',
      GITHUB_RUN_ID: '7301',
      GITHUB_WORKFLOW_REF: 'acme/api/.github/workflows/benchmark.yml@refs/heads/main',
    },
    {},
  );
  await runTask(
    actionInputs(() => ''),
    facts,
    adapters,
    new AbortController().signal,
  );
  return found;
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
