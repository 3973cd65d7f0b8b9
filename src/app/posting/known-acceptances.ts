import type { Acceptance } from '../../core/comparison/comparison.ts';
import { acceptanceOfLabel, acceptancesOfMessage } from '../../core/posting/acceptances.ts';
import { headSince, type SeenHead } from '../../core/posting/head-history.ts';
import { mergedNumber } from '../../core/posting/merged-number.ts';
import type { Forge, LabelSet, ListedRun, MergedPullRequest, PullRequest, WorkflowRun } from '../ports/forge.ts';
import { withFallback } from './degrade.ts';

/** What cannot be asked is not accepted, and told. */
interface Asking {
  forge: Forge;
  warn(text: string): void;
}

interface FoundAcceptances {
  accepted: Acceptance[];
  /** Labels that were set for another head. */
  outdated: string[];
}

/**
 * What is accepted on a pull request: by a label that somebody who may write set on the head that was measured, and by
 * trailers of its commits where its branch is the repository's own.
 */
export async function acceptancesOf(
  pullRequest: PullRequest,
  run: WorkflowRun,
  asking: Asking,
): Promise<FoundAcceptances> {
  const { accepted, outdated } = await byLabel(pullRequest, () => pushedAt(run, asking.forge), asking);
  return { accepted: [...accepted, ...(await byTrailer(pullRequest, asking))], outdated };
}

/**
 * What is accepted of a commit of the repository's own branch: by its message, and as what was accepted on the pull request that was
 * merged as this commit. The message of one that a fork brought counts for nothing: a squash puts the fork's own lines into it, and a
 * merge queue takes its commits.
 */
export async function acceptancesOfPush(
  { sha, branch }: { sha: string; branch: string },
  asking: Asking,
): Promise<Acceptance[]> {
  const { forge, warn } = asking;
  const consequence = `No line \`Perf-Accept\` of ${sha.slice(0, 7)} is known, and none counts`;
  const commit = await withFallback(null, consequence, warn, () => forge.commit(sha));
  const unknown = `Which pull request was merged as ${sha.slice(0, 7)} is not known, and no line or label of it counts`;
  const bringing = await withFallback(null, unknown, warn, () => forge.pullRequestsBringing(sha));
  if (bringing === null) return [];
  const lines = commit === null ? [] : linesOf([commit.message], `commit ${sha.slice(0, 7)}`, warn);
  const isBrought = bringing.some(({ fromFork, merged, head }) => fromFork && (merged !== null || head.sha === sha));
  const isKnown = isBrought || bringing.some(({ merged }) => merged?.as === sha);
  const isNamed = !isKnown && lines.length > 0 && (await isMadeOfFork(commit!.message, branch, asking));
  const isOfFork = isBrought || isNamed;
  if (isOfFork && lines.length > 0) {
    warn(
      `The \`Perf-Accept\` line of ${sha.slice(0, 7)} does not count, since the commit came from a fork. Set a label instead.`,
    );
  }
  const own = isOfFork ? [] : lines;
  const [merged] = bringing.flatMap((each) => (each.merged?.as === sha ? [{ ...each, mergedAt: each.merged.at }] : []));
  if (merged === undefined) return own;
  const { accepted, outdated } = await byLabel(merged, () => mergedHeadSince(merged, forge), asking);
  for (const label of outdated) {
    warn(`The label ${label} of pull request ${merged.number} does not count: it was set before the last push.`);
  }
  return [...own, ...accepted, ...(await byTrailer(merged, asking))];
}

/** Whether the commit says by its names that a fork's pull request was merged as it; so it counts where nobody knows. */
async function isMadeOfFork(message: string, branch: string, { forge, warn }: Asking): Promise<boolean> {
  const number = mergedNumber(message, branch);
  if (number === null) return false;
  const consequence = `Whether pull request ${number} comes from a fork is not known`;
  const named = await withFallback('unread', consequence, warn, () => forge.pullRequest(number));
  return named === 'unread' || named?.fromFork === true;
}

/** Anybody writes what they like into a fork's commits. */
async function byTrailer({ number, fromFork }: PullRequest, { forge, warn }: Asking): Promise<Acceptance[]> {
  if (fromFork) return [];
  const consequence = `No line \`Perf-Accept\` of pull request ${number} is known, and none counts`;
  const messages = await withFallback([], consequence, warn, () => forge.commitMessages(number));
  if (messages !== null) return linesOf(messages, `pull request ${number}`, warn);
  warn(
    `No \`Perf-Accept\` line of pull request ${number} counts, since it has more commits than the forge lists. Set a label instead.`,
  );
  return [];
}

/** None of a message that cannot be read to its end. */
function linesOf(messages: readonly string[], where: string, warn: Asking['warn']): Acceptance[] {
  return messages.flatMap((message) => {
    const lines = acceptancesOfMessage(message);
    if (lines !== null) return lines;
    warn(`A message of ${where} is too long, or has too many \`Perf-Accept\` lines: none of them counts.`);
    return [];
  });
}

/** `headPushed`: when the head that the pull request has was pushed; null where nobody knows. */
async function byLabel(
  pullRequest: PullRequest,
  headPushed: () => Promise<string | null>,
  { forge, warn }: Asking,
): Promise<FoundAcceptances> {
  const found: FoundAcceptances = { accepted: [], outdated: [] };
  const accepting = pullRequest.labels.filter((label) => acceptanceOfLabel(label, '') !== null);
  if (accepting.length === 0) return found;
  const sha = pullRequest.head.sha.slice(0, 7);
  const consequence = `Whether a label was set for ${sha} is not known, so that none counts`;
  const known = await withFallback(null, consequence, warn, async () => ({
    set: await forge.labelsSet(pullRequest.number),
    since: await headPushed(),
  }));
  if (known === null) return found;
  const { since } = known;
  for (const each of known.set.filter(({ label }) => accepting.includes(label))) {
    if (since === null) warn(`The label ${each.label} does not count: no run shows when ${sha} was pushed.`);
    else if (each.pushedOver || Date.parse(each.at) < Date.parse(since)) found.outdated.push(each.label);
    else if (await isByWriter(each, { forge, warn })) found.accepted.push(acceptanceOfLabel(each.label, each.by)!);
  }
  return found;
}

async function isByWriter({ label, by }: LabelSet, { forge, warn }: Asking): Promise<boolean> {
  const consequence = `Whether ${by} may write here is not known, so that the label ${label} does not count`;
  const may = await withFallback('unread', consequence, warn, () => forge.mayWrite(by));
  if (may === false) warn(`The label ${label} does not count: ${by}, who set it, may not write here.`);
  return may === true;
}

/**
 * When the run's commit became the head that it still is. GitHub makes runs when a branch is pushed to, while dates of
 * commits say what their author likes. Runs of all workflows tell, since one that filters paths may have seen less. Null
 * where the run itself is not among those that the forge lists: others may be missing as well.
 */
async function pushedAt({ id, event, head }: WorkflowRun, forge: Forge): Promise<string | null> {
  const listed = await forge.runsOn(head.branch, event);
  if (!listed.some((each) => each.id === id)) return null;
  return headSince(ofHead(listed, head), head.sha);
}

/** What makes runs for a pull request. One event's are looked at, as of an open one: what they call its head need not be the same. */
const PULL_REQUEST_EVENTS = ['pull_request', 'pull_request_target'];

/** The same of one that is merged: no run of it is in question, and later ones of a branch of that name are of something else. */
async function mergedHeadSince({ head, mergedAt }: MergedPullRequest, forge: Forge): Promise<string | null> {
  for (const event of PULL_REQUEST_EVENTS) {
    const listed = await forge.runsOn(head.branch, event);
    const before = listed.filter(({ createdAt }) => Date.parse(createdAt) <= Date.parse(mergedAt));
    const own = ofHead(before, head);
    if (own.length > 0) return headSince(own, head.sha);
  }
  return null;
}

function ofHead(listed: readonly ListedRun[], { branch, owner }: PullRequest['head']): SeenHead[] {
  return listed
    .filter(({ head }) => head.branch === branch && head.owner === owner)
    .map(({ id, head, createdAt }) => ({ run: id, sha: head.sha, at: createdAt }));
}
