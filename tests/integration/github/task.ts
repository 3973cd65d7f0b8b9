import type { Job } from '../../../src/app/ports/job.ts';
import type { ReportAdapters } from '../../../src/app/reporting/report-request.ts';
import { reportTask } from '../../../src/app/workflow/report-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { jobFacts } from '../../../src/core/action/job-facts.ts';
import type { World } from './given.ts';

/** A job of this workflow that tells, and what it was told to say. */
export function tellingJob(): { job: Job; outputs: Record<string, string>; said: string[] } {
  const outputs: Record<string, string> = {};
  const said: string[] = [];
  const say = (text: string) => {
    said.push(text);
  };
  const output = (name: string, value: string) => {
    outputs[name] = value;
  };
  const job = { output, say, error: say } satisfies Partial<Job>;
  return { job: job as unknown as Job, outputs, said };
}

/** The task `report` in the second workflow, after run 7301 has ended. */
export async function reportedByTask(given: World, adapters: Partial<ReportAdapters> = {}) {
  const { job, outputs, said } = tellingJob();
  const variables = { GITHUB_REPOSITORY: 'acme/api', GITHUB_RUN_ID: '7900', GITHUB_EVENT_NAME: 'workflow_run' };
  const repository = { full_name: 'acme/api', default_branch: 'main' };
  const { head_sha } = given.forge.runs[0]!;
  const facts = jobFacts(variables, { repository, workflow_run: { id: 7301, head_sha } });
  const inputs = actionInputs((name) => (name === 'task' ? 'report' : ''));
  const { signal } = new AbortController();
  const result = await reportTask(inputs, facts, { ...given.adapters(adapters), job }, signal);
  return { ...result, outputs, said };
}
