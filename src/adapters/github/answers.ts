import * as z from 'zod';
import {
  type ArtifactFacts,
  type Comment,
  ForgeFailure,
  type LinkedStatus,
  type ListedRun,
  type PullRequest,
  type RepositorySite,
} from '../../app/ports/forge.ts';

/**
 * What of the answers of a forge is read, and what it means here. GitHub's are as https://docs.github.com/rest has them;
 * where those of Gitea and Forgejo differ, both are taken.
 */

const sha = z.string();
/** Of a user; `GET /user` and GraphQL's `viewer` as well. */
export const login = z.object({ login: z.string() });

export const pullAnswer = z.object({
  number: z.number(),
  state: z.string(),
  head: z.object({
    sha,
    ref: z.string(),
    // Gitea names no user of a branch: its repository's owner is the same.
    user: login.nullish(),
    repo: z.object({ full_name: z.string(), owner: login.nullish() }).nullish(),
  }),
  base: z.object({ sha, ref: z.string() }),
  labels: z.array(z.object({ name: z.string() })).nullish(),
  merged_at: z.string().nullish(),
  // Of one that is open, GitHub names the merge that it tests.
  merge_commit_sha: sha.nullish(),
});

export const fileAnswer = z.object({ filename: z.string(), previous_filename: z.string().nullish() });

export const pullCommitAnswer = z.object({ commit: z.object({ message: z.string() }) });

/** GitHub has the message at the top, Gitea in `commit`, as both have it elsewhere. */
export const commitAnswer = z
  .object({
    message: z.string().optional(),
    commit: z.object({ message: z.string() }).optional(),
    parents: z.array(z.object({ sha })),
  })
  .transform(({ message, commit, parents }, context) => {
    const found = message ?? commit?.message;
    if (found !== undefined) return { message: found, parents: parents.map((parent) => parent.sha) };
    context.addIssue({ code: 'custom', path: ['message'], message: 'expected string, received undefined' });
    return z.NEVER;
  });

/** Whether the first of two commits holds the second. Gitea says only how many commits the second has beyond it. */
export const holdsAnswer = z
  .object({ status: z.string().optional(), total_commits: z.number() })
  .transform(({ status, total_commits }) =>
    status === undefined ? total_commits === 0 : status === 'behind' || status === 'identical',
  );

/** Gitea leaves it out. */
export const mergeBaseAnswer = z.object({ merge_base_commit: z.object({ sha }).nullish() });

export const treeAnswer = z.object({
  tree: z.array(z.object({ path: z.string(), type: z.string() })),
  truncated: z.boolean().optional(),
});

export const folderAnswer = z.array(z.object({ type: z.string(), path: z.string(), size: z.number().nullish() }));

const contentAnswer = z.object({ type: z.literal('file'), encoding: z.literal('base64'), content: z.string() });

/** https://docs.github.com/rest/pages/pages#get-a-apiname-pages-site */
export const siteAnswer = z.object({
  html_url: z.string().nullish(),
  build_type: z.string().nullish(),
  source: z.object({ branch: z.string(), path: z.string() }).nullish(),
});

export const repositoryAnswer = z.object({ has_pages: z.boolean().nullish() });

export const commentAnswer = z.object({
  id: z.number(),
  body: z.string().nullish(),
  user: login.nullish(),
  html_url: z.string(),
});

const STATES = ['success', 'failure', 'error', 'pending'] as const;

/** GitHub calls it `state`, Gitea `status`. */
export const statusAnswer = z
  .object({
    id: z.number(),
    context: z.string(),
    state: z.string().optional(),
    status: z.string().optional(),
    description: z.string().nullish(),
    target_url: z.string().nullish(),
  })
  .transform(({ state, status, ...rest }, context) => {
    const found = state ?? status;
    if (found !== undefined) return { ...rest, state: found };
    context.addIssue({ code: 'custom', path: ['state'], message: 'expected string, received undefined' });
    return z.NEVER;
  });

export const eventAnswer = z.object({
  event: z.string(),
  label: z.object({ name: z.string().nullish() }).nullish(),
  actor: login.nullish(),
  created_at: z.string(),
});

export const permissionAnswer = z.object({ permission: z.string() });

/** Of a forge that says less of a run than GitHub does. */
export const runPageAnswer = z.object({ html_url: z.string() });

export const runAnswer = z.object({
  id: z.number(),
  run_attempt: z.number().nullish(),
  event: z.string(),
  path: z.string(),
  head_sha: sha,
  head_branch: z.string().nullish(),
  head_repository: z.object({ full_name: z.string(), owner: login }).nullish(),
  conclusion: z.string().nullish(),
  created_at: z.string(),
  html_url: z.string(),
});

export const artifactAnswer = z.object({
  id: z.number(),
  name: z.string(),
  size_in_bytes: z.number(),
  expired: z.boolean(),
});

/** Throws `ForgeFailure` where an answer has another form. `request` is for the message. */
export function readAnswer<T>(schema: z.ZodType<T>, answer: unknown, request: string): T {
  const read = schema.safeParse(answer);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  throw unexpectedAnswer(request, `${path.join('.') || 'all of it'}: ${message.replace(/^Invalid input: /, '')}`);
}

export function unexpectedAnswer(request: string, what: string): ForgeFailure {
  return new ForgeFailure(
    `${request} was answered in a form that is not known here (${what}). The forge needs an API like GitHub's, at the address in GITHUB_API_URL.`,
    null,
  );
}

export function pullRequestOf(answer: z.infer<typeof pullAnswer>, repository: string): PullRequest {
  const { number, state, head, base, labels } = answer;
  return {
    number,
    state: state === 'open' ? 'open' : 'closed',
    head: { sha: head.sha, branch: head.ref, owner: head.user?.login ?? head.repo?.owner?.login ?? '' },
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

/** A file's content of an answer in JSON; null for a folder, and for what is no file. */
export function contentBytes(content: unknown): Uint8Array | null {
  const read = contentAnswer.safeParse(content);
  return read.success ? Buffer.from(read.data.content, 'base64') : null;
}

export function siteOf({ html_url, build_type, source }: z.infer<typeof siteAnswer>): RepositorySite {
  const url = html_url != null && /^https?:\/\//.test(html_url) ? html_url.replace(/\/*$/, '/') : null;
  const isOfBranch = (build_type ?? 'legacy') === 'legacy' && source != null;
  return { url, source: isOfBranch ? { branch: source.branch, folder: source.path } : 'another' };
}

export function commentOf({ id, body, user, html_url }: z.infer<typeof commentAnswer>): Comment {
  return { id, text: body ?? '', author: user?.login ?? null, url: html_url };
}

/** The newest first, which Gitea does not promise of one second. A state that only this forge has is none of ours. */
export function statusesOf(answers: readonly z.infer<typeof statusAnswer>[]): LinkedStatus[] {
  return answers
    .toSorted((one, other) => other.id - one.id)
    .flatMap(({ context, state, description, target_url }) => {
      const known = STATES.find((each) => each === state);
      if (known === undefined) return [];
      return [{ context, state: known, description: description ?? '', url: target_url || null }];
    });
}

/** `path` of a reusable or dispatched workflow may carry a ref: `.github/workflows/x.yml@refs/heads/main`. */
export function workflowRunOf(run: z.infer<typeof runAnswer>, repository: string): ListedRun {
  return {
    id: run.id,
    attempt: run.run_attempt ?? 1,
    event: run.event,
    path: run.path.replace(/@.*$/, ''),
    head: { sha: run.head_sha, branch: run.head_branch ?? '', owner: run.head_repository?.owner.login ?? '' },
    fromFork: run.head_repository?.full_name !== repository,
    conclusion: run.conclusion ?? null,
    createdAt: run.created_at,
    url: run.html_url,
  };
}

export function artifactOf({ id, name, size_in_bytes, expired }: z.infer<typeof artifactAnswer>): ArtifactFacts {
  return { id, name, bytes: size_in_bytes, expired };
}
