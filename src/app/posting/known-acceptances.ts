import type { Acceptance } from '../../core/comparison/comparison.ts';
import { acceptanceOfLabel, acceptancesOfMessage } from '../../core/posting/acceptances.ts';
import { headSince } from '../../core/posting/head-history.ts';
import type { Forge, LabelSet, PullRequest, WorkflowRun } from '../ports/forge.ts';
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
  const { accepted, outdated } = await byLabel(pullRequest, run, asking);
  if (pullRequest.fromFork) return { accepted, outdated };
  const consequence = `No line \`Perf-Accept\` of pull request ${pullRequest.number} is known, and none counts`;
  const messages = await withFallback([], consequence, asking.warn, () =>
    asking.forge.commitMessages(pullRequest.number),
  );
  return { accepted: [...accepted, ...messages.flatMap(acceptancesOfMessage)], outdated };
}

/** A commit of the repository's own branch was let in by somebody who may write. */
export async function acceptancesOfPush(sha: string, { forge, warn }: Asking): Promise<Acceptance[]> {
  const consequence = `No line \`Perf-Accept\` of ${sha.slice(0, 7)} is known, and none counts`;
  const commit = await withFallback(null, consequence, warn, () => forge.commit(sha));
  return commit === null ? [] : acceptancesOfMessage(commit.message);
}

async function byLabel(pullRequest: PullRequest, run: WorkflowRun, { forge, warn }: Asking): Promise<FoundAcceptances> {
  const found: FoundAcceptances = { accepted: [], outdated: [] };
  const accepting = pullRequest.labels.filter((label) => acceptanceOfLabel(label, '') !== null);
  if (accepting.length === 0) return found;
  const sha = pullRequest.head.sha.slice(0, 7);
  const consequence = `Whether a label was set for ${sha} is not known, so that none counts`;
  const known = await withFallback(null, consequence, warn, async () => ({
    set: await forge.labelsSet(pullRequest.number),
    since: await pushedAt(run, forge),
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
  const own = listed.filter((each) => each.head.branch === head.branch && each.head.owner === head.owner);
  return headSince(
    own.map((each) => ({ run: each.id, sha: each.head.sha, at: each.createdAt })),
    head.sha,
  );
}
