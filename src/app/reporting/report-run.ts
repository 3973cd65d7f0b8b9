import { passedStatus } from '../../core/reporting/status.ts';
import { isUntouched, UNTOUCHED } from '../../core/reporting/untouched.ts';
import type { JudgedRun } from '../../core/reporting/verdict.ts';
import { ForgeFailure } from '../ports/forge.ts';
import { addresseeOf } from './addressee.ts';
import { artifactRecords, type FoundRecord } from './artifact-records.ts';
import { type Context, contextOf } from './context.ts';
import { judgedRecord } from './judged-record.ts';
import { publishedRuns } from './published-runs.ts';
import type { ReportAdapters, ReportRequest, ReportResult } from './report-request.ts';
import { tell } from './tell.ts';

/**
 * Tells of a run that another job measured, which may have been a stranger's: of its artifacts only `run.json` is read, and
 * everything else is worked out again or asked of the forge. Whatever cannot be written is told and costs nothing else.
 */
export async function reportRun(
  request: ReportRequest,
  adapters: ReportAdapters,
  signal: AbortSignal,
): Promise<ReportResult> {
  const { run } = request;
  const { forge } = adapters;
  const addressee = await addresseeOf(run, request.defaultBranch, forge);
  const nothing: ReportResult = { addressee, judged: [], missing: [], published: [], commentUrl: null };
  if (addressee.kind === 'nobody') return nothing;
  // What it has said before stays: a later run of the same commit, or nobody, says something else.
  if (run.conclusion === 'cancelled') return nothing;
  const context = await contextOf(request, addressee, adapters);
  const without = await unmeasured(context, adapters);
  if (without !== null) return await passed(without, context, adapters, nothing);

  const found = request.records ?? (await artifactRecords(run.id, forge, adapters.archives));
  const judged: JudgedRun[] = [];
  for (const each of found) {
    if ('record' in each) judged.push(await judgedRecord(each.record, context, adapters));
  }
  const missing = missingSpecs(found, context);
  const published = await publishedRuns(judged, context, adapters, signal);
  const { url } = await tell(
    { judged, missing, addressee, run, fail: request.fail, storedAs: published.length > 0 ? run.head.branch : null },
    adapters,
  );
  return { addressee, judged, missing, published, commentUrl: url };
}

/** Why nothing is to be measured; null where something is. What a pull request changes is asked of the forge. */
async function unmeasured({ addressee, request }: Context, { forge }: ReportAdapters): Promise<string | null> {
  // What is in a queue was measured as a pull request.
  if (addressee.kind === 'merge-group') return 'Measured in the pull request; a merge queue measures nothing again.';
  if (addressee.kind !== 'pull-request' || request.paths.length === 0) return null;
  const changed = await forge.changedFiles(addressee.pullRequest.number);
  return isUntouched(changed, request.paths) ? UNTOUCHED : null;
}

async function passed(
  why: string,
  context: Context,
  { forge, warn }: ReportAdapters,
  result: ReportResult,
): Promise<ReportResult> {
  const { run } = context.request;
  for (const specName of context.specs.keys()) {
    const status = passedStatus(specName, why);
    await forge.setStatus(run.head.sha, { ...status, url: run.url }).catch((error: unknown) => {
      if (!(error instanceof ForgeFailure)) throw error;
      warn(`The status of ${specName} cannot be set: ${error.message}`);
    });
  }
  return result;
}

/** Specs of the base that no artifact tells of, and artifacts that cannot be read. */
function missingSpecs(found: readonly FoundRecord[], { specs, request }: Context): ReportResult['missing'] {
  const failed = found.flatMap((each) => ('failure' in each ? [{ specName: each.specName, why: each.failure }] : []));
  const told = new Set(found.map(({ specName }) => specName));
  const ended =
    request.run.conclusion === 'success'
      ? 'the run left no artifact of it'
      : `the run ended with ${request.run.conclusion}`;
  const absent = [...specs.keys()].filter((specName) => !told.has(specName));
  return [...failed, ...absent.map((specName) => ({ specName, why: ended }))];
}
