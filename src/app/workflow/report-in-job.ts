import type { ActionInputs } from '../../core/action/inputs.ts';
import type { JobFacts } from '../../core/action/job-facts.ts';
import { creptLines } from '../../core/posting/anchor.ts';
import { jobSummary } from '../../core/posting/summary.ts';
import type { JudgedRun } from '../../core/posting/verdict.ts';
import { type RawText, rawText } from '../../core/publication/raw-text.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { ForgeFailure } from '../ports/forge.ts';
import type { Job } from '../ports/job.ts';
import { takeBackOutdated } from '../posting/outdated-statuses.ts';
import type { ReportAdapters, ReportRequest } from '../posting/report-request.ts';
import { reportRun } from '../posting/report-run.ts';
import { checkedOutMerge, ownRun } from './own-run.ts';
import type { LostSpec } from './specs.ts';

export interface ReportedRuns {
  judged: readonly JudgedRun[];
  commentUrl: string | null;
  pageUrl: string | null;
}

/** What this job has measured. `artifacts`: by the name of a spec, where its files are kept. */
export interface MeasuredRuns {
  runs: readonly JudgedRun[];
  lost: readonly LostSpec[];
  artifacts?: ReadonlyMap<string, number>;
  /** What the generators of a run printed, from its folder. Never rejects. */
  rawTexts?(record: RunRecord): Promise<readonly RawText[]>;
}

/** Everything real that reporting needs, made when it begins. `close` removes what it keeps on this machine. */
export type Reporting = (signal: AbortSignal) => Promise<{ adapters: ReportAdapters; close(): Promise<void> }>;

/**
 * Comment, statuses, data branch and pages of what this very job has measured. Whatever of it fails is a warning: the verdict
 * is had by then, and stands.
 */
export async function reportInJob(
  { runs, lost, artifacts = new Map(), rawTexts = async () => [] }: MeasuredRuns,
  inputs: ActionInputs,
  facts: JobFacts,
  { job, reporting }: { job: Job; reporting: Reporting },
  signal: AbortSignal,
): Promise<ReportedRuns> {
  const summary = jobSummary(runs, { storedAs: null, fail: inputs.fail, event: facts.event }, lost);
  const quiet: ReportedRuns = { judged: runs, commentUrl: null, pageUrl: null };
  const reports = inputs.comment !== 'never' || inputs.status || inputs.check || inputs.publish;
  if (inputs.token === '' || !reports || facts.runId === 0) {
    await job.summary(summary);
    return quiet;
  }
  const measured = runs.map(async ({ record, comparison }) => {
    const artifact = artifacts.get(record.spec.name);
    const raw = inputs.publish ? rawText(record.id, await rawTexts(record)) : null;
    return {
      specName: record.spec.name,
      record,
      ...(artifact === undefined ? {} : { artifact }),
      ...(raw === null ? {} : { raw }),
      ...(comparison?.anchor === undefined ? {} : { anchor: comparison.anchor }),
    };
  });
  const records = [...(await Promise.all(measured)), ...lost.map(({ specName, why }) => ({ specName, failure: why }))];
  const request: Omit<ReportRequest, 'run'> = {
    ...requestOfInputs(inputs, facts),
    pullRequest: facts.pullRequest?.number ?? null,
    records,
    checkedOut: checkedOutMerge(facts),
  };
  try {
    const { adapters, close } = await reporting(signal);
    const reported = async () =>
      await reportRun({ ...request, run: await ownRun(facts, adapters.forge) }, adapters, signal);
    const { judged, commentUrl, pageUrl, pagesAdvice } = await reported().finally(close);
    if (pagesAdvice !== null) job.say(pagesAdvice);
    if (facts.event === 'schedule') for (const line of creptLines(judged)) job.say(line);
    return { judged: judged.length === 0 ? runs : judged, commentUrl, pageUrl };
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ForgeFailure)) throw error;
    job.warn(`Could not post the result: ${error.message} The verdict is not affected.`);
    await job.summary(summary);
    return quiet;
  }
}

/**
 * Takes back what was judged for another base, before this job measures the pull request for the one that it has now: until then the
 * former success would be shown. What fails of it is left to the report at the end, which does the same.
 */
export async function takeBackInJob(
  inputs: ActionInputs,
  facts: JobFacts,
  reporting: Reporting,
  signal: AbortSignal,
): Promise<void> {
  const { pullRequest } = facts;
  if (pullRequest === null || !inputs.status || inputs.token === '' || facts.runId === 0) return;
  const base = { branch: pullRequest.baseBranch, sha: pullRequest.baseSha };
  try {
    const { adapters, close } = await reporting(signal);
    const quiet = { ...adapters, warn: () => {} };
    const takingBack = async () =>
      await takeBackOutdated({ base }, await ownRun(facts, adapters.forge), quiet, { isMeasuring: true });
    await takingBack().finally(close);
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof ForgeFailure)) throw error;
  }
}

/** What a job is asked to report, whoever measured it. */
export function requestOfInputs(
  inputs: ActionInputs,
  facts: JobFacts,
): Omit<ReportRequest, 'run' | 'pullRequest' | 'records' | 'checkedOut'> {
  const { specs, only, quick, paths, accepted, fail, publish, retention, squash } = inputs;
  const withoutBaseline = inputs.baseline === 'none';
  const defaultBranch = facts.defaultBranch ?? '';
  return { defaultBranch, specs, only, quick, paths, accepted, withoutBaseline, fail, publish, retention, squash };
}
