import { withAnchor } from '../../core/posting/anchor.ts';
import { missingStatus, passedStatus } from '../../core/posting/status.ts';
import { contextOfEvent, statusContext } from '../../core/posting/status-context.ts';
import { withUnmatched } from '../../core/posting/unmatched-acceptances.ts';
import { isUntouched, relevantPaths, UNTOUCHED } from '../../core/posting/untouched.ts';
import { type JudgedRun, mostSevere, type RunVerdict, runVerdict } from '../../core/posting/verdict.ts';
import { keepAll } from '../../core/publication/change.ts';
import { readPlace } from '../../core/publication/place.ts';
import { inlineText } from '../../core/report/inline-text.ts';
import { inlineMarkdown } from '../../core/report/markdown/blocks.ts';
import { UserError } from '../../core/user-error.ts';
import { DataBranchFailure } from '../ports/data-branch.ts';
import { ForgeFailure } from '../ports/forge.ts';
import { type Published, publish } from '../publish.ts';
import { artifactRecords, type FoundRecord } from './artifact-records.ts';
import { setStatuses, setUnreported } from './commit-status.ts';
import { type Context, contextOf } from './context.ts';
import { withFallback } from './degrade.ts';
import { judgedRecord } from './judged-record.ts';
import { missingSpecs } from './missing-specs.ts';
import { notify, reportPassed } from './notification.ts';
import { isMeasuredElsewhere, takeBackOutdated } from './outdated-statuses.ts';
import { markOf, type Recipient, recipientOf } from './recipient.ts';
import type { ReportAdapters, ReportRequest, ReportResult } from './report-request.ts';
import { withSinceAnchor } from './since-anchor.ts';

/**
 * Reports a run that another job measured, which may have been untrusted: of its artifacts only `run.json` is read, of a run
 * that is published also what its generators printed, and everything else is worked out again or asked of the forge. Whatever cannot be read or written is reported and costs nothing
 * else; rejects with `ForgeFailure` only where nobody knows whose run it is, or what it was to measure.
 */
export async function reportRun(
  request: ReportRequest,
  adapters: ReportAdapters,
  signal: AbortSignal,
): Promise<ReportResult> {
  const { run } = request;
  const recipient = await requiredRecipient(request, adapters);
  const quiet: ReportResult = {
    recipient,
    verdict: 'same',
    judged: [],
    missing: [],
    nothing: null,
    published: [],
    commentUrl: null,
    pageUrl: null,
    pagesAdvice: null,
  };
  if (recipient.kind === 'nobody') return quiet;
  // Of the first pull request of somebody new: somebody has to let it run first.
  if (run.conclusion === 'action_required') {
    if (recipient.kind === 'pull-request') {
      await takeBackOutdated(recipient.pullRequest, run, adapters, { unbound: true });
    }
    return quiet;
  }
  const context = await contextOf(request, recipient, adapters);
  if (run.conclusion === 'cancelled') {
    await cancelled(context, adapters);
    return quiet;
  }
  if (run.conclusion === 'skipped' && (await isSaid(context, adapters))) return quiet;
  const without = unmeasured(context);
  if (without !== null) {
    await passed(without, context, adapters);
    return quiet;
  }

  const found = await foundRecords(context, adapters);
  const raw = new Map(found.flatMap((each) => ('raw' in each ? [[each.record.id, each.raw] as const] : [])));
  const judged: JudgedRun[] = [];
  for (const each of found) {
    if (!('record' in each)) continue;
    const own = withAnchor(await judgedRecord(each.record, context, adapters), each.anchor);
    const place = { isOfBranch: recipient.kind === 'branch', workflowRun: run.id };
    judged.push(await withSinceAnchor(own, place, adapters));
  }
  const { missing, removed, nothing } = await missingSpecs(found, context, adapters);
  const answered =
    recipient.kind === 'pull-request'
      ? withUnmatched(
          judged,
          context.accepted,
          removed.map(({ specName }) => specName),
        )
      : judged;
  const artifacts = new Map(
    found.flatMap((each) =>
      'record' in each && each.artifact !== undefined ? [[each.specName, each.artifact] as const] : [],
    ),
  );
  const published = await publishedRuns(judged, raw, context, adapters, signal);
  // Of a second attempt the first one's run is kept, and not this.
  const isKept = published.some((kept) => judged.some(({ record }) => record.id === kept.run));
  const { url } = await notify(
    {
      judged: answered,
      missing,
      removed,
      recipient,
      run,
      fail: request.fail,
      storedAs: isKept ? run.head.branch : null,
      artifacts,
    },
    adapters,
  );
  if (recipient.kind === 'pull-request') await takeBackOutdated(recipient.pullRequest, run, adapters);
  const [first] = published.flatMap(({ path }) => readPlace(path) ?? []);
  const pageUrl = first === undefined ? null : await adapters.pageLinks.url(first.specName);
  const advice = first === undefined ? null : await adapters.pageLinks.advice();
  // Of a log nobody reads more than what is red.
  if (advice !== null) await adapters.summary(`${inlineMarkdown(advice)}\n`);
  const pagesAdvice = advice === null ? null : inlineText(advice);
  const ofOthers: RunVerdict[] = [
    ...(missing.length > 0 || nothing !== null ? (['invalid'] as const) : []),
    ...(removed.length > 0 ? (['accepted'] as const) : []),
  ];
  const verdict = mostSevere([...judged.map(runVerdict), ...ofOthers]) ?? 'same';
  return { recipient, verdict, judged, missing, nothing, published, commentUrl: url, pageUrl, pagesAdvice };
}

async function requiredRecipient(request: ReportRequest, adapters: ReportAdapters): Promise<Recipient> {
  try {
    return await recipientOf(request, adapters.forge);
  } catch (error) {
    const { conclusion } = request.run;
    if (error instanceof ForgeFailure && conclusion !== 'cancelled' && conclusion !== 'action_required') {
      await setUnreported(error, request.run, request, adapters);
    }
    throw error;
  }
}

/** Where nobody can list the artifacts, each spec that is known lacks its own. */
async function foundRecords(
  { request, recipient, specs }: Context,
  { forge, archives, now }: ReportAdapters,
): Promise<readonly FoundRecord[]> {
  if (request.records !== undefined) return request.records;
  try {
    return await artifactRecords(
      request.run.id,
      { forge, archives, now },
      { raw: isPublished({ request, recipient }) },
    );
  } catch (error) {
    if (!(error instanceof ForgeFailure) || specs.size === 0) throw error;
    const failure = `the artifacts of the run cannot be listed: ${error.message.replace(/\.$/, '')}`;
    return [...specs.keys()].map((specName) => ({ specName, failure }));
  }
}

function isPublished({ request, recipient }: Pick<Context, 'request' | 'recipient'>): boolean {
  return request.publish && recipient.kind === 'branch' && recipient.publishes;
}

/** Keeps what was judged on the data branch, where it is a run of the default branch. What cannot be kept is reported. */
async function publishedRuns(
  judged: readonly JudgedRun[],
  /** What their generators printed, by their ids. */
  raw: ReadonlyMap<string, string | undefined>,
  { request, recipient }: Context,
  { branch, history, pages, siteAt, warn, now }: ReportAdapters,
  signal: AbortSignal,
): Promise<Published[]> {
  if (branch === null || !isPublished({ request, recipient }) || recipient.kind !== 'branch') return [];
  const published: Published[] = [];
  const { sha } = recipient;
  const consequence = 'The pages are left as they are, since what this project says of itself on them cannot be read';
  const site = await withFallback({}, consequence, warn, async () => (await siteAt?.(sha)) ?? {});
  for (const { record, comparison, unverified } of judged) {
    if (unverified !== null) continue;
    const { retention = keepAll, squash = false, run } = request;
    // One file, of the newest run: where it is broken, it is told and set aside, and so is the one before it.
    await history?.latest(record.spec.name, [], null);
    const unreadable = history?.unreadable ?? [];
    const options = {
      retention,
      squash,
      unreadable,
      workflowRun: run.id,
      raw: raw.get(record.id) ?? null,
      pages: { ...pages, ...site },
      warn,
      now: now(),
    };
    try {
      published.push(await publish(record, comparison, branch, options, signal));
    } catch (error) {
      if (!(error instanceof UserError) && !(error instanceof DataBranchFailure)) throw error;
      warn(`The run of ${record.spec.name} was not published: ${error.message}`);
    }
  }
  return published;
}

type Unmeasured = Parameters<typeof passedStatus>[1];

/** Why nothing is to be measured; null where something is. What a pull request changes is asked of the forge. */
function unmeasured({ recipient, request, changed, specs, paths, unread, wrong }: Context): Unmeasured | null {
  // What is in a queue was measured as a pull request.
  if (recipient.kind === 'merge-group') {
    return { why: 'Measured in the pull request; a merge queue measures nothing again.', reason: 'merge-queue' };
  }
  // What a spec names is not known where that cannot be read.
  if (recipient.kind !== 'pull-request' || unread !== null || wrong.length > 0) return null;
  const found = [...specs].map(([name, spec]) => ({ path: paths.get(name)!, spec }));
  const relevant = relevantPaths(request.specs, found);
  return isUntouched(changed, request.paths, relevant) ? { why: UNTOUCHED, reason: 'untouched' } : null;
}

/**
 * A green status, and the same in a comment that is there: it may tell of an earlier commit. Rejects with `ForgeFailure`
 * where not all specs are known: nobody sets the statuses of the others.
 */
async function passed(without: Unmeasured, context: Context, adapters: ReportAdapters): Promise<void> {
  const { request, recipient, specs, unread } = context;
  const names = [...specs.keys()];
  await setStatuses(
    names.map((specName) => passedStatus(specName, without, markOf(recipient, null))),
    request.run,
    adapters,
  );
  if (recipient.kind === 'pull-request') await takeBackOutdated(recipient.pullRequest, request.run, adapters);
  await reportPassed(without.why, names, { recipient, run: request.run }, adapters);
  if (unread !== null) throw unread;
}

/**
 * GitHub calls a run cancelled as well whose job ran out of time, and a required status would be waited for in vain. What
 * an earlier run of the commit has said of it stands, and so does the comment.
 */
async function cancelled(context: Context, adapters: ReportAdapters): Promise<void> {
  const { request, recipient } = context;
  const silent = await silentSpecs(context, adapters);
  await setStatuses(
    silent.map((specName) =>
      missingStatus(specName, 'its run was cancelled, or ran out of time', markOf(recipient, null)),
    ),
    request.run,
    adapters,
  );
}

/** Whether a run of which no job ran may be passed over: an edited title changes nothing of what other runs say of the commit. */
async function isSaid(context: Context, adapters: ReportAdapters): Promise<boolean> {
  const { request, recipient, specs } = context;
  if (recipient.kind !== 'pull-request' || specs.size === 0) return false;
  const silent = await silentSpecs(context, adapters);
  return silent.length === 0 || (await isMeasuredElsewhere(request.run, adapters));
}

/** Specs of which nothing was said that stands. */
async function silentSpecs({ request, recipient, specs }: Context, adapters: ReportAdapters): Promise<string[]> {
  const { run } = request;
  const { sha } = run.head;
  const consequence = `What was said of ${sha.slice(0, 7)} before is not known`;
  const before =
    recipient.kind === 'pull-request'
      ? await takeBackOutdated(recipient.pullRequest, run, adapters)
      : await withFallback(null, consequence, adapters.warn, () => adapters.forge.statuses(sha));
  const said = new Set((before ?? []).map(({ context }) => context));
  return [...specs.keys()].filter((specName) => !said.has(contextOfEvent(statusContext(specName), run.event)));
}
