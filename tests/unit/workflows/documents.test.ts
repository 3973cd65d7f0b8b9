import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { calleeOf, type Job, jobsOf, type Workflow, workflows } from './given.ts';

/** What a document shows of a workflow, and what a reader copies. */
const shownIn = (document: string) =>
  [...readFileSync(document, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => parse(text!) as object);
const workflowIn = (document: string) => shownIn(document).find((each) => 'jobs' in each) as Workflow;

/** By what documents name what is ours: a tag that can be remembered, where `init` writes a commit. */
const DOCUMENTS = ['README.md', 'docs/getting-started.md', 'docs/action.md'];
const refsIn = (text: string) =>
  [...text.matchAll(/wrkbench\/wrkbench(?:\/[^@\s]+)?@([\w.]+)/g)].map(([, ref]) => ref!);
const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const [ref] = refsIn(readFileSync('README.md', 'utf8'));

describe('what documents show', () => {
  it('is of the newest major version, or of the main branch before the first release', () => {
    expect(['main', `v${version.split('.')[0]}`]).toContain(ref);
    for (const document of DOCUMENTS) {
      const text = readFileSync(document, 'utf8');
      expect([document, ...new Set(refsIn(text))]).toEqual([document, ref]);
      expect([document, text.includes('<!-- until released -->')]).toEqual([document, ref === 'main']);
    }
  });
});

describe('the workflow of the getting started', () => {
  it('is the one that init writes, whichever of them names a commit', () => {
    const unnamed = ({ on, jobs, ...workflow }: Workflow) => ({
      ...workflow,
      on: Object.entries(on).map(([event, of]) => [event, of ?? {}]),
      jobs: Object.entries(jobs).map(([name, job]) => [name, { ...job, uses: job.uses?.replace(/@.*/, '') }]),
    });
    const starter = parse(readFileSync('workflows/gate.yml', 'utf8')) as Workflow;
    expect(unnamed(workflowIn('docs/getting-started.md'))).toEqual(unnamed(starter));
  });
});

describe('the README', () => {
  it('shows the same jobs, but for the merge queue', () => {
    const { merge_group: _, ...events } = workflowIn('docs/getting-started.md').on;
    const { on, jobs } = workflowIn('README.md');
    expect(on).toEqual(events);
    const { if: condition, ...measure } = workflowIn('docs/getting-started.md').jobs.measure as Job & { if: string };
    const { if: own, ...rest } = jobs.measure as Job & { if: string };
    expect({ ...jobs, measure: rest }).toEqual({ ...workflowIn('docs/getting-started.md').jobs, measure });
    expect(condition).toBe(`github.event_name != 'merge_group' && (${own})`);
  });
});

describe('the page about the action', () => {
  it('shows a job of one step that may do what the two together may', () => {
    const job = shownIn('docs/action.md').find((each) => 'steps' in each) as Job;
    const callees = jobsOf(workflowIn('README.md')).map(([, each]) => calleeOf(each)![1]);
    const needed = callees.flatMap((each) =>
      jobsOf(each).flatMap(([, { permissions = {} }]) => Object.entries(permissions)),
    );
    // Of one that some jobs may read and others write, to write.
    const highest = needed.toSorted(([, one], [, other]) => Number(one === 'write') - Number(other === 'write'));
    expect(job.permissions).toEqual(Object.fromEntries(highest));
    const [checkout, own] = job.steps!;
    expect(checkout!.with).toEqual({ 'fetch-depth': 0, 'persist-credentials': false });
    expect(own!.uses).toBe(`wrkbench/wrkbench@${ref}`);
  });
});

describe('workflows in the documentation', () => {
  const rank = { none: 0, read: 1, write: 2 } as Record<string, number>;
  const blocks = ['README.md', 'docs/getting-started.md'].flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/```yaml\n([\s\S]*?)```/g)]
      .map(([, text]) => parse(text!) as Partial<Workflow>)
      .flatMap(({ jobs }) => (jobs === undefined ? [] : [[file, { jobs }] as const])),
  );
  const action = parse(readFileSync('action.yml', 'utf8')) as { inputs: Record<string, unknown> };
  const report = workflows.get('.github/workflows/report.yml')!.jobs.report!;

  it('are there', () => {
    expect(blocks.map(([file]) => file)).toEqual(['README.md', 'docs/getting-started.md', 'docs/getting-started.md']);
  });

  it.each(blocks)('in %s grant what they call what it asks for, and only inputs that are there', (_, { jobs }) => {
    for (const job of Object.values(jobs)) {
      const asking = jobsOf(calleeOf(job)?.[1] ?? { on: {}, jobs: {} }).map(([, called]) => called);
      const steps = (job.steps ?? []).filter(({ uses }) => uses === `wrkbench/wrkbench@${ref}`);
      expect(asking.length + steps.length).toBeGreaterThan(0);
      const reports = steps.filter((step) => step.with?.task === 'report');
      for (const { permissions } of [...asking, ...reports.map(() => report)]) {
        for (const [permission, level] of Object.entries(permissions ?? {})) {
          expect(rank[job.permissions?.[permission] ?? 'none']).toBeGreaterThanOrEqual(rank[level]!);
        }
      }
      for (const { with: given } of steps) {
        expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(given ?? {})));
        if (given?.check === true) expect(job.permissions?.checks).toBe('write');
      }
    }
  });
});
