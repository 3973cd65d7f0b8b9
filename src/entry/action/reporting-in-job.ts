import { ForgeFailure } from '../../app/ports/forge.ts';
import type { Job } from '../../app/ports/job.ts';
import { reportRun } from '../../app/posting/report-run.ts';
import { checkedOutMerge, ownRun } from '../../app/workflow/own-run.ts';
import type { LostRun, ReportedRuns } from '../../app/workflow/run-task.ts';
import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { jobSummary } from '../../core/posting/summary.ts';
import type { JudgedRun } from '../../core/posting/verdict.ts';
import { reportingAdapters } from './reporting.ts';

interface Surroundings {
  inputs: ActionInputs;
  facts: JobFacts;
  version: string;
  job: Job;
}

/**
 * What comes of a run for others, where the job measures and reports in one. Whatever of it fails is a warning: the verdict is
 * had by then, and stands.
 */
export async function reportInJob(
  { runs, lost }: { runs: readonly JudgedRun[]; lost: readonly LostRun[] },
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<ReportedRuns> {
  const { inputs, facts, job } = surroundings;
  const quiet: ReportedRuns = { judged: runs, commentUrl: null, pageUrl: null };
  const reports = inputs.comment !== 'never' || inputs.status || inputs.check || inputs.publish;
  if (inputs.token === '' || !reports || facts.runId === 0) {
    await job.summary(jobSummary(runs, null));
    return quiet;
  }
  try {
    return await reported(runs, lost, surroundings, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ForgeFailure)) throw error;
    job.warn(`Could not post the result: ${error.message} The verdict is not affected.`);
    await job.summary(jobSummary(runs, null));
    return quiet;
  }
}

async function reported(
  runs: readonly JudgedRun[],
  lost: readonly LostRun[],
  { inputs, facts, version }: Surroundings,
  signal: AbortSignal,
): Promise<ReportedRuns> {
  const { adapters, close } = await reportingAdapters(inputs, facts, version, signal);
  try {
    const run = ownRun(facts);
    const records = [
      ...runs.map(({ record }) => ({ specName: record.spec.name, record })),
      ...lost.map(({ specName, why }) => ({ specName, failure: why })),
    ];
    const { only, quick, paths, fail, publish, retention, squash, specs } = inputs;
    const defaultBranch = facts.defaultBranch ?? '';
    const { accepted, baseline } = inputs;
    const withoutBaseline = baseline === 'none';
    const request = {
      run,
      accepted,
      withoutBaseline,
      defaultBranch,
      pullRequest: facts.pullRequest?.number ?? null,
      specs,
      only,
      quick,
      paths,
      fail,
      publish,
      retention,
      squash,
      records,
      checkedOut: checkedOutMerge(facts),
    };
    const { judged, commentUrl, pageUrl } = await reportRun(request, adapters, signal);
    return { judged: judged.length === 0 ? runs : judged, commentUrl, pageUrl };
  } finally {
    await close();
  }
}
