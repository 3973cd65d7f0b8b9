import { shortSha } from '../../core/baseline/commit.ts';
import { startHistory } from '../../core/comparison/stored-history.ts';
import type { Selection } from '../../core/config/selection.ts';
import { rejudged, type TrustedFacts } from '../../core/posting/judgement.ts';
import { contradictions, type MeasuredCommit } from '../../core/posting/measured-commit.ts';
import type { JudgedRun } from '../../core/posting/verdict.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import type { PullRequest } from '../ports/forge.ts';
import { type SpecsAt, specsAt } from './base-specs.ts';
import type { Context } from './context.ts';
import { withFallback } from './degrade.ts';
import type { ReportAdapters } from './report-request.ts';

/** The verdict of a record, by what is known of its run without it. */
export async function judgedRecord(record: RunRecord, context: Context, adapters: ReportAdapters): Promise<JudgedRun> {
  const { request, recipient, accepted, own } = context;
  const { baseSpec, doubts } = await basisOf(record, context, adapters);
  // What a branch of the repository's own was called with, its own workflow wrote.
  const ofBranch = recipient.kind === 'branch' ? ((record.comparing ?? record.unpaired)?.accepted ?? []) : [];
  return rejudged(record, {
    baseSpec,
    accepted: [...accepted, ...(request.accepted ?? []), ...ofBranch],
    withoutBaseline: request.withoutBaseline ?? false,
    only: request.only,
    quick: request.quick,
    failOnInconclusive: request.fail === 'inconclusive',
    doubts: [...(own === null ? [] : [own]), ...doubts, ...(await withheld(record, baseSpec, context, adapters))],
    stored:
      recipient.kind === 'pull-request' || record.unpaired != null ? await storedOf(record, request, adapters) : null,
  });
}

type Basis = Pick<TrustedFacts, 'baseSpec' | 'doubts'>;

/**
 * The spec that the run is judged by, and whether it is of this pull request at all. The spec is that of the commit that it
 * was merged into for measuring, as long as that is one of the base branch's: GitHub knows the merge, and the record only
 * names it.
 */
async function basisOf(record: RunRecord, context: Context, adapters: ReportAdapters): Promise<Basis> {
  const { recipient, request, base } = context;
  const { forge, warn } = adapters;
  const head = request.run.head.sha;
  const { checkedOut = null } = request;
  const isOwn = checkedOut !== null && record.source.sha === checkedOut;
  const speaksAgainst = (merge: MeasuredCommit['merge'], left: string | null = null) =>
    contradictions(record, { head, merge, checkedOut, left });
  // What this very job has measured on a branch is of what it has checked out.
  const isMeasuredHere = request.records !== undefined;
  if (recipient.kind !== 'pull-request') return { baseSpec: null, doubts: isMeasuredHere ? [] : speaksAgainst(null) };
  const { name } = record.spec;
  const merge = await mergeOf(record.source.sha, head, adapters);
  if (merge === 'unread') {
    const doubts = isOwn ? speaksAgainst(null) : ['the commit that was measured cannot be read'];
    return withDoubt(specOf(name, context), ...doubts);
  }
  const into = merge?.parents.includes(head) ? merge.parents[0]! : null;
  if (into === base) return withDoubt(specOf(name, context), ...speaksAgainst(merge));
  if (into === null) {
    const left = isMeasuredHere ? null : await leftAt(head, recipient.pullRequest, adapters);
    if (left === 'unread') return withDoubt(specOf(name, context), 'where it left its base is not known');
    return withDoubt(specOf(name, context), ...speaksAgainst(merge, left));
  }
  const { branch } = recipient.pullRequest.base;
  const consequence = `Whether ${branch} holds ${shortSha(into)} is not known`;
  const isOnBranch = isOwn || (await withFallback(null, consequence, warn, () => forge.isOnBranch(branch, into)));
  if (isOnBranch === null) {
    return withDoubt(specOf(name, context), 'whether it was merged into a commit of its base is not known');
  }
  // Anybody can make a merge of the head and of something slow: it is none of this pull request.
  if (!isOnBranch) return withDoubt(specOf(name, context), ...speaksAgainst(null));
  if (!isOwn && (await isOlderThanBase(into, head, recipient.pullRequest, adapters))) {
    return withDoubt(
      specOf(name, context),
      `it was merged into ${shortSha(into)}, which is older than what it grew from`,
    );
  }
  return withDoubt(specOf(name, await specsAt(into, request.specs, forge, warn)), ...speaksAgainst(merge));
}

/** Null where the forge does not tell. */
async function leftAt(
  head: string,
  { base: { branch } }: Pick<PullRequest, 'base'>,
  { forge, warn }: ReportAdapters,
): Promise<string | 'unread' | null> {
  const consequence = `Where ${shortSha(head)} left ${branch} is not known`;
  return await withFallback('unread', consequence, warn, () => forge.mergeBase(branch, head));
}

/** Each old commit of its base is one that somebody could merge a pull request into, so that it looks no slower than that. */
async function isOlderThanBase(
  into: string,
  head: string,
  pullRequest: PullRequest,
  adapters: ReportAdapters,
): Promise<boolean> {
  const left = await leftAt(head, pullRequest, adapters);
  if (left === null) return false;
  const { forge, warn } = adapters;
  const consequence = `Where ${shortSha(head)} left ${shortSha(into)} is not known`;
  const met = await withFallback('unread', consequence, warn, () => forge.mergeBase(into, head));
  return left === 'unread' || met !== left;
}

async function mergeOf(
  sha: string | null,
  head: string,
  { forge, warn }: ReportAdapters,
): Promise<MeasuredCommit['merge'] | 'unread'> {
  if (sha === null || sha === head || !/^[0-9a-f]{40,64}$/.test(sha)) return null;
  const consequence = `What ${shortSha(sha)} is a merge of is not known`;
  const commit = await withFallback('unread', consequence, warn, () => forge.commit(sha));
  return commit === null || commit === 'unread' ? commit : { sha, parents: commit.parents };
}

/** No spec at the base is a first measurement. One that may be there, and that nobody can read, is none. */
function specOf(name: string, { specs, unread, wrong }: SpecsAt): Basis {
  const baseSpec = specs.get(name) ?? null;
  if (baseSpec !== null) return { baseSpec, doubts: [] };
  const mistaken = wrong.find((each) => each.name === null || each.name === name);
  if (mistaken !== undefined) {
    return { baseSpec, doubts: [`the spec of its base, ${mistaken.path}, has mistakes, so its limits are unknown`] };
  }
  return {
    baseSpec,
    doubts: unread === null ? [] : ['the spec of its base cannot be read, so its limits are unknown'],
  };
}

function withDoubt({ baseSpec, doubts }: Basis, ...more: string[]): Basis {
  return { baseSpec, doubts: [...doubts, ...more] };
}

async function storedOf(
  record: RunRecord,
  asked: Selection,
  { history }: ReportAdapters,
): Promise<TrustedFacts['stored']> {
  const id = record.unpaired?.baseline?.recordId ?? null;
  if (history === null || id === null) return null;
  // The scatter is that of the newest; the one that it was held against may be older.
  const base = await history.run(record.spec.name, id, asked);
  if (base === null) return null;
  const past = startHistory();
  for await (const each of history.all(record.spec.name, null)) past.add(each);
  return { record: base, history: past.end() };
}

/** How many of the newest stored runs are looked up on the base branch: each is a request. */
const MOST_LOOKED_UP = 20;

/** Where stored runs are to be compared with: a run that found none, although the base branch has one. */
async function withheld(
  { spec, unpaired }: RunRecord,
  baseSpec: TrustedFacts['baseSpec'],
  { recipient, request }: Context,
  { forge, history, warn }: ReportAdapters,
): Promise<string[]> {
  const isAsked = baseSpec?.gate.baseline === 'stored' && unpaired?.baseline == null && unpaired?.failed !== true;
  if (!isAsked || recipient.kind !== 'pull-request' || history === null || request.withoutBaseline) return [];
  const { branch } = recipient.pullRequest.base;
  let left = MOST_LOOKED_UP;
  for await (const { source, id } of history.all(spec.name, request)) {
    if (left === 0) {
      return [
        `the run compares with nothing, and only the newest ${MOST_LOOKED_UP} stored runs were looked for on ${branch}`,
      ];
    }
    left -= 1;
    if (source.sha === null) continue;
    const { sha } = source;
    const consequence = `Whether ${branch} holds ${shortSha(sha)} is not known`;
    if ((await withFallback(true, consequence, warn, () => forge.isOnBranch(branch, sha))) === true) {
      return [`the run compares with nothing, and ${branch} has the stored run ${id}`];
    }
  }
  return [];
}
