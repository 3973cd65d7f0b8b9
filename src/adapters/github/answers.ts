import {
  type Comment,
  ForgeFailure,
  type LinkedStatus,
  type ListedRun,
  type PullRequest,
} from '../../app/ports/forge.ts';
import type { CommitStatus } from '../../core/posting/status.ts';

/** What of GitHub's answers is read, and what it means here. https://docs.github.com/rest */

export interface ApiPull {
  number: number;
  state: string;
  head: { sha: string; ref: string; user: { login: string } | null; repo: { full_name: string } | null };
  base: { sha: string; ref: string };
  labels?: { name: string }[];
}

export interface ApiComment {
  id: number;
  body?: string | null;
  user: { login: string } | null;
  html_url: string;
}

export interface ApiStatus {
  context: string;
  state: CommitStatus['state'];
  description: string | null;
  target_url: string | null;
}

export interface ApiEvent {
  event: string;
  label?: { name: string };
  actor: { login: string } | null;
  created_at: string;
}

export interface ApiRun {
  id: number;
  run_attempt?: number;
  event: string;
  path: string;
  head_sha: string;
  head_branch: string | null;
  head_repository: { full_name: string; owner: { login: string } } | null;
  conclusion: string | null;
  created_at: string;
  html_url: string;
}

export interface ApiArtifact {
  id: number;
  name: string;
  size_in_bytes: number;
  expired: boolean;
}

export function pullRequestOf({ number, state, head, base, labels }: ApiPull, repository: string): PullRequest {
  return {
    number,
    state: state === 'open' ? 'open' : 'closed',
    head: { sha: head.sha, branch: head.ref, owner: head.user?.login ?? '' },
    base: { sha: base.sha, branch: base.ref },
    // A fork that is gone has no repository.
    fromFork: head.repo?.full_name !== repository,
    labels: (labels ?? []).map(({ name }) => name),
  };
}

/**
 * A file's text; null for a folder. GitHub gives it as it is where it is asked so, other forges give JSON with the text in
 * base64. Throws `ForgeFailure` where the text is not in the answer, as of a link that the forge does not follow.
 */
export function contentText(content: unknown, request: string): string | null {
  if (typeof content === 'string') return content;
  if (Array.isArray(content)) return null;
  const { type, encoding, content: text } = (content ?? {}) as Record<string, unknown>;
  if (type === 'file' && encoding === 'base64' && typeof text === 'string')
    return Buffer.from(text, 'base64').toString('utf8');
  throw new ForgeFailure(
    `${request} was answered without the text of a file (${String(type)}, ${String(encoding)}).`,
    null,
  );
}

export function commentOf({ id, body, user, html_url }: ApiComment): Comment {
  return { id, text: body ?? '', author: user?.login ?? null, url: html_url };
}

export function statusOf({ context, state, description, target_url }: ApiStatus): LinkedStatus {
  return { context, state, description: description ?? '', url: target_url };
}

/** `path` of a reusable or dispatched workflow may carry a ref: `.github/workflows/x.yml@refs/heads/main`. */
export function workflowRunOf(run: ApiRun, repository: string): ListedRun {
  return {
    id: run.id,
    attempt: run.run_attempt ?? 1,
    event: run.event,
    path: run.path.replace(/@.*$/, ''),
    head: { sha: run.head_sha, branch: run.head_branch ?? '', owner: run.head_repository?.owner.login ?? '' },
    fromFork: run.head_repository?.full_name !== repository,
    conclusion: run.conclusion,
    createdAt: run.created_at,
    url: run.html_url,
  };
}
