import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { calleeOf, type Job, jobsOf, type Workflow } from './given.ts';

/** What a document shows of a workflow, and what a reader copies. */
const shownIn = (document: string) =>
  [...readFileSync(document, 'utf8').matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, text]) => parse(text!) as object);
const workflowIn = (document: string) => shownIn(document).find((each) => 'jobs' in each) as Workflow;

describe('the workflow of the getting started', () => {
  it('is the one that init writes, by tag instead of by commit', () => {
    const starter = readFileSync('workflows/gate.yml', 'utf8').replaceAll(/@[0-9a-f]{40}/g, '@v1');
    const named = (workflow: Workflow) => ({
      ...workflow,
      on: Object.entries(workflow.on).map(([on, of]) => [on, of ?? {}]),
    });
    expect(named(workflowIn('docs/getting-started.md'))).toEqual(named(parse(starter) as Workflow));
  });
});

describe('the README', () => {
  it('shows the same jobs, but for the merge queue', () => {
    const { merge_group: _, ...events } = workflowIn('docs/getting-started.md').on;
    const { on, jobs } = workflowIn('README.md');
    expect(on).toEqual(events);
    const { if: __, ...measure } = workflowIn('docs/getting-started.md').jobs.measure as Job & { if: string };
    expect(jobs).toEqual({ ...workflowIn('docs/getting-started.md').jobs, measure });
  });

  it('shows a job of one step that may do what the two together may', () => {
    const job = shownIn('README.md').find((each) => 'steps' in each) as Job;
    const callees = jobsOf(workflowIn('README.md')).map(([, each]) => calleeOf(each)![1]);
    const needed = callees.flatMap((each) => jobsOf(each).map(([, { permissions }]) => permissions));
    expect(job.permissions).toEqual(Object.assign({}, ...needed));
    const [checkout, own] = job.steps!;
    expect(checkout!.with).toEqual({ 'fetch-depth': 0, 'persist-credentials': false });
    expect(own!.uses).toBe('wrkbench/wrkbench@v1');
  });
});
