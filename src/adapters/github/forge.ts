import { type ArtifactFacts, type Forge, ForgeFailure, type LabelSet } from '../../app/ports/forge.ts';
import {
  type ApiArtifact,
  type ApiComment,
  type ApiEvent,
  type ApiPull,
  type ApiRun,
  type ApiStatus,
  commentOf,
  contentText,
  pullRequestOf,
  statusOf,
  workflowRunOf,
} from './answers.ts';
import type { Client } from './client.ts';
import { boundedBytes } from './download.ts';
import { forgeFailure } from './failure.ts';

/** As many as GitHub lists; a pull request may have more. https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const MOST_FILES = 3_000;
const PAGE = 100;

/** GitHub's REST API, or one like it, for one repository (`acme/api`). */
export function githubForge(client: Client, repository: string): Forge {
  const [owner = '', repo = ''] = repository.split('/');
  const own = { owner, repo };
  type Parameters = Record<string, unknown>;

  const call = async <T>(route: string, parameters: Parameters = {}): Promise<T> => {
    const [method, template] = route.split(' ') as [string, string];
    try {
      return (await client.request(route, { ...own, ...parameters })).data as T;
    } catch (error) {
      throw forgeFailure(error, method, filled(template, { ...own, ...parameters }));
    }
  };
  const all = async <T>(route: string, parameters: Parameters = {}): Promise<T[]> => {
    const [method, template] = route.split(' ') as [string, string];
    try {
      return (await client.paginate(route, { ...own, per_page: PAGE, ...parameters })) as T[];
    } catch (error) {
      throw forgeFailure(error, method, filled(template, { ...own, ...parameters }));
    }
  };
  const orNull = async <T>(wanted: Promise<T>, statuses = [404]): Promise<T | null> => {
    return await wanted.catch((error: unknown) => {
      if (error instanceof ForgeFailure && error.status !== null && statuses.includes(error.status)) return null;
      throw error;
    });
  };

  return {
    async pullRequest(number) {
      const found = await orNull(
        call<ApiPull>('GET /repos/{owner}/{repo}/pulls/{pull_number}', { pull_number: number }),
      );
      return found === null ? null : pullRequestOf(found, repository);
    },
    async pullRequestsOf({ owner: headOwner, branch }) {
      const head = `${headOwner}:${branch}`;
      const found = await all<ApiPull>('GET /repos/{owner}/{repo}/pulls', { state: 'open', head });
      return found.map((each) => pullRequestOf(each, repository));
    },
    async pullRequestsWith({ sha, ...head }) {
      const route = 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls';
      // Not every forge has this route, nor knows the commits of forks by it.
      const ofCommit = (await orNull(all<ApiPull>(route, { commit_sha: sha }), [404, 405, 409, 422])) ?? [];
      const found = [...ofCommit.map((each) => pullRequestOf(each, repository)), ...(await this.pullRequestsOf(head))];
      const open = found.filter((each) => each.state === 'open' && each.head.sha === sha);
      return [...new Map(open.map((each) => [each.number, each])).values()];
    },
    async changedFiles(number) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files';
      const found = await all<{ filename: string; previous_filename?: string }>(route, { pull_number: number });
      if (found.length >= MOST_FILES) return null;
      return found.flatMap(({ filename, previous_filename }) => [
        filename,
        ...(previous_filename === undefined ? [] : [previous_filename]),
      ]);
    },
    async commitMessages(number) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits';
      const found = await all<{ commit: { message: string } }>(route, { pull_number: number });
      return found.map(({ commit }) => commit.message);
    },
    async commit(sha) {
      const route = 'GET /repos/{owner}/{repo}/git/commits/{commit_sha}';
      // 409: a repository without a commit; 422: what is no commit.
      const found = await orNull(
        call<{ message: string; parents: { sha: string }[] }>(route, { commit_sha: sha }),
        [404, 409, 422],
      );
      return found === null ? null : { message: found.message, parents: found.parents.map((parent) => parent.sha) };
    },
    async isOnBranch(branch, sha) {
      const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
      const found = await orNull(call<{ status: string }>(route, { basehead: `${branch}...${sha}`, per_page: 1 }));
      return found?.status === 'behind' || found?.status === 'identical';
    },
    async mergeBase(one, other) {
      const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
      const asked = { basehead: `${one}...${other}`, per_page: 1 };
      const found = await orNull(call<{ merge_base_commit?: { sha?: unknown } }>(route, asked));
      const sha = found?.merge_base_commit?.sha;
      return typeof sha === 'string' ? sha : null;
    },
    async textAt(path, sha) {
      // In a template a slash would be escaped, which not every forge takes for one.
      const escaped = path.split('/').map(encodeURIComponent).join('/');
      const asked = { ref: sha, headers: { accept: 'application/vnd.github.raw+json' } };
      const found = await orNull(call<unknown>(`GET /repos/{owner}/{repo}/contents/${escaped}`, asked));
      return found === null ? null : contentText(found, `GET /repos/${repository}/contents/${path}`);
    },
    async filesAt(sha) {
      const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';
      const asked = { tree_sha: sha, recursive: '1' };
      const { tree, truncated } = await call<{ tree: { path: string; type: string }[]; truncated?: boolean }>(
        route,
        asked,
      );
      // A spec that is not in the listing would be one that is not there.
      if (truncated) {
        throw new ForgeFailure(`${repository} has more files at ${sha} than can be listed: name specs by path.`, null);
      }
      return tree.flatMap(({ path, type }) => (type === 'blob' ? [path] : []));
    },

    async comments(number) {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
      return (await all<ApiComment>(route, { issue_number: number })).map(commentOf);
    },
    async comment(id) {
      const found = await orNull(
        call<ApiComment>('GET /repos/{owner}/{repo}/issues/comments/{comment_id}', { comment_id: id }),
      );
      return found === null ? null : commentOf(found);
    },
    async createComment(number, body) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      return commentOf(await call<ApiComment>(route, { issue_number: number, body }));
    },
    async updateComment(id, body) {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
      return commentOf(await call<ApiComment>(route, { comment_id: id, body }));
    },
    async deleteComment(id) {
      await call('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', { comment_id: id });
    },

    async statuses(sha) {
      const route = 'GET /repos/{owner}/{repo}/commits/{ref}/statuses';
      // 403: who may not read them may not set any, which is told then.
      const found = await orNull(all<ApiStatus>(route, { ref: sha }), [403, 404]);
      return found?.map(statusOf) ?? null;
    },
    async setStatus(sha, { context, state, description, url }) {
      const target = url === null ? {} : { target_url: url };
      await call('POST /repos/{owner}/{repo}/statuses/{sha}', { sha, context, state, description, ...target });
    },
    async createCheck(sha, { name, conclusion, title, summary }) {
      await call('POST /repos/{owner}/{repo}/check-runs', {
        name,
        head_sha: sha,
        status: 'completed',
        conclusion,
        output: { title, summary },
      });
    },

    async labelsSet(number) {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/events';
      const events = await all<ApiEvent>(route, { issue_number: number });
      const latest = new Map<string, LabelSet>();
      for (const { event, label, actor, created_at } of events) {
        if (event === 'head_ref_force_pushed') for (const set of latest.values()) set.pushedOver = true;
        if (label === undefined) continue;
        const { name } = label;
        if (event === 'unlabeled') latest.delete(name);
        if (event === 'labeled') {
          latest.set(name, { label: name, by: actor?.login ?? '', at: created_at, pushedOver: false });
        }
      }
      return [...latest.values()];
    },
    async removeLabel(number, name) {
      const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}';
      await orNull(call(route, { issue_number: number, name }));
    },
    async mayWrite(username) {
      if (username === '') return false;
      const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
      const found = await orNull(call<{ permission: string }>(route, { username }));
      return found?.permission === 'admin' || found?.permission === 'write';
    },

    async workflowRun(id) {
      const found = await orNull(call<ApiRun>('GET /repos/{owner}/{repo}/actions/runs/{run_id}', { run_id: id }));
      return found === null ? null : workflowRunOf(found, repository);
    },
    async runsOf(sha) {
      const found = await all<ApiRun>('GET /repos/{owner}/{repo}/actions/runs', { head_sha: sha });
      return found.map((each) => workflowRunOf(each, repository));
    },
    async runsOn(branch, event) {
      const asked = { branch, event, exclude_pull_requests: true };
      const found = await all<ApiRun>('GET /repos/{owner}/{repo}/actions/runs', asked);
      return found.map((each) => workflowRunOf(each, repository));
    },
    async artifacts(run) {
      const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts';
      const found = await all<ApiArtifact>(route, { run_id: run });
      return found.map(
        ({ id, name, size_in_bytes, expired }): ArtifactFacts => ({ id, name, bytes: size_in_bytes, expired }),
      );
    },
    async downloadArtifact(id, most) {
      const path = `/repos/${repository}/actions/artifacts/${id}/zip`;
      return await boundedBytes(client, 'GET /repos/{owner}/{repo}/actions/artifacts/{artifact_id}/{archive_format}', {
        parameters: { ...own, artifact_id: id, archive_format: 'zip' },
        path,
        most,
      });
    },
  };
}

/** `/repos/acme/api/issues/7/comments` */
function filled(template: string, parameters: Record<string, unknown>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(parameters[name] ?? ''));
}
