/** What Gitea has not, as operations of GitHub's description: recorded as 404. */
export const NOT_IN_GITEA = [
  'actions/',
  'checks/create',
  'issues/list-events',
  'repos/list-pull-requests-associated-with-commit',
];

type Body = Record<string, unknown>;

/** An answer of the made-up GitHub as Gitea gives it, where the two differ. Held against what was recorded of Gitea. */
export function giteaShape(operation: string, body: unknown): unknown {
  switch (operation) {
    case 'pulls/get':
      return pull(body as Body);
    case 'pulls/list':
      return (body as Body[]).map(pull);
    case 'git/get-commit': {
      const { sha, message, parents } = body as Body;
      return { sha, commit: { message: `${message}\n` }, parents };
    }
    case 'repos/compare-commits-with-basehead':
      return { total_commits: (body as Body).total_commits, commits: [] };
    case 'repos/list-commit-statuses-for-ref':
      // Of one second, in no order.
      return (body as Body[]).map(status).toReversed();
    default:
      return body;
  }
}

function pull({ head, ...rest }: Body): Body {
  const { user, repo, ...own } = head as { user: unknown; repo: Body | null };
  return { ...rest, head: { ...own, repo: repo === null ? null : { ...repo, owner: user } } };
}

function status({ state, target_url, sha: _, ...rest }: Body): Body {
  return { ...rest, status: state, target_url: target_url ?? '' };
}
