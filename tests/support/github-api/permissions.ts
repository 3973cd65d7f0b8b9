/** What a workflow's token may do. https://docs.github.com/rest/authentication/permissions-required-for-github-apps */
type Permission = 'actions' | 'checks' | 'contents' | 'issues' | 'metadata' | 'pages' | 'pull-requests' | 'statuses';
export type Permissions = Partial<Record<Permission, 'read' | 'write'>>;

interface Needed {
  any: Permission[];
  level: 'read' | 'write';
}

/** By operation, for those that the product calls; any one of the permissions is enough. */
const NEEDED: Record<string, Needed> = {
  'pulls/get': { any: ['pull-requests'], level: 'read' },
  'pulls/list': { any: ['pull-requests'], level: 'read' },
  'repos/list-pull-requests-associated-with-commit': { any: ['pull-requests'], level: 'read' },
  'pulls/list-files': { any: ['pull-requests'], level: 'read' },
  'pulls/list-commits': { any: ['pull-requests'], level: 'read' },
  'git/get-commit': { any: ['contents'], level: 'read' },
  'git/get-tree': { any: ['contents'], level: 'read' },
  'repos/get-content': { any: ['contents'], level: 'read' },
  'repos/compare-commits': { any: ['contents'], level: 'read' },
  'repos/compare-commits-with-basehead': { any: ['contents'], level: 'read' },
  'issues/list-comments': { any: ['issues', 'pull-requests'], level: 'read' },
  'issues/get-comment': { any: ['issues', 'pull-requests'], level: 'read' },
  'issues/create-comment': { any: ['issues', 'pull-requests'], level: 'write' },
  'issues/update-comment': { any: ['issues', 'pull-requests'], level: 'write' },
  'issues/delete-comment': { any: ['issues', 'pull-requests'], level: 'write' },
  'issues/list-events': { any: ['issues', 'pull-requests'], level: 'read' },
  'issues/remove-label': { any: ['issues', 'pull-requests'], level: 'write' },
  'repos/create-commit-status': { any: ['statuses'], level: 'write' },
  'repos/list-commit-statuses-for-ref': { any: ['statuses'], level: 'read' },
  'checks/create': { any: ['checks'], level: 'write' },
  'repos/get-collaborator-permission-level': { any: ['metadata'], level: 'read' },
  'repos/get': { any: ['metadata'], level: 'read' },
  'repos/get-pages': { any: ['pages'], level: 'read' },
  'actions/get-workflow-run': { any: ['actions'], level: 'read' },
  'actions/list-workflow-runs-for-repo': { any: ['actions'], level: 'read' },
  'actions/list-workflow-run-artifacts': { any: ['actions'], level: 'read' },
  'actions/download-artifact': { any: ['actions'], level: 'read' },
};

/** Whether a token with these may call the operation; null for one that nobody here has looked up. */
export function isAllowed(operation: string, permissions: Permissions): boolean | null {
  const needed = NEEDED[operation];
  if (needed === undefined) return null;
  // Every token may read what is public of a repository.
  const held: Permissions = { metadata: 'read', ...permissions };
  return needed.any.some((name) => held[name] === 'write' || (held[name] === 'read' && needed.level === 'read'));
}
