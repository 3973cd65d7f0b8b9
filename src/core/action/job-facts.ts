import { isMap } from '../plain-data.ts';

/** What GitHub Actions says of the job that this runs in: variables of its environment, and the event's file. */
export interface JobFacts {
  event: string;
  /** `acme/api` */
  repository: string;
  apiUrl: string;
  /** Null where the forge has none. */
  graphqlUrl: string | null;
  serverUrl: string;
  runId: number;
  /** Its number in the repository, where a page of a run may be found by that (Gitea, Forgejo); null elsewhere. */
  runNumber: number | null;
  runAttempt: number;
  /** `.github/workflows/benchmark.yml` */
  workflowPath: string;
  /** The commit that was checked out: of a pull request the merge. */
  sha: string;
  /** `refs/heads/main` */
  ref: string;
  defaultBranch: string | null;
  workspace: string;
  runnerTemp: string | null;
  /** Of the event; null for another one. */
  pullRequest: PullRequestFacts | null;
  /** Of `workflow_run`; null for another event. */
  workflowRunId: number | null;
  /** Commit that it was of, of a pull request the head. */
  workflowRunHead: string | null;
  /** That it was of: `schedule`. */
  workflowRunEvent: string | null;
  /** GitHub's own servers, and not GitHub Enterprise Server: artifacts and caches are there. */
  hosted: boolean;
}

interface PullRequestFacts {
  number: number;
  headSha: string;
  headBranch: string;
  headOwner: string;
  baseSha: string;
  baseBranch: string;
  fromFork: boolean;
}

type Variables = Record<string, string | undefined>;

/** `event`: the parsed file; whatever it holds, this throws nothing. */
export function jobFacts(variables: Variables, event: unknown): JobFacts {
  const { GITHUB_REPOSITORY: repository = '' } = variables;
  const serverUrl = addressOf(variables.GITHUB_SERVER_URL ?? 'https://github.com');
  const payload = isMap(event) ? event : {};
  return {
    event: variables.GITHUB_EVENT_NAME ?? '',
    repository,
    apiUrl: addressOf(variables.GITHUB_API_URL ?? 'https://api.github.com'),
    graphqlUrl: variables.GITHUB_GRAPHQL_URL || null,
    serverUrl,
    runId: numberOf(variables.GITHUB_RUN_ID),
    runNumber: isNumbering(variables) ? numberOf(variables.GITHUB_RUN_NUMBER) || null : null,
    runAttempt: numberOf(variables.GITHUB_RUN_ATTEMPT) || 1,
    workflowPath: workflowPathOf(variables.GITHUB_WORKFLOW_REF ?? '', repository),
    sha: variables.GITHUB_SHA ?? '',
    ref: variables.GITHUB_REF ?? '',
    defaultBranch: textAt(payload, 'repository', 'default_branch'),
    workspace: variables.GITHUB_WORKSPACE ?? '',
    runnerTemp: variables.RUNNER_TEMP ?? null,
    pullRequest: pullRequestOf(payload),
    workflowRunId: numberAt(payload, 'workflow_run', 'id'),
    workflowRunHead: textAt(payload, 'workflow_run', 'head_sha'),
    workflowRunEvent: textAt(payload, 'workflow_run', 'event'),
    hosted: isHosted(serverUrl),
  };
}

/** Without a slash at its end: paths are put behind it. */
function addressOf(url: string): string {
  return url.replace(/\/+$/, '');
}

/** Their runners say that they are none of GitHub's; that of Forgejo says both. */
function isNumbering({ GITEA_ACTIONS, FORGEJO_ACTIONS }: Variables): boolean {
  return GITEA_ACTIONS === 'true' || FORGEJO_ACTIONS === 'true';
}

/** `acme/api/.github/workflows/benchmark.yml@refs/heads/main` */
function workflowPathOf(reference: string, repository: string): string {
  const path = reference.replace(/@.*$/, '');
  return path.startsWith(`${repository}/`) ? path.slice(repository.length + 1) : path;
}

function pullRequestOf(payload: Record<string, unknown>): PullRequestFacts | null {
  const number = numberAt(payload, 'pull_request', 'number');
  const headSha = textAt(payload, 'pull_request', 'head', 'sha');
  const baseSha = textAt(payload, 'pull_request', 'base', 'sha');
  if (number === null || headSha === null || baseSha === null) return null;
  const headRepository = textAt(payload, 'pull_request', 'head', 'repo', 'full_name');
  return {
    number,
    headSha,
    headBranch: textAt(payload, 'pull_request', 'head', 'ref') ?? '',
    // Gitea names no user of a branch: its repository's owner is the same.
    headOwner:
      textAt(payload, 'pull_request', 'head', 'user', 'login') ??
      textAt(payload, 'pull_request', 'head', 'repo', 'owner', 'login') ??
      '',
    baseSha,
    baseBranch: textAt(payload, 'pull_request', 'base', 'ref') ?? '',
    fromFork: headRepository !== textAt(payload, 'repository', 'full_name'),
  };
}

/** As `@actions/artifact` tells them apart: github.com, *.ghe.com, and the machine itself. */
function isHosted(serverUrl: string): boolean {
  const host = /^https?:\/\/([^/:]+)/i.exec(serverUrl)?.[1]?.toLowerCase() ?? '';
  return host === 'github.com' || host.endsWith('.ghe.com') || host.endsWith('.localhost');
}

function valueAt(map: Record<string, unknown>, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (found, key) => (isMap(found) && Object.hasOwn(found, key) ? found[key] : undefined),
    map,
  );
}

function textAt(map: Record<string, unknown>, ...path: string[]): string | null {
  const value = valueAt(map, path);
  return typeof value === 'string' && value !== '' ? value : null;
}

function numberAt(map: Record<string, unknown>, ...path: string[]): number | null {
  const value = valueAt(map, path);
  return typeof value === 'number' && Number.isSafeInteger(value) ? value : null;
}

function numberOf(text: string | undefined): number {
  const number = Number(text ?? '');
  return Number.isSafeInteger(number) ? number : 0;
}
