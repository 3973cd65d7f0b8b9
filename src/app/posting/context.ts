import type { TrustedFacts } from '../../core/posting/judgement.ts';
import type { ForgeFailure, PullRequest } from '../ports/forge.ts';
import { type SpecsAt, specsAt } from './base-specs.ts';
import { withFallback } from './degrade.ts';
import { acceptancesOf, acceptancesOfPush } from './known-acceptances.ts';
import { changedFiles, ownMeasuring } from './measuring-files.ts';
import type { Recipient } from './recipient.ts';
import type { ReportAdapters, ReportRequest } from './report-request.ts';

/** What is known of a run before its artifacts are looked at. */
export interface Context {
  request: ReportRequest;
  recipient: Exclude<Recipient, { kind: 'nobody' }>;
  /** Commit that the candidate is held against; null where nobody knows. */
  base: string | null;
  specs: SpecsAt['specs'];
  paths: SpecsAt['paths'];
  /** Why there may be more specs than these; null where these are all. */
  unread: ForgeFailure | null;
  wrong: SpecsAt['wrong'];
  scripts: SpecsAt['scripts'];
  /** Paths that a pull request changes; null where that is not known. */
  changed: readonly string[] | null;
  accepted: TrustedFacts['accepted'];
  /** Why the run may say what it likes of itself. */
  own: string | null;
}

/**
 * Each thing that cannot be asked for is told, and taken for what is safe: nothing is accepted, and a pull request is not
 * believed whose limits, or whose changes, nobody knows.
 */
export async function contextOf(
  request: ReportRequest,
  recipient: Context['recipient'],
  adapters: ReportAdapters,
): Promise<Context> {
  const { forge, warn } = adapters;
  const { run } = request;
  if (recipient.kind !== 'pull-request') {
    const { sha } = recipient;
    const known = await specsAt(sha, request.specs, forge, warn);
    const accepted = recipient.kind === 'branch' ? await acceptancesOfPush(recipient, adapters) : [];
    return { request, recipient, base: null, ...known, changed: null, accepted, own: null };
  }
  const { pullRequest } = recipient;
  const base = pullRequest.base.sha;
  const { accepted, outdated } = await acceptancesOf(pullRequest, run, adapters);
  await withdrawn(pullRequest, outdated, adapters);
  const changed = await changedFiles(pullRequest.number, adapters);
  const known = await specsAt(base, request.specs, forge, warn);
  const at = { sha: base, scripts: known.scripts };
  const own = [await ownMeasuring(changed, run.path, at, adapters), await sharedHead(pullRequest, adapters)].filter(
    (doubt) => doubt !== null,
  );
  return {
    request,
    recipient,
    base,
    ...known,
    changed: 'files' in changed ? changed.files : null,
    accepted,
    own: own.length === 0 ? null : own.join('; '),
  };
}

/**
 * Another pull request of the same commit, into another branch: a status belongs to the commit, so that what a lax branch lets pass
 * would let it pass everywhere. One that is closed can be opened again, and so counts as well. Null where there is none.
 */
async function sharedHead(pullRequest: PullRequest, { forge, warn }: ReportAdapters): Promise<string | null> {
  const { number, head, base } = pullRequest;
  const consequence = `Which other pull requests have ${head.sha.slice(0, 7)} is not known`;
  const all = await withFallback('unread', consequence, warn, () => forge.pullRequestsWith(head));
  if (all === 'unread') return `which other pull requests have its commit ${head.sha.slice(0, 7)} cannot be read`;
  const other = all.find((each) => each.number !== number && each.base.branch !== base.branch);
  if (other === undefined) return null;
  const closed = other.state === 'closed' ? ', which is closed,' : '';
  return `pull request ${other.number} into ${other.base.branch}${closed} has the same commit, and one status would speak for both: push a commit of its own`;
}

/** A label was meant for what had been pushed by then: it goes, so that everybody sees that it holds no more. */
async function withdrawn({ number }: PullRequest, labels: readonly string[], { forge, warn }: ReportAdapters) {
  for (const label of labels) {
    const consequence = `The label ${label} was set before the last push and holds no more; it cannot be removed`;
    await withFallback(undefined, consequence, warn, () => forge.removeLabel(number, label));
  }
}
