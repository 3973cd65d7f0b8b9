import * as z from 'zod';
import { type Forge, ForgeFailure, type LabelSet } from '../../app/ports/forge.ts';
import {
  artifactAnswer,
  artifactOf,
  commentAnswer,
  commentOf,
  commitAnswer,
  contentBytes,
  contentText,
  eventAnswer,
  fileAnswer,
  folderAnswer,
  holdsAnswer,
  mergeBaseAnswer,
  permissionAnswer,
  pullAnswer,
  pullCommitAnswer,
  pullRequestOf,
  readAnswer,
  repositoryAnswer,
  runAnswer,
  runPageAnswer,
  siteAnswer,
  siteOf,
  statusAnswer,
  statusesOf,
  treeAnswer,
  unexpectedAnswer,
  workflowRunOf,
} from './answers.ts';
import type { Client } from './client.ts';
import { boundedBytes } from './download.ts';
import { forgeFailure } from './failure.ts';

/** As many as GitHub lists; a pull request may have more. https://docs.github.com/rest/pulls/pulls#list-pull-requests-files */
const MOST_FILES = 3_000;
/** https://docs.github.com/rest/pulls/pulls#list-commits-on-a-pull-request */
const MOST_COMMITS = 250;
const PAGE = 100;
/** Gitea has a word of its own for who owns the repository. */
const MAY_WRITE = ['owner', 'admin', 'write'];

/** GitHub's REST API, or one like it, for one repository (`acme/api`). */
export function githubForge(client: Client, repository: string): Forge {
  const [owner = '', repo = ''] = repository.split('/');
  const own = { owner, repo };
  type Parameters = Record<string, unknown>;

  const send = async (route: string, parameters: Parameters): Promise<unknown> => {
    const [method, template] = route.split(' ') as [string, string];
    try {
      return (await client.request(route, { ...own, ...parameters })).data;
    } catch (error) {
      throw forgeFailure(error, method, filled(template, { ...own, ...parameters }));
    }
  };
  const call = async <T>(route: string, parameters: Parameters, answer: z.ZodType<T>): Promise<T> =>
    readAnswer(answer, await send(route, parameters), filled(route, { ...own, ...parameters }));
  const all = async <T>(route: string, parameters: Parameters, answer: z.ZodType<T>): Promise<T[]> => {
    const request = filled(route, { ...own, ...parameters });
    try {
      const found: unknown = await client.paginate(route, { ...own, per_page: PAGE, ...parameters });
      return readAnswer(z.array(answer), found, request);
    } catch (error) {
      if (error instanceof ForgeFailure) throw error;
      // The client looks for the next page in what it takes for a list.
      if (error instanceof TypeError) throw unexpectedAnswer(request, 'no list');
      const [method, path] = request.split(' ') as [string, string];
      throw forgeFailure(error, method, path);
    }
  };
  const orNull = async <T>(wanted: Promise<T>, statuses = [404]): Promise<T | null> => {
    return await wanted.catch((error: unknown) => {
      if (error instanceof ForgeFailure && error.status !== null && statuses.includes(error.status)) return null;
      throw error;
    });
  };
  /** Not every forge has this route, nor knows the commits of forks by it. */
  const pullsOf = async (sha: string) => {
    const route = 'GET /repos/{owner}/{repo}/commits/{commit_sha}/pulls';
    return (await orNull(all(route, { commit_sha: sha }, pullAnswer), [404, 405, 409, 422])) ?? [];
  };
  const pullsFrom = async ({ owner: headOwner, branch }: { owner: string; branch: string }, state: 'open' | 'all') => {
    const head = `${headOwner}:${branch}`;
    const found = await all('GET /repos/{owner}/{repo}/pulls', { state, head }, pullAnswer);
    return found.map((each) => pullRequestOf(each, repository));
  };
  const contentsAt = async (path: string, sha: string, headers: Record<string, string> = {}): Promise<unknown> => {
    // In a template a slash would be escaped, which not every forge takes for one.
    const escaped = path.split('/').map(encodeURIComponent).join('/');
    return await orNull(send(`GET /repos/{owner}/{repo}/contents/${escaped}`, { ref: sha, headers }));
  };

  return {
    async pullRequest(number) {
      const found = await orNull(
        call('GET /repos/{owner}/{repo}/pulls/{pull_number}', { pull_number: number }, pullAnswer),
      );
      return found === null ? null : pullRequestOf(found, repository);
    },
    pullRequestsOf: (head) => pullsFrom(head, 'open'),
    async pullRequestsWith({ sha, ...head }) {
      const ofCommit = (await pullsOf(sha)).map((each) => pullRequestOf(each, repository));
      const found = [...ofCommit, ...(await pullsFrom(head, 'all'))];
      const own = found.filter((each) => each.head.sha === sha);
      return [...new Map(own.map((each) => [each.number, each])).values()];
    },
    async pullRequestsBringing(sha) {
      return (await pullsOf(sha)).map((pull) => {
        const { merged_at: at, merge_commit_sha: as = null } = pull;
        return { ...pullRequestOf(pull, repository), merged: at == null ? null : { as, at } };
      });
    },
    async changedFiles(number) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/files';
      const found = await all(route, { pull_number: number }, fileAnswer);
      if (found.length >= MOST_FILES) return null;
      return found.flatMap(({ filename, previous_filename }) => [
        filename,
        ...(previous_filename == null ? [] : [previous_filename]),
      ]);
    },
    async commitMessages(number) {
      const route = 'GET /repos/{owner}/{repo}/pulls/{pull_number}/commits';
      const found = await all(route, { pull_number: number }, pullCommitAnswer);
      return found.length >= MOST_COMMITS ? null : found.map(({ commit }) => commit.message);
    },
    async commit(sha) {
      const route = 'GET /repos/{owner}/{repo}/git/commits/{commit_sha}';
      // 409: a repository without a commit; 422: what is no commit.
      return await orNull(call(route, { commit_sha: sha }, commitAnswer), [404, 409, 422]);
    },
    async isOnBranch(branch, sha) {
      const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
      const asked = { basehead: `${branch}...${sha}`, per_page: 1 };
      return (await orNull(call(route, asked, holdsAnswer))) ?? false;
    },
    async mergeBase(one, other) {
      const route = 'GET /repos/{owner}/{repo}/compare/{basehead}';
      const asked = { basehead: `${one}...${other}`, per_page: 1 };
      return (await orNull(call(route, asked, mergeBaseAnswer)))?.merge_base_commit?.sha ?? null;
    },
    async textAt(path, sha) {
      const found = await contentsAt(path, sha, { accept: 'application/vnd.github.raw+json' });
      return found === null ? null : contentText(found, `GET /repos/${repository}/contents/${path}`);
    },
    async filesAt(sha) {
      const route = 'GET /repos/{owner}/{repo}/git/trees/{tree_sha}';
      const asked = { tree_sha: sha, recursive: '1' };
      const { tree, truncated } = await call(route, asked, treeAnswer);
      // A spec that is not in the listing would be one that is not there.
      if (truncated) {
        throw new ForgeFailure(`${repository} has more files at ${sha} than can be listed: name specs by path.`, null);
      }
      return tree.flatMap(({ path, type }) => (type === 'blob' ? [path] : []));
    },

    async folderAt(path, sha) {
      const found = await contentsAt(path, sha);
      if (found === null || !Array.isArray(found)) return [];
      const all = readAnswer(folderAnswer, found, `GET /repos/${repository}/contents/${path}`);
      return all.flatMap((each) => (each.type === 'file' ? [{ path: each.path, bytes: each.size ?? 0 }] : []));
    },
    contentAt: async (path, sha) => contentBytes(await contentsAt(path, sha)),
    async site() {
      const route = 'GET /repos/{owner}/{repo}/pages';
      const found = await orNull(call(route, {}, siteAnswer).then(siteOf), [403, 404]);
      if (found !== null) return found;
      // Without `pages: read` nothing is told of it but that there is one.
      const about = await orNull(call('GET /repos/{owner}/{repo}', {}, repositoryAnswer), [403, 404]);
      return about?.has_pages ? { url: null, source: null } : null;
    },

    async comments(number) {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/comments';
      return (await all(route, { issue_number: number }, commentAnswer)).map(commentOf);
    },
    async comment(id) {
      const found = await orNull(
        call('GET /repos/{owner}/{repo}/issues/comments/{comment_id}', { comment_id: id }, commentAnswer),
      );
      return found === null ? null : commentOf(found);
    },
    async createComment(number, body) {
      const route = 'POST /repos/{owner}/{repo}/issues/{issue_number}/comments';
      return commentOf(await call(route, { issue_number: number, body }, commentAnswer));
    },
    async updateComment(id, body) {
      const route = 'PATCH /repos/{owner}/{repo}/issues/comments/{comment_id}';
      return commentOf(await call(route, { comment_id: id, body }, commentAnswer));
    },
    async deleteComment(id) {
      await send('DELETE /repos/{owner}/{repo}/issues/comments/{comment_id}', { comment_id: id });
    },

    async statuses(sha) {
      const route = 'GET /repos/{owner}/{repo}/commits/{ref}/statuses';
      // 403: who may not read them may not set any, which is told then.
      const found = await orNull(all(route, { ref: sha }, statusAnswer), [403, 404]);
      return found === null ? null : statusesOf(found);
    },
    async setStatus(sha, { context, state, description, url }) {
      const target = url === null ? {} : { target_url: url };
      await send('POST /repos/{owner}/{repo}/statuses/{sha}', { sha, context, state, description, ...target });
    },
    async createCheck(sha, { name, conclusion, title, summary, annotations }) {
      await send('POST /repos/{owner}/{repo}/check-runs', {
        name,
        head_sha: sha,
        status: 'completed',
        conclusion,
        output: {
          title,
          summary,
          annotations: annotations.map(({ path, line, level, ...said }) => ({
            path,
            start_line: line,
            end_line: line,
            annotation_level: level,
            ...said,
          })),
        },
      });
    },

    async labelsSet(number) {
      const route = 'GET /repos/{owner}/{repo}/issues/{issue_number}/events';
      const events = await all(route, { issue_number: number }, eventAnswer);
      const latest = new Map<string, LabelSet>();
      for (const { event, label, actor, created_at } of events) {
        if (event === 'head_ref_force_pushed') for (const set of latest.values()) set.pushedOver = true;
        const name = label?.name;
        if (name == null) continue;
        if (event === 'unlabeled') latest.delete(name);
        if (event === 'labeled') {
          latest.set(name, { label: name, by: actor?.login ?? '', at: created_at, pushedOver: false });
        }
      }
      return [...latest.values()];
    },
    async removeLabel(number, name) {
      const route = 'DELETE /repos/{owner}/{repo}/issues/{issue_number}/labels/{name}';
      await orNull(send(route, { issue_number: number, name }));
    },
    async mayWrite(username) {
      if (username === '') return false;
      const route = 'GET /repos/{owner}/{repo}/collaborators/{username}/permission';
      const found = await orNull(call(route, { username }, permissionAnswer));
      return found !== null && MAY_WRITE.includes(found.permission);
    },

    async workflowRun(id) {
      const found = await orNull(call('GET /repos/{owner}/{repo}/actions/runs/{run_id}', { run_id: id }, runAnswer));
      return found === null ? null : workflowRunOf(found, repository);
    },
    async runPage(id) {
      const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}';
      return (await orNull(call(route, { run_id: id }, runPageAnswer)))?.html_url ?? null;
    },
    async runsOf(sha) {
      const found = await all('GET /repos/{owner}/{repo}/actions/runs', { head_sha: sha }, runAnswer);
      return found.map((each) => workflowRunOf(each, repository));
    },
    async runsOn(branch, event) {
      const asked = { branch, event, exclude_pull_requests: true };
      const found = await all('GET /repos/{owner}/{repo}/actions/runs', asked, runAnswer);
      return found.map((each) => workflowRunOf(each, repository));
    },
    async artifacts(run) {
      const route = 'GET /repos/{owner}/{repo}/actions/runs/{run_id}/artifacts';
      return (await all(route, { run_id: run }, artifactAnswer)).map(artifactOf);
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
