import type { Reason } from '../measurement/names.ts';

/** What a repository tells of the checkout that the spec lies in. */
export interface CheckoutFacts {
  /** Null before the first commit. */
  head: string | null;
  /** `main`; null where no branch is checked out. */
  branch: string | null;
  /** Of HEAD, as its commit names them; in a shallow checkout they need not be here. */
  parents: { sha: string; here: boolean }[];
  shallow: boolean;
  /** Files that differ from HEAD, and files that git neither knows nor ignores. */
  changes: {
    tracked: number;
    untracked: number;
    /** Git could not tell, so that there may be some. */
    unknown?: true;
  };
  /** The branch that this one grew from, and where both last met; null where no such branch is known. */
  base: { name: string; mergeBase: string | null } | null;
}

/** What a workflow says of itself; all null outside of one. */
export interface WorkflowFacts {
  /** `pull_request`, `push`, … */
  event: string | null;
  /** The commit that the event is about; for a pull request the merge of both sides. */
  sha: string | null;
  /** `refs/pull/12/merge` */
  ref: string | null;
  /** Branch that a pull request is to be merged into, without `refs/heads/`. */
  baseBranch: string | null;
  /** Its own last commit; null outside of one. */
  pullRequestHead: string | null;
  /** Of the repository. */
  defaultBranch: string | null;
}

export interface ChosenCommit {
  sha: string;
  /** `merge-base with main` */
  why: string;
  /** On the main line: what was not measured since is compared as well, so an earlier commit that was is better. */
  preferMeasured: boolean;
}

/** Why there is no commit to build; `sha` where it is known all the same, and only its files are not here. */
export interface AbsentCommit extends Reason {
  sha: string | null;
}

/**
 * Which commit the candidate is compared with where nobody names one. In a pull request the first parent of the merge
 * commit, so that what the base branch has changed is blamed on nobody; else the merge-base; on the base branch itself
 * the commit before.
 *
 *     GitHub checks out the merge M          other forges the head H, whatever it is
 *
 *     base ──●──────●─────M                  base ──●──────●
 *             \         /                           \
 *              ●──●──H                                ●──●──H      the commit before H would leave the others unmeasured
 */
export function chooseCommit(facts: CheckoutFacts, workflow: WorkflowFacts): ChosenCommit | AbsentCommit {
  const { head, parents, base } = facts;
  if (head === null) return absent('no-commit', 'The repository has no commit yet.');
  if (isMergeOfPullRequest(facts, workflow)) return firstParent(facts, 'first parent of the merge commit', false);
  if (base === null) {
    if (parents.length === 0) return absent('first-commit', FIRST_COMMIT);
    if (facts.shallow) {
      const where = 'no branch origin/HEAD, main or master is in it to compare with';
      return absent('shallow-checkout', `The checkout is shallow, and ${where}. ${DEEPER}`);
    }
    return absent(
      'no-base-branch',
      'No branch origin/HEAD, main or master is here to compare with, and which branch is the default one is not known. Say so (git remote set-head origin --auto), or name a commit: --baseline commit:REF',
    );
  }
  if (base.mergeBase === null) {
    return facts.shallow
      ? absent('shallow-checkout', `The checkout is shallow, and where it left ${base.name} is not in it. ${DEEPER}`)
      : absent(
          'unrelated-histories',
          `HEAD and ${base.name} have no commit in common: one of them may have been force-pushed. Rebase, or name a commit: --baseline commit:REF`,
        );
  }
  if (base.mergeBase !== head) {
    return { sha: base.mergeBase, why: `merge-base with ${base.name}`, preferMeasured: false };
  }
  // A workflow checks out what it measures: what it leaves beside that is no change of the author's.
  if (workflow.event === null && isChanged(facts)) {
    return { sha: head, why: 'HEAD, without the uncommitted changes', preferMeasured: false };
  }
  return parents.length === 0
    ? absent('first-commit', FIRST_COMMIT)
    : firstParent(facts, 'the commit before HEAD', true);
}

/** Whether HEAD is the forge's own merge of a pull request into its base. A head that is a merge commit itself is none. */
function isMergeOfPullRequest(
  { head, parents }: Pick<CheckoutFacts, 'head' | 'parents'>,
  { event, sha, pullRequestHead }: Pick<WorkflowFacts, 'event' | 'sha' | 'pullRequestHead'>,
): boolean {
  if (event !== 'pull_request' || head === null || head !== sha || parents.length !== 2) return false;
  return pullRequestHead === null || parents[1]!.sha === pullRequestHead;
}

export function isChanged({ changes }: Pick<CheckoutFacts, 'changes'>): boolean {
  return changes.tracked > 0 || changes.untracked > 0 || changes.unknown === true;
}

const FIRST_COMMIT = 'HEAD is the first commit, so there is none before it.';
const DEEPER = 'Fetch the history: `fetch-depth: 0` for actions/checkout, or by hand: git fetch --unshallow';
const ONE_DEEPER = 'Fetch one commit more: `fetch-depth: 2` for actions/checkout, or by hand: git fetch --deepen=1';

function firstParent({ parents }: CheckoutFacts, why: string, preferMeasured: boolean): ChosenCommit | AbsentCommit {
  const parent = parents[0];
  if (parent === undefined) return absent('first-commit', FIRST_COMMIT);
  if (parent.here) return { sha: parent.sha, why, preferMeasured };
  return {
    ...absent(
      'shallow-checkout',
      `The checkout is shallow, and ${shortSha(parent.sha)}, ${why}, is not in it. ${ONE_DEEPER}`,
    ),
    sha: parent.sha,
  };
}

function absent(code: string, message: string): AbsentCommit {
  return { code, message, sha: null };
}

export function shortSha(sha: string): string {
  return sha.slice(0, 7);
}

/** What a person who named a commit that is not here should know. */
export function unknownCommitSentence(ref: string, shallow: boolean): string {
  const why = shallow ? ` The checkout is shallow. ${DEEPER}` : ' See: git branch --all, git tag';
  return `The repository has no commit \`${ref}\`.${why}`;
}

/** How the candidate was had: the checkout as it stands. */
export function checkoutText(facts: CheckoutFacts, workflow: WorkflowFacts): string {
  if (facts.head === null) return 'working tree without a commit';
  const of = workflow.event !== null && facts.head === workflow.sha ? workflow.ref : facts.branch;
  const where = `${workflow.event === null ? 'working tree at' : 'checkout of'} ${shortSha(facts.head)}`;
  return `${where}${of === null ? '' : ` (${of.replace(/^refs\/(heads\/)?/, '')})`}${changesText(facts)}`;
}

function changesText({ changes: { tracked, untracked, unknown } }: CheckoutFacts): string {
  if (unknown) return ', of which git cannot say whether it was changed';
  if (tracked > 0) return ', with uncommitted changes';
  return untracked > 0 ? ', with files that git does not know' : '';
}
