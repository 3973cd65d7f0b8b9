import { describe, expect, it } from 'vitest';
import {
  type CheckoutFacts,
  checkoutText,
  chooseCommit,
  unknownCommitSentence,
  type WorkflowFacts,
} from '../../../src/core/baseline/commit.ts';

const HEAD = 'a'.repeat(40);
const PARENT = 'b'.repeat(40);
const OTHER = 'c'.repeat(40);
const BASE = 'd'.repeat(40);

/** A branch with a commit of its own, on a laptop. */
function checkout(changes: Partial<CheckoutFacts> = {}): CheckoutFacts {
  return {
    head: HEAD,
    branch: 'feature/x',
    parents: [{ sha: PARENT, here: true }],
    shallow: false,
    changes: { tracked: 0, untracked: 0 },
    base: { name: 'origin/main', mergeBase: BASE },
    ...changes,
  };
}

const LAPTOP: WorkflowFacts = {
  event: null,
  sha: null,
  ref: null,
  baseBranch: null,
  pullRequestHead: null,
  defaultBranch: null,
};
const PULL_REQUEST: WorkflowFacts = {
  event: 'pull_request',
  sha: HEAD,
  ref: 'refs/pull/12/merge',
  baseBranch: 'main',
  pullRequestHead: OTHER,
  defaultBranch: 'main',
};
const PUSH: WorkflowFacts = {
  ...PULL_REQUEST,
  event: 'push',
  ref: 'refs/heads/main',
  baseBranch: null,
  pullRequestHead: null,
};

const DEEPER = 'Fetch the history: `fetch-depth: 0` for actions/checkout, or by hand: git fetch --unshallow';
const ONE_DEEPER = 'Fetch one commit more: `fetch-depth: 2` for actions/checkout, or by hand: git fetch --deepen=1';
const merge = [
  { sha: PARENT, here: true },
  { sha: OTHER, here: true },
];
const onMain = { branch: 'main', base: { name: 'origin/main', mergeBase: HEAD } };
const changed = { changes: { tracked: 1, untracked: 0 } };

describe('the commit that a change is held against', () => {
  it.each([
    [
      'in a pull request is the first parent of the merge',
      checkout({ parents: merge, branch: null }),
      PULL_REQUEST,
      {
        sha: PARENT,
        why: 'first parent of the merge commit',
        preferMeasured: false,
      },
    ],
    [
      'in a pull request whose own head is checked out is the merge-base',
      checkout(),
      { ...PULL_REQUEST, sha: OTHER },
      {
        sha: BASE,
        why: 'merge-base with origin/main',
        preferMeasured: false,
      },
    ],
    [
      'in a pull request is the merge-base where a forge checks out its head: the commits before the last count as well',
      checkout(),
      { ...PULL_REQUEST, pullRequestHead: HEAD },
      {
        sha: BASE,
        why: 'merge-base with origin/main',
        preferMeasured: false,
      },
    ],
    [
      'in a pull request is the merge-base where its head is a merge of its own',
      checkout({ parents: merge, branch: null }),
      { ...PULL_REQUEST, pullRequestHead: HEAD },
      {
        sha: BASE,
        why: 'merge-base with origin/main',
        preferMeasured: false,
      },
    ],
    [
      'on a branch is the merge-base',
      checkout(),
      LAPTOP,
      {
        sha: BASE,
        why: 'merge-base with origin/main',
        preferMeasured: false,
      },
    ],
    [
      'on a branch stays the merge-base where files are changed',
      checkout(changed),
      LAPTOP,
      {
        sha: BASE,
        why: 'merge-base with origin/main',
        preferMeasured: false,
      },
    ],
    [
      'on the main branch is the commit before',
      checkout(onMain),
      LAPTOP,
      {
        sha: PARENT,
        why: 'the commit before HEAD',
        preferMeasured: true,
      },
    ],
    [
      'on the main branch with changed files is HEAD',
      checkout({ ...onMain, ...changed }),
      LAPTOP,
      {
        sha: HEAD,
        why: 'HEAD, without the uncommitted changes',
        preferMeasured: false,
      },
    ],
    [
      'on the main branch is HEAD where git cannot say whether files are changed',
      checkout({ ...onMain, changes: { tracked: 0, untracked: 0, unknown: true } }),
      LAPTOP,
      {
        sha: HEAD,
        why: 'HEAD, without the uncommitted changes',
        preferMeasured: false,
      },
    ],
    [
      'after a push is the commit before, whatever the job has left',
      checkout({ ...onMain, ...changed }),
      PUSH,
      {
        sha: PARENT,
        why: 'the commit before HEAD',
        preferMeasured: true,
      },
    ],
  ])('%s', (_title, facts, workflow, choice) => {
    expect(chooseCommit(facts, workflow)).toEqual(choice);
  });

  it.each([
    [
      'no commit',
      checkout({ head: null }),
      LAPTOP,
      {
        code: 'no-commit',
        message: 'The repository has no commit yet.',
        sha: null,
      },
    ],
    [
      'a first commit',
      checkout({ ...onMain, parents: [] }),
      LAPTOP,
      {
        code: 'first-commit',
        message: 'HEAD is the first commit, so there is none before it.',
        sha: null,
      },
    ],
    [
      'no main branch',
      checkout({ base: null }),
      LAPTOP,
      {
        code: 'no-base-branch',
        message:
          'No branch origin/HEAD, main or master is here to compare with, and which branch is the default one is not known. Say so (git remote set-head origin --auto), or name a commit: --baseline commit:REF',
        sha: null,
      },
    ],
    [
      'the first commit of all, on a branch of any name',
      checkout({ base: null, parents: [] }),
      LAPTOP,
      { code: 'first-commit', message: 'HEAD is the first commit, so there is none before it.', sha: null },
    ],
    [
      'nothing in common',
      checkout({ base: { name: 'main', mergeBase: null } }),
      LAPTOP,
      {
        code: 'unrelated-histories',
        message:
          'HEAD and main have no commit in common: one of them may have been force-pushed. Rebase, or name a commit: --baseline commit:REF',
        sha: null,
      },
    ],
    [
      'a shallow checkout of a branch',
      checkout({ shallow: true, base: { name: 'origin/main', mergeBase: null } }),
      LAPTOP,
      {
        code: 'shallow-checkout',
        message: `The checkout is shallow, and where it left origin/main is not in it. ${DEEPER}`,
        sha: null,
      },
    ],
    [
      'a shallow checkout of a merge, whose parent is known all the same',
      checkout({ shallow: true, parents: merge.map((parent) => ({ ...parent, here: false })) }),
      PULL_REQUEST,
      {
        code: 'shallow-checkout',
        message: `The checkout is shallow, and bbbbbbb, first parent of the merge commit, is not in it. ${ONE_DEEPER}`,
        sha: PARENT,
      },
    ],
    [
      'a shallow checkout without any branch to compare with',
      checkout({ shallow: true, base: null }),
      PUSH,
      {
        code: 'shallow-checkout',
        message: `The checkout is shallow, and no branch origin/HEAD, main or master is in it to compare with. ${DEEPER}`,
        sha: null,
      },
    ],
  ])('is none, with the reason: %s', (_title, facts, workflow, absent) => {
    expect(chooseCommit(facts, workflow)).toEqual(absent);
  });
});

describe('the candidate', () => {
  it.each([
    [checkout(), LAPTOP, 'working tree at aaaaaaa (feature/x)'],
    [checkout(changed), LAPTOP, 'working tree at aaaaaaa (feature/x), with uncommitted changes'],
    [
      checkout({ branch: null, changes: { tracked: 0, untracked: 2 } }),
      LAPTOP,
      'working tree at aaaaaaa, with files that git does not know',
    ],
    [
      checkout({ branch: null, changes: { tracked: 0, untracked: 0, unknown: true } }),
      LAPTOP,
      'working tree at aaaaaaa, of which git cannot say whether it was changed',
    ],
    [checkout({ branch: null }), PULL_REQUEST, 'checkout of aaaaaaa (pull/12/merge)'],
    [checkout({ branch: 'main' }), PUSH, 'checkout of aaaaaaa (main)'],
    [checkout({ branch: null }), { ...PUSH, sha: OTHER }, 'checkout of aaaaaaa'],
    [checkout({ head: null }), LAPTOP, 'working tree without a commit'],
  ])('is the checkout as it stands', (facts, workflow, text) => {
    expect(checkoutText(facts, workflow)).toBe(text);
  });
});

describe('a commit that is not here', () => {
  it('is told with what to do', () => {
    expect(unknownCommitSentence('v9', false)).toBe(
      'The repository has no commit `v9`. See: git branch --all, git tag',
    );
    expect(unknownCommitSentence('v9', true)).toBe(
      `The repository has no commit \`v9\`. The checkout is shallow. ${DEEPER}`,
    );
  });
});
