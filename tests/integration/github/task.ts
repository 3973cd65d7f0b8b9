import type { Job } from '../../../src/app/ports/job.ts';
import type { ReportAdapters } from '../../../src/app/posting/report-request.ts';
import { reportTask } from '../../../src/app/workflow/report-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { type JobFacts, jobFacts } from '../../../src/core/action/job-facts.ts';
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

const repository = { full_name: 'acme/api', default_branch: 'main' };

/** A job of the second workflow, after run 7301 has ended. */
function factsAfter({ forge }: World): JobFacts {
  const variables = { GITHUB_REPOSITORY: 'acme/api', GITHUB_RUN_ID: '7900', GITHUB_EVENT_NAME: 'workflow_run' };
  return jobFacts(variables, { repository, workflow_run: { id: 7301, head_sha: forge.runs[0]!.head_sha } });
}

/** A later job of run 7301 itself, of a push, or of what the event tells more. */
export function factsWithin({ forge }: World, event: object = {}): JobFacts {
  const [run] = forge.runs;
  const own = {
    GITHUB_EVENT_NAME: run!.event,
    GITHUB_SHA: run!.head_sha,
    GITHUB_REF: `refs/heads/${run!.head_branch}`,
  };
  return jobFacts({ GITHUB_REPOSITORY: 'acme/api', GITHUB_RUN_ID: '7301', ...own }, { repository, ...event });
}

/** The task `report`, as its step comes to call it. */
export async function reportedByTask(given: World, facts = factsAfter(given), adapters: Partial<ReportAdapters> = {}) {
  const { job, outputs, said } = tellingJob();
  const inputs = actionInputs((name) => (name === 'task' ? 'report' : ''));
  const { signal } = new AbortController();
  const result = await reportTask(inputs, facts, { ...given.adapters(adapters), job }, signal);
  return { ...result, outputs, said };
}
