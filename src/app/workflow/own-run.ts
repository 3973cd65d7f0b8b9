import type { JobFacts } from '../../core/action/job-facts.ts';
import type { WorkflowRun } from '../ports/forge.ts';

/** What the step leaves for the one that runs after the job: names of specs whose statuses nobody has set yet, as JSON. */
export const AWAITED_STATE = 'awaited';

/** The run that this very job is a part of, as its own variables and its event tell: no forge has to be asked. */
export function ownRun(facts: JobFacts): WorkflowRun {
  const { pullRequest } = facts;
  const [owner = ''] = facts.repository.split('/');
  return {
    id: facts.runId,
    attempt: facts.runAttempt,
    event: facts.event,
    path: facts.workflowPath,
    head: {
      sha: pullRequest?.headSha ?? facts.sha,
      branch: pullRequest?.headBranch ?? facts.ref.replace(/^refs\/heads\//, ''),
      owner: pullRequest?.headOwner ?? owner,
    },
    fromFork: pullRequest?.fromFork ?? false,
    conclusion: 'success',
    url: `${facts.serverUrl}/${facts.repository}/actions/runs/${facts.runId}`,
  };
}

/**
 * The merge of a pull request that the job was given to check out, where the event is one that gives it. Of
 * `pull_request_target` it is the base: what was measured then says nothing of the pull request.
 */
export function checkedOutMerge({ event, sha }: JobFacts): string | null {
  return event === 'pull_request' && sha !== '' ? sha : null;
}
