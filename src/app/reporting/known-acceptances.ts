import type { Acceptance } from '../../core/comparison/comparison.ts';
import { acceptanceOfLabel, acceptancesOfMessage } from '../../core/reporting/acceptances.ts';
import type { Forge, PullRequest, WorkflowRun } from '../ports/forge.ts';

/**
 * What is accepted on a pull request: by a label that somebody who may write set after the run's commit was pushed, and by
 * trailers of its commits where its branch is the repository's own. GitHub makes the workflow run when the commit is
 * pushed, so that the time of the first run of a commit is that of the push; dates of commits say what their author likes.
 */
export async function acceptancesOf(
  pullRequest: PullRequest,
  firstRunAt: string,
  forge: Forge,
): Promise<{ accepted: Acceptance[]; outdated: string[] }> {
  const accepted: Acceptance[] = [];
  const outdated: string[] = [];
  if (pullRequest.labels.some((label) => acceptanceOfLabel(label, '') !== null)) {
    for (const { label, by, at } of await forge.labelsSet(pullRequest.number)) {
      const acceptance = acceptanceOfLabel(label, by);
      if (acceptance === null || !pullRequest.labels.includes(label)) continue;
      if (Date.parse(at) < Date.parse(firstRunAt)) outdated.push(label);
      else if (await forge.mayWrite(by)) accepted.push(acceptance);
    }
  }
  const messages = pullRequest.fromFork ? [] : await forge.commitMessages(pullRequest.number);
  return { accepted: [...accepted, ...messages.flatMap(acceptancesOfMessage)], outdated };
}

/** A commit of the repository's own branch was let in by somebody who may write. */
export async function acceptancesOfPush(sha: string, forge: Forge): Promise<Acceptance[]> {
  const commit = await forge.commit(sha);
  return commit === null ? [] : acceptancesOfMessage(commit.message);
}

/** The first run of the commit: later attempts and re-runs are of the same push. */
export function firstRunAt(run: WorkflowRun, others: readonly WorkflowRun[]): string {
  return [run, ...others].map(({ createdAt }) => createdAt).sort()[0]!;
}
