import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { ended } from '../../core/format/sentence.ts';
import { creptLines } from '../../core/posting/anchor.ts';
import { isFailure } from '../../core/posting/verdict.ts';
import { UsageError } from '../failures.ts';
import { type Forge, ForgeFailure, type WorkflowRun } from '../ports/forge.ts';
import type { Job } from '../ports/job.ts';
import { type StatusRun, setUnreported } from '../posting/commit-status.ts';
import { withFallback } from '../posting/degrade.ts';
import type { ReportAdapters, ReportRequest } from '../posting/report-request.ts';
import { reportRun } from '../posting/report-run.ts';
import { ownRun } from './own-run.ts';
import { requestOfInputs } from './report-in-job.ts';
import type { TaskResult } from './run-task.ts';

/**
 * Tells of what another job measured: of this workflow's run, of the one that an event names, or of the last one. Rejects
 * with `UsageError` where there is none, and with `ForgeFailure` where nobody can be told.
 */
export async function reportTask(
  inputs: ActionInputs,
  facts: JobFacts,
  { job, ...adapters }: ReportAdapters & { job: Job },
  signal: AbortSignal,
): Promise<TaskResult> {
  const asked = requestOfInputs(inputs, facts);
  const run = await measuringRun(inputs, facts, adapters).catch(async (error: unknown) => {
    const unread = unreadRun(inputs, facts);
    if (error instanceof ForgeFailure && unread !== null) await setUnreported(error, unread, asked, adapters);
    throw error;
  });
  const request: ReportRequest = {
    ...asked,
    run,
    pullRequest: inputs.run === null ? (facts.pullRequest?.number ?? null) : null,
  };
  const { recipient, verdict, judged, missing, nothing, published, commentUrl, pageUrl, pagesAdvice } = await reportRun(
    request,
    adapters,
    signal,
  );
  if (recipient.kind === 'nobody') job.say(ended(`Nothing is reported for run ${run.id}: ${recipient.why}`));
  for (const { path, commit } of published) {
    job.say(commit === null ? `${path} is kept already: nothing is added.` : `${path} is kept: commit ${commit}.`);
  }
  if (pagesAdvice !== null) job.say(pagesAdvice);
  if (run.event === 'schedule') for (const line of creptLines(judged)) job.say(line);
  for (const { specName, why } of missing) job.error(ended(`${specName} was not measured: ${why}`));
  if (nothing !== null) job.error(nothing);
  job.output('verdict', verdict);
  job.output('comment-url', commentUrl ?? '');
  job.output('page-url', pageUrl ?? '');
  return { verdict, failed: isFailure(verdict, inputs.fail) };
}

/** What a run comes to that measured: others were stopped, or wait for somebody to let them begin. */
const MEASURED = ['success', 'failure', 'neutral'];

/** Throws `UsageError` where there is none. */
async function measuringRun(
  inputs: ActionInputs,
  facts: JobFacts,
  { forge, warn }: Pick<ReportAdapters, 'forge' | 'warn'>,
): Promise<WorkflowRun> {
  const named = inputs.run ?? facts.workflowRunId;
  if (named !== null) return await existing(named, forge);
  if (inputs.workflows.length === 0) {
    const consequence = `Run ${facts.runId} is taken for what its own job says of it`;
    const known = await withFallback(null, consequence, warn, () => existing(facts.runId, forge));
    const own = known ?? (await ownRun(facts, forge));
    // It goes on while this job is a part of it: what the jobs before it came to is in their artifacts.
    return { ...own, conclusion: own.conclusion ?? 'success' };
  }
  const sha = facts.pullRequest?.headSha ?? facts.sha;
  const finished = (await forge.runsOf(sha)).filter(
    ({ path, event, conclusion }) =>
      inputs.workflows.includes(path) &&
      MEASURED.includes(conclusion ?? '') &&
      // The same commit may have been measured as a push as well, which nobody is told of here.
      (facts.pullRequest === null || event.startsWith('pull_request')),
  );
  const [latest] = finished.sort((one, other) => other.id - one.id);
  if (latest !== undefined) return latest;
  throw new UsageError(
    `No run of ${inputs.workflows.join(' or ')} has measured ${sha.slice(0, 7)} to its end yet: set the label again once one has.`,
  );
}

/** A run that the API does not tell of, as the event does; null where the event names none. */
function unreadRun({ run }: ActionInputs, facts: JobFacts): StatusRun | null {
  const { serverUrl, repository, workflowRunId: id, workflowRunHead: sha, workflowRunEvent } = facts;
  if (run !== null || id === null || sha === null) return null;
  return {
    id,
    attempt: 1,
    event: workflowRunEvent ?? '',
    url: `${serverUrl}/${repository}/actions/runs/${id}`,
    head: { sha },
  };
}

async function existing(id: number, forge: Forge): Promise<WorkflowRun> {
  const run = await forge.workflowRun(id);
  if (run !== null) return run;
  throw new UsageError(`There is no workflow run ${id} in this repository, or it may not be read: actions: read.`);
}
