import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { evaluated } from './expression.ts';
import { all, calleeOf, type Job, jobsOf, OWN_ACTION, stepsOf, workflows } from './given.ts';

describe.each(all)('%s', (_, workflow) => {
  it('gives what it calls only inputs that are there', () => {
    for (const [, job] of jobsOf(workflow)) {
      const callee = calleeOf(job);
      if (callee === null) continue;
      const known = Object.keys(callee[1].on.workflow_call?.inputs ?? {});
      expect(known).toEqual(expect.arrayContaining(Object.keys(job.with ?? {})));
    }
  });

  it('gives the action only inputs that are there', () => {
    const action = parse(readFileSync('action.yml', 'utf8')) as { inputs: Record<string, unknown> };
    const steps = stepsOf(workflow).filter(({ uses }) => uses === OWN_ACTION);
    for (const { with: given } of steps) {
      expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given ?? {})));
    }
  });
});

describe('the verdict of what measured', () => {
  const { on, jobs } = workflows.get('.github/workflows/benchmark.yml')!;
  /** As the jobs of a run put it out. A job that was skipped puts out nothing. */
  const verdict = (shard: string, step: string, merged?: string) => {
    const of = (job: string, contexts: object) => ({
      outputs: { verdict: evaluated(jobs[job]!.outputs!.verdict, { ...contexts }) },
    });
    const measure = of('measure', { matrix: { shard }, steps: { measure: { outputs: { verdict: step } } } });
    const merge = merged === undefined ? {} : of('merge', { steps: { merge: { outputs: { verdict: merged } } } });
    return evaluated(on.workflow_call!.outputs!.verdict!.value, { jobs: { measure, merge } });
  };

  it('is that of the one machine', () => {
    expect(verdict('', 'no-change')).toBe('no-change');
  });

  it('is that of the whole where machines have shared the cases', () => {
    expect(verdict('2/4', 'no-change', 'regression')).toBe('regression');
  });

  it('is none where merging failed: that of a shard is not that of the whole', () => {
    expect(verdict('2/4', 'no-change', '')).toBe('');
  });
});

describe('what the reporting workflow offers', () => {
  const report = workflows.get('.github/workflows/report.yml')!;
  const { inputs, outputs } = report.on.workflow_call!;

  it('is all that the action takes for telling, but what is its own or wants another right', () => {
    const action = parse(readFileSync('action.yml', 'utf8')) as { inputs: Record<string, unknown> };
    const measuring = ['runtime', 'seed', 'accept', 'out', 'upload', 'shards', 'shard', 'secrets', 'registries'];
    const own = ['task', 'run', 'token', 'status', 'check'];
    const told = Object.keys(action.inputs).filter((name) => ![...measuring, ...own].includes(name));
    expect(Object.keys(inputs ?? {}).sort()).toEqual(told.sort());
  });

  it.each(jobsOf(report))('reaches the action in the job %s, and comes back from it', (jobName, job) => {
    const [step] = job.steps as [NonNullable<Job['steps']>[0]];
    const handed = Object.entries(step.with ?? {}).filter(([name]) => name !== 'task');
    const kept = (name: string) => (jobName === 'report' && name === 'publish' ? false : `\${{ inputs.${name} }}`);
    expect(handed.sort()).toEqual(
      Object.keys(inputs ?? {})
        .map((name) => [name, kept(name)])
        .sort(),
    );
    for (const name of ['verdict', 'comment-url', 'page-url']) {
      expect(outputs?.[name]?.value).toBe(`\${{ jobs.report.outputs.${name} || jobs.publish.outputs.${name} }}`);
      expect(job.outputs?.[name]).toBe(`\${{ steps.${jobName}.outputs.${name} }}`);
    }
  });
});
