import type { Forge, IssueComment, Pull, Run } from './state.ts';

export interface Answer {
  status: number;
  /** JSON; a text for `text/plain`. */
  body?: unknown;
  text?: string;
  redirect?: string;
}

export interface Call {
  operation: string;
  parameters: Record<string, string>;
  query: URLSearchParams;
  body: Record<string, unknown>;
  accept: string;
  /** Contents come as JSON whatever is asked for. */
  plainContents: boolean;
  /** Login that the token writes as. */
  login: string;
  /** Where this server is reached, and where artifacts lie. */
  origin: string;
  blobOrigin: string;
}

const NOT_FOUND: Answer = { status: 404, body: { message: 'Not Found' } };
const NO_CONTENT: Answer = { status: 204 };

/** To a description with a character beyond U+FFFF, or with half of one. */
const FOUR_BYTES: Answer = {
  status: 422,
  body: {
    message: 'Validation Failed',
    errors: [
      {
        resource: 'Status',
        code: 'custom',
        field: 'description',
        message: "description doesn't accept 4-byte Unicode",
      },
    ],
  },
};

/** What GitHub answers, as far as the product asks for it; null for what is not made up here. */
export function answerOf(forge: Forge, call: Call): Answer | null {
  const { parameters, query, body } = call;
  const number = Number(parameters.pull_number ?? parameters.issue_number);
  const pull = forge.pulls.find((each) => each.number === number);
  switch (call.operation) {
    case 'pulls/get':
      return pull === undefined ? NOT_FOUND : ok(pullJson(pull, forge));
    case 'pulls/list':
      return paged(
        call,
        forge.pulls.filter((each) => isListed(each, query)).map((each) => pullJson(each, forge)),
      );
    case 'repos/list-pull-requests-associated-with-commit':
      return paged(
        call,
        forge.pulls
          .filter(({ head, merged }) => [head.sha, merged?.sha].includes(parameters.commit_sha))
          .map((each) => pullJson(each, forge)),
      );
    case 'pulls/list-files':
      return pull === undefined
        ? NOT_FOUND
        : paged(
            call,
            pull.files.map((filename) => ({ filename, status: 'modified' })),
          );
    case 'pulls/list-commits':
      return pull === undefined
        ? NOT_FOUND
        : paged(
            call,
            pull.messages.map((message) => ({ commit: { message } })),
          );
    case 'git/get-commit':
      return commitAnswer(forge, parameters.commit_sha!);
    case 'git/get-tree':
      return treeAnswer(forge, parameters.tree_sha!);
    case 'repos/get-content':
      return contentAnswer(forge, parameters.path!, query.get('ref') ?? '', call);
    case 'repos/get':
      return ok({ full_name: forge.repository, default_branch: forge.defaultBranch, has_pages: forge.site !== null });
    case 'repos/get-pages':
      return forge.site === null ? NOT_FOUND : ok(forge.site);
    case 'repos/compare-commits-with-basehead':
      return compareAnswer(forge, parameters.basehead!);
    case 'issues/list-comments':
      return paged(
        call,
        forge.comments.filter(({ issue }) => issue === number).map((each) => commentJson(each, call)),
      );
    case 'issues/get-comment':
      return withComment(forge, parameters, (comment) => ok(commentJson(comment, call)));
    case 'issues/create-comment': {
      const id = Math.max(1000, ...forge.comments.map((each) => each.id)) + 1;
      const comment = { id, issue: number, body: String(body.body), author: call.login };
      if (comment.body.length > 65_536)
        return { status: 422, body: { message: 'Validation Failed: body is too long' } };
      forge.comments.push(comment);
      return { status: 201, body: commentJson(comment, call) };
    }
    case 'issues/update-comment':
      return withComment(forge, parameters, (comment) => {
        comment.body = String(body.body);
        return ok(commentJson(comment, call));
      });
    case 'issues/delete-comment':
      return withComment(forge, parameters, (comment) => {
        forge.comments.splice(forge.comments.indexOf(comment), 1);
        return NO_CONTENT;
      });
    case 'issues/list-events':
      return paged(
        call,
        forge.events
          .filter(({ issue }) => issue === number)
          .map(({ event, label, actor, created_at }) => ({
            event,
            ...(label === undefined ? {} : { label: { name: label } }),
            actor: { login: actor },
            created_at,
          })),
      );
    case 'issues/remove-label': {
      if (pull === undefined || !pull.labels.includes(parameters.name!)) return NOT_FOUND;
      pull.labels = pull.labels.filter((label) => label !== parameters.name);
      return ok([]);
    }
    case 'repos/create-commit-status': {
      const { context, state, description = null, target_url = null } = body as Record<string, string>;
      // Without u a character beyond U+FFFF is two halves.
      if (/[\ud800-\udfff]/.test(description ?? '')) return FOUR_BYTES;
      forge.statuses.push({ sha: parameters.sha!, context: context!, state: state!, description, target_url });
      return { status: 201, body: { context, state } };
    }
    case 'repos/list-commit-statuses-for-ref':
      return paged(
        call,
        forge.statuses
          .map((status, index) => ({ id: index + 1, ...status }))
          .filter(({ sha }) => sha === parameters.ref)
          .reverse(),
      );
    case 'checks/create':
      forge.checks.push(body);
      return { status: 201, body: { id: forge.checks.length } };
    case 'repos/get-collaborator-permission-level': {
      const permission = forge.collaborators.get(parameters.username!);
      return permission === undefined ? NOT_FOUND : ok({ permission, user: { login: parameters.username } });
    }
    case 'actions/get-workflow-run': {
      const run = forge.runs.find(({ id }) => id === Number(parameters.run_id));
      return run === undefined ? NOT_FOUND : ok(runJson(run, call, forge));
    }
    case 'actions/list-workflow-runs-for-repo': {
      const sha = query.get('head_sha');
      const branch = query.get('branch');
      const event = query.get('event');
      const found = forge.runs
        .filter((run) => sha === null || run.head_sha === sha)
        .filter((run) => branch === null || run.head_branch === branch)
        .filter((run) => event === null || run.event === event);
      return paged(
        call,
        found.map((run) => runJson(run, call, forge)),
        'workflow_runs',
      );
    }
    case 'actions/list-workflow-run-artifacts': {
      const found = forge.artifacts.filter(({ run }) => run === Number(parameters.run_id));
      const listed = found.map(({ id, name, zip, expired }) => ({ id, name, size_in_bytes: zip.byteLength, expired }));
      return paged(call, listed, 'artifacts');
    }
    case 'actions/download-artifact': {
      const artifact = forge.artifacts.find(({ id }) => id === Number(parameters.artifact_id));
      if (artifact === undefined) return NOT_FOUND;
      return artifact.expired
        ? { status: 410, body: { message: 'Artifact has expired' } }
        : { status: 302, redirect: `${call.blobOrigin}/blobs/${artifact.id}` };
    }
    default:
      return null;
  }
}

function ok(body: unknown): Answer {
  return { status: 200, body };
}

/** Links to the pages before and after, as GitHub has them in its header. */
function paged(call: Call, all: unknown[], key: string | null = null): Answer & { page?: { next: number | null } } {
  const size = Math.min(100, Number(call.query.get('per_page') ?? 30));
  const page = Number(call.query.get('page') ?? 1);
  const items = all.slice((page - 1) * size, page * size);
  const body = key === null ? items : { total_count: all.length, [key]: items };
  return { status: 200, body, page: { next: page * size < all.length ? page + 1 : null } };
}

function isListed(pull: Pull, query: URLSearchParams): boolean {
  const head = query.get('head');
  const state = query.get('state') ?? 'open';
  return (state === 'all' || pull.state === state) && (head === null || head === `${pull.head.owner}:${pull.head.ref}`);
}

function pullJson({ number, state, head, base, labels, merged }: Pull, forge: Forge) {
  return {
    number,
    state,
    head: { sha: head.sha, ref: head.ref, user: { login: head.owner }, repo: { full_name: head.repository } },
    base: { sha: base.sha, ref: base.ref, repo: { full_name: forge.repository } },
    labels: labels.map((name) => ({ name })),
    merged_at: merged?.at ?? null,
    merge_commit_sha: merged?.sha ?? null,
  };
}

function commentJson({ id, issue, body, author }: IssueComment, { origin }: Call) {
  return { id, body, user: { login: author }, html_url: `${origin}/pull/${issue}#issuecomment-${id}` };
}

function withComment(
  forge: Forge,
  parameters: Record<string, string>,
  then: (comment: IssueComment) => Answer,
): Answer {
  const comment = forge.comments.find(({ id }) => id === Number(parameters.comment_id));
  return comment === undefined ? NOT_FOUND : then(comment);
}

function commitAnswer({ commits }: Forge, sha: string): Answer {
  const found = commits.get(sha);
  return found === undefined
    ? NOT_FOUND
    : ok({ sha, message: found.message, parents: found.parents.map((parent) => ({ sha: parent })) });
}

function treeAnswer({ files }: Forge, sha: string): Answer {
  const found = files.get(sha);
  return found === undefined ? NOT_FOUND : ok({ tree: Object.keys(found).map((path) => ({ path, type: 'blob' })) });
}

/** `ref`: a commit, or a branch for its newest. */
function contentAnswer({ files, branches }: Forge, path: string, ref: string, call: Call): Answer {
  const all = files.get(branches.get(ref)?.[0] ?? ref) ?? {};
  const text = all[path];
  if (text !== undefined && call.accept.includes('raw') && !call.plainContents) return { status: 200, text };
  if (text !== undefined) return ok({ type: 'file', path, encoding: 'base64', content: base64Lines(text) });
  const inside = Object.keys(all).filter((each) => each.startsWith(path === '' ? '' : `${path}/`));
  return inside.length === 0 ? NOT_FOUND : ok(inside.map((each) => listedAt(path, each, all[each]!)));
}

/** What lies right in a folder: a file of it, or a folder for what is deeper. */
function listedAt(folder: string, path: string, text: string) {
  const [name = '', ...deeper] = path.slice(folder === '' ? 0 : folder.length + 1).split('/');
  if (deeper.length === 0) return { type: 'file', path, size: Buffer.byteLength(text) };
  return { type: 'dir', path: folder === '' ? name : `${folder}/${name}`, size: 0 };
}

/** As forges break it: 60 characters a line. */
function base64Lines(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64').replaceAll(/.{60}/g, '$&\n');
}

/** By branches, or commits, and what is known of their parents. */
function compareAnswer(forge: Forge, basehead: string): Answer {
  const [base = '', head = ''] = basehead.split('...');
  const [one, other] = [base, head].map((name) => commitsFrom(forge, name));
  if (one!.length === 0 || other!.length === 0) return NOT_FOUND;
  const at = one!.indexOf(other![0]!);
  const common = other!.find((sha) => one!.includes(sha));
  return ok({
    status: at === 0 ? 'identical' : at > 0 ? 'behind' : 'diverged',
    total_commits: other!.filter((sha) => !one!.includes(sha)).length,
    ...(common === undefined ? {} : { merge_base_commit: { sha: common } }),
  });
}

/** A commit and all before it, the nearest first; a branch's are a line. Empty for a name that means nothing. */
function commitsFrom({ branches, commits }: Forge, name: string): string[] {
  const lines = [...branches.values()];
  const parentsOf = (sha: string): string[] => {
    const line = lines.find((each) => each.includes(sha));
    const before = line?.slice(line.indexOf(sha) + 1, line.indexOf(sha) + 2) ?? [];
    return [...(commits.get(sha)?.parents ?? []), ...before];
  };
  const found: string[] = [];
  const left = [branches.get(name)?.[0] ?? name].filter((sha) => /^[0-9a-f]{40}$/.test(sha));
  for (let sha = left.shift(); sha !== undefined; sha = left.shift()) {
    if (found.includes(sha)) continue;
    found.push(sha);
    left.push(...parentsOf(sha));
  }
  return found;
}

function runJson(run: Run, { origin }: Call, _forge: Forge) {
  const [owner] = run.head_repository.split('/');
  return {
    ...run,
    head_repository: { full_name: run.head_repository, owner: { login: owner } },
    html_url: `${origin}/runs/${run.id}`,
  };
}
