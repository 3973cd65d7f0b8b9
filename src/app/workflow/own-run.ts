import type { JobFacts } from '../../core/action/job-facts.ts';
import { attemptOnPage, readAttemptUrl } from '../../core/posting/run-order.ts';
import { type Forge, ForgeFailure, type WorkflowRun } from '../ports/forge.ts';

/** What the step leaves for the one that runs after the job: names of specs whose statuses nobody has set yet, as JSON. */
export const AWAITED_STATE = 'awaited';

/**
 * The run that this very job is a part of, as its own variables and its event tell. Only where its page is found by its number, or in
 * later versions of the same forge by its id, the forge is asked for the address; one that does not tell goes by the number.
 */
export async function ownRun(facts: JobFacts, forge: Pick<Forge, 'runPage'>): Promise<WorkflowRun> {
  const { runId, runNumber, runAttempt } = facts;
  const run = runOfFacts(facts);
  if (runNumber === null) return run;
  const told = await forge.runPage(runId).catch((error: unknown) => {
    if (error instanceof ForgeFailure) return null;
    throw error;
  });
  const page = told !== null && readAttemptUrl(told) !== null ? told : pageOf(facts, runNumber);
  return { ...run, url: attemptOnPage(page, runAttempt) };
}

function pageOf({ serverUrl, repository }: JobFacts, run: number): string {
  return `${serverUrl}/${repository}/actions/runs/${run}`;
}

function runOfFacts(facts: JobFacts): WorkflowRun {
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
    url: pageOf(facts, facts.runId),
  };
}

/**
 * The merge of a pull request that the job was given to check out, where the event is one that gives it. Of
 * `pull_request_target` it is the base: what was measured then says nothing of the pull request.
 */
export function checkedOutMerge({ event, sha }: JobFacts): string | null {
  return event === 'pull_request' && sha !== '' ? sha : null;
}
