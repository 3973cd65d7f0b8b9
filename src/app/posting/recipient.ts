import { shortSha } from '../../core/baseline/commit.ts';
import type { Comparison } from '../../core/comparison/comparison.ts';
import type { StatusMark } from '../../core/posting/status-mark.ts';
import type { Forge, PullRequest, WorkflowRun } from '../ports/forge.ts';

/** Who is told of a run. */
export type Recipient =
  | { kind: 'pull-request'; pullRequest: PullRequest }
  /** A commit of the repository's own; `publishes` where its run becomes a baseline. */
  | { kind: 'branch'; sha: string; branch: string; publishes: boolean }
  | { kind: 'merge-group'; sha: string }
  /** Nobody, and why. */
  | { kind: 'nobody'; why: string };

/** As in a report's request. */
interface Asked {
  run: WorkflowRun;
  defaultBranch: string;
  pullRequest?: number | null;
}

const PULL_REQUEST_EVENTS = ['pull_request', 'pull_request_target'];
/** What may happen on a branch of the repository itself. A fork's may have any name, and `main` is the most usual. */
const BRANCH_EVENTS = ['push', 'schedule', 'workflow_dispatch', 'repository_dispatch', 'release'];
const PUBLISHING_EVENTS = ['push', 'schedule', 'workflow_dispatch'];

/**
 * Found by what GitHub says of the run, never by what its artifact says: a fork's run brings no list of pull requests with
 * it, so that head repository, branch and commit tell which it is. One that has a later head by now is told nothing.
 */
export async function recipientOf({ run, defaultBranch, pullRequest }: Asked, forge: Forge): Promise<Recipient> {
  const { event, head, fromFork } = run;
  if (PULL_REQUEST_EVENTS.includes(event)) return await ofPullRequest(run, pullRequest ?? null, forge);
  if (event === 'merge_group') return { kind: 'merge-group', sha: head.sha };
  if (fromFork || !BRANCH_EVENTS.includes(event)) {
    return { kind: 'nobody', why: `a run of ${fromFork ? 'another repository' : event} is not reported anywhere` };
  }
  // A schedule is that of the default branch alone, and its event need not name the branch.
  const isDefault = event === 'schedule' || (defaultBranch !== '' && head.branch === defaultBranch);
  const publishes = isDefault && PUBLISHING_EVENTS.includes(event);
  return { kind: 'branch', sha: head.sha, branch: head.branch, publishes };
}

/** Of two open ones with the same head, for two bases, the event's, where it names one; else the first that is listed. */
async function ofPullRequest({ head }: WorkflowRun, named: number | null, forge: Forge): Promise<Recipient> {
  const open = await forge.pullRequestsOf(head);
  const own = open.filter(
    (each) =>
      each.head.branch === head.branch && each.head.owner === head.owner && (named === null || each.number === named),
  );
  const current = own.find((each) => each.head.sha === head.sha && each.state === 'open');
  if (current !== undefined) return { kind: 'pull-request', pullRequest: current };
  const why =
    own.length === 0
      ? `no open pull request comes from ${head.branch} of ${head.owner}`
      : `pull request ${own[0]!.number} has moved on to a later commit, which has its own run`;
  return { kind: 'nobody', why };
}

/**
 * What a status of theirs is judged against: each of a pull request by its base, whatever came of it; of a branch by what it was
 * compared with, if anything of it was.
 */
export function markOf(
  recipient: Recipient,
  comparison: Pick<Comparison, 'baseline' | 'skipped' | 'cases'> | null,
): StatusMark {
  if (recipient.kind === 'pull-request') return { base: recipient.pullRequest.base.branch };
  if (comparison === null || comparison.skipped !== null) return null;
  const { cases } = comparison;
  if (cases.length > 0 && cases.every(({ presence }) => presence === 'new')) return null;
  const { sha } = comparison.baseline;
  return { against: sha === null ? 'baseline' : shortSha(sha) };
}
