import { ForgeFailure } from '../../app/ports/forge.ts';
import type { Job } from '../../app/ports/job.ts';
import { reportRun } from '../../app/reporting/report-run.ts';
import { checkedOutMerge, ownRun } from '../../app/workflow/own-run.ts';
import type { Besides, LostRun } from '../../app/workflow/run-task.ts';
import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { jobSummary } from '../../core/reporting/summary.ts';
import type { JudgedRun } from '../../core/reporting/verdict.ts';
import { tellingAdapters } from './telling.ts';

interface Surroundings {
  inputs: ActionInputs;
  facts: JobFacts;
  version: string;
  job: Job;
}

/**
 * What comes of a run for others, where the job measures and tells in one. Whatever of it fails is a warning: the verdict is
 * had by then, and stands.
 */
export async function besides(
  { runs, lost }: { runs: readonly JudgedRun[]; lost: readonly LostRun[] },
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<Besides> {
  const { inputs, facts, job } = surroundings;
  const quiet: Besides = { judged: runs, commentUrl: null, pageUrl: null };
  const tells = inputs.comment !== 'never' || inputs.status || inputs.check || inputs.publish;
  if (inputs.token === '' || !tells || facts.runId === 0) {
    await job.summary(jobSummary(runs, null));
    return quiet;
  }
  try {
    return await told(runs, lost, surroundings, signal);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ForgeFailure)) throw error;
    job.warn(`Nobody could be told of this run: ${error.message} The verdict stands.`);
    await job.summary(jobSummary(runs, null));
    return quiet;
  }
}

async function told(
  runs: readonly JudgedRun[],
  lost: readonly LostRun[],
  { inputs, facts, version }: Surroundings,
  signal: AbortSignal,
): Promise<Besides> {
  const { adapters, close } = await tellingAdapters(inputs, facts, version, signal);
  try {
    const run = ownRun(facts);
    const records = [
      ...runs.map(({ record }) => ({ specName: record.spec.name, record })),
      ...lost.map(({ specName, why }) => ({ specName, failure: why })),
    ];
    const { only, quick, paths, fail, publish, retention, squash, specs } = inputs;
    const defaultBranch = facts.defaultBranch ?? '';
    const { accepted, baseline } = inputs;
    const alone = baseline === 'none';
    const request = {
      run,
      accepted,
      alone,
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
