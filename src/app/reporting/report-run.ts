import type { Acceptance } from '../../core/comparison/comparison.ts';
import { startHistory } from '../../core/comparison/stored-history.ts';
import { keepAll, type Retention } from '../../core/publication/change.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { Refusal } from '../../core/refusal.ts';
import { type Known, rejudged } from '../../core/reporting/judgement.ts';
import { contradictions, type MeasuredCommit } from '../../core/reporting/measured-commit.ts';
import { passedStatus } from '../../core/reporting/status.ts';
import { isUntouched, UNTOUCHED } from '../../core/reporting/untouched.ts';
import type { FailOn, JudgedRun } from '../../core/reporting/verdict.ts';
import type { ResolvedSpec } from '../../core/spec/resolved.ts';
import type { BranchHistory } from '../branch-history.ts';
import type { ArchiveReader } from '../ports/archive.ts';
import { type DataBranch, DataBranchFailure } from '../ports/data-branch.ts';
import { type Forge, ForgeFailure, type PullRequest, type WorkflowRun } from '../ports/forge.ts';
import { type Published, publish } from '../publish.ts';
import { type Addressee, addresseeOf } from './addressee.ts';
import { artifactRecords, type FoundRecord } from './artifact-records.ts';
import { specsAt } from './base-specs.ts';
import { acceptancesOf, acceptancesOfPush, firstRunAt } from './known-acceptances.ts';
import { ownMeasuring } from './measuring-files.ts';
import { type Teller, tell } from './tell.ts';

/** What the job that tells is asked for. */
export interface ReportRequest {
  /** Of the workflow that measured. */
  run: WorkflowRun;
  defaultBranch: string;
  /** Paths of specs, or globs. */
  specs: readonly string[];
  /** As the measuring job had them. */
  only: string | null;
  quick: boolean;
  /** By the workflow itself, which nobody changes unseen. */
  accepted?: readonly Acceptance[];
  /** The workflow wants no comparison. */
  alone?: boolean;
  /** Globs of the files that matter; none where all do. */
  paths: readonly string[];
  fail: FailOn;
  publish: boolean;
  retention?: Retention;
  squash?: boolean;
  /** Of a run that measured in this very job: nothing is read from artifacts. */
  records?: FoundRecord[];
}

export interface ReportAdapters extends Omit<Teller, 'warn'> {
  forge: Forge;
  archives: ArchiveReader;
  /** Null where nothing is kept. */
  branch: DataBranch | null;
  history: BranchHistory | null;
  warn(text: string): void;
  now(): Date;
}

export interface ReportResult {
  addressee: Addressee;
  judged: JudgedRun[];
  /** Specs that were to be measured, and why they were not. */
  missing: { specName: string; why: string }[];
  published: Published[];
  commentUrl: string | null;
}

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

/** What is known of a run before its artifacts are looked at. */
interface Context {
  request: ReportRequest;
  addressee: Exclude<Addressee, { kind: 'nobody' }>;
  /** Commit that the candidate is held against; null where nobody knows. */
  base: string | null;
  specs: Map<string, ResolvedSpec>;
  accepted: Known['accepted'];
  /** Why the run may say what it likes of itself. */
  own: string | null;
}

async function contextOf(
  request: ReportRequest,
  addressee: Context['addressee'],
  adapters: ReportAdapters,
): Promise<Context> {
  const { forge, warn } = adapters;
  const { run } = request;
  if (addressee.kind !== 'pull-request') {
    const specs = await specsAt(addressee.sha, request.specs, forge, warn);
    return {
      request,
      addressee,
      base: null,
      specs,
      accepted: await acceptancesOfPush(addressee.sha, forge),
      own: null,
    };
  }
  const { pullRequest } = addressee;
  const base = pullRequest.base.sha;
  const others = (await forge.runsOf(pullRequest.head.sha)).filter(({ path }) => path === run.path);
  const { accepted, outdated } = await acceptancesOf(pullRequest, firstRunAt(run, others), forge);
  await withdrawn(pullRequest, outdated, adapters);
  return {
    request,
    addressee,
    base,
    specs: await specsAt(base, request.specs, forge, warn),
    accepted,
    own: await ownMeasuring(pullRequest.number, run.path, base, forge),
  };
}

/** A label was meant for what had been pushed by then: it goes, so that everybody sees that it holds no more. */
async function withdrawn({ number }: PullRequest, labels: readonly string[], { forge, warn }: ReportAdapters) {
  for (const label of labels) {
    await forge.removeLabel(number, label).catch((error: unknown) => {
      if (!(error instanceof ForgeFailure)) throw error;
      warn(`The label ${label} was set before the last push and holds no more; it cannot be removed: ${error.message}`);
    });
  }
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

async function judgedRecord(record: RunRecord, context: Context, adapters: ReportAdapters): Promise<JudgedRun> {
  const { request, addressee, accepted, own } = context;
  const { merge, baseSpec } = await basisOf(record, context, adapters);
  // What a branch of the repository's own was called with, its own workflow wrote.
  const ofBranch = addressee.kind === 'branch' ? ((record.comparing ?? record.unpaired)?.accepted ?? []) : [];
  const doubts = contradictions(record, { head: request.run.head.sha, merge });
  return rejudged(record, {
    baseSpec,
    accepted: [...accepted, ...(request.accepted ?? []), ...ofBranch],
    alone: request.alone ?? false,
    only: request.only,
    quick: request.quick,
    failOnInconclusive: request.fail === 'inconclusive',
    doubts: [...(own === null ? [] : [own]), ...doubts],
    stored: addressee.kind === 'pull-request' || record.unpaired != null ? await storedOf(record, adapters) : null,
  });
}

/**
 * The spec that the run is judged by. Of a pull request that of the commit that it was merged into for measuring, as long
 * as that is one of the base branch's: GitHub knows the merge, and the record only names it.
 */
async function basisOf(
  { source, spec }: RunRecord,
  { request, addressee, base, specs }: Context,
  { forge, warn }: ReportAdapters,
): Promise<{ merge: MeasuredCommit['merge']; baseSpec: ResolvedSpec | null }> {
  const fallback = addressee.kind === 'pull-request' ? (specs.get(spec.name) ?? null) : null;
  if (addressee.kind !== 'pull-request' || source.sha === null) return { merge: null, baseSpec: fallback };
  const commit = /^[0-9a-f]{40,64}$/.test(source.sha) ? await forge.commit(source.sha) : null;
  const merge = commit === null ? null : { sha: source.sha, parents: commit.parents };
  const into = merge?.parents.includes(request.run.head.sha) ? merge.parents[0]! : null;
  if (into === null || into === base) return { merge, baseSpec: fallback };
  // Anybody can make a merge of the head and of something slow: it is none of this pull request.
  if (!(await forge.isOnBranch(addressee.pullRequest.base.branch, into))) return { merge: null, baseSpec: fallback };
  return { merge, baseSpec: (await specsAt(into, request.specs, forge, warn)).get(spec.name) ?? null };
}

async function storedOf(record: RunRecord, { history }: ReportAdapters): Promise<Known['stored']> {
  const id = record.unpaired?.baseline?.recordId ?? null;
  if (history === null || id === null) return null;
  const past = startHistory();
  let base: RunRecord | null = null;
  for await (const each of history.all(record.spec.name)) {
    past.add(each);
    if (each.id === id) base = each;
  }
  return base === null ? null : { record: base, history: past.end() };
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

async function publishedRuns(
  judged: readonly JudgedRun[],
  { request, addressee }: Context,
  { branch, history, warn, now }: ReportAdapters,
  signal: AbortSignal,
): Promise<Published[]> {
  if (branch === null || !request.publish || addressee.kind !== 'branch' || !addressee.publishes) return [];
  const published: Published[] = [];
  for (const { record, comparison, unverified } of judged) {
    if (unverified !== null) continue;
    const { retention = keepAll, squash = false } = request;
    const options = { retention, squash, unreadable: history?.unreadable ?? [], now: now() };
    try {
      published.push(await publish(record, comparison, branch, options, signal));
    } catch (error) {
      if (!(error instanceof Refusal) && !(error instanceof DataBranchFailure)) throw error;
      warn(`The run of ${record.spec.name} was not published: ${error.message}`);
    }
  }
  return published;
}
