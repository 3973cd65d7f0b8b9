/** What the repository behind the API is, as a test makes it up. */
export interface Forge {
  /** `acme/api` */
  repository: string;
  defaultBranch: string;
  pulls: Pull[];
  comments: IssueComment[];
  statuses: Status[];
  checks: Record<string, unknown>[];
  events: IssueEvent[];
  runs: Run[];
  artifacts: Artifact[];
  commits: Map<string, { parents: string[]; message: string }>;
  /** Branch → its commits, the newest first. */
  branches: Map<string, string[]>;
  /** Commit → path → text. */
  files: Map<string, Record<string, string>>;
  /** As `repos/get-pages` answers; null where Pages is not enabled. */
  site: { html_url: string; build_type: 'legacy' | 'workflow'; source: { branch: string; path: string } } | null;
  /** Login → permission. */
  collaborators: Map<string, 'admin' | 'write' | 'read'>;
}

export interface Pull {
  number: number;
  state: 'open' | 'closed';
  head: { sha: string; ref: string; owner: string; repository: string };
  base: { sha: string; ref: string };
  labels: string[];
  files: string[];
  messages: string[];
  /** As which commit it was merged, and when; null for one that is only to be merged so. */
  merged?: { sha: string; at: string | null } | undefined;
}

export interface IssueComment {
  id: number;
  issue: number;
  body: string;
  author: string;
}

interface Status {
  sha: string;
  context: string;
  state: string;
  description: string | null;
  target_url: string | null;
}

interface IssueEvent {
  issue: number;
  event: 'labeled' | 'unlabeled' | 'head_ref_force_pushed';
  /** Absent where the event is about none. */
  label?: string;
  actor: string;
  created_at: string;
}

export interface Run {
  id: number;
  run_attempt: number;
  event: string;
  path: string;
  head_sha: string;
  head_branch: string;
  head_repository: string;
  conclusion: string | null;
  created_at: string;
}

interface Artifact {
  id: number;
  run: number;
  name: string;
  zip: Uint8Array;
  expired: boolean;
}

export function emptyForge(repository = 'acme/api'): Forge {
  return {
    repository,
    defaultBranch: 'main',
    pulls: [],
    comments: [],
    statuses: [],
    checks: [],
    events: [],
    runs: [],
    artifacts: [],
    commits: new Map(),
    branches: new Map([['main', []]]),
    files: new Map(),
    site: null,
    collaborators: new Map(),
  };
}
