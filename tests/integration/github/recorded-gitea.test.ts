// needs: nothing
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { authorOf } from '../../../src/adapters/github/author.ts';
import { githubForge } from '../../../src/adapters/github/forge.ts';
import { acceptancesOfMessage } from '../../../src/core/posting/acceptances.ts';
import { type RecordedGitea, recorded, recordedGitea } from '../../support/gitea-api/recorded.ts';
import { HEAD, plainClient, TOKEN, world } from './given.ts';

let server: RecordedGitea;
beforeAll(async () => {
  server = await recordedGitea();
});
afterAll(async () => {
  await server.close();
  expect(server.unknown).toEqual([]);
});

const client = () => plainClient(server.url);
const forge = () => githubForge(client(), 'acme/api');
const bodyAt = (route: string) => recorded.find((each) => each.route === route && each.status === 200)!.body;
const shaIn = (pattern: RegExp) =>
  recorded.map((each) => pattern.exec(each.path)?.[1]).find((sha) => sha !== undefined)!;
const MAIN = shaIn(/git\/commits\/([0-9a-f]{40})/);
const ROLES = shaIn(/compare\/main\.\.\.([0-9a-f]{40})/);
const MARKED = shaIn(/commits\/([0-9a-f]{40})\/statuses/);

describe('what a real Gitea answered', () => {
  it('was recorded for every request that the adapter makes', () => {
    const folder = 'src/adapters/github';
    const source = readdirSync(folder).map((name) => readFileSync(path.join(folder, name), 'utf8'));
    const written = source.join('\n').matchAll(/['`]((?:GET|POST|PATCH|PUT|DELETE) \/[^'`]+)['`]/g);
    const routes = [...written].map(([, route]) => route!.replace('${escaped}', '{path}'));
    const known = new Set(recorded.map(({ route }) => route));
    // With a repository's name in it, it stands in a message.
    // GitHub alone is asked for its Pages: `page-links.ts`.
    const ofGithub = ['GET /repos/{owner}/{repo}/pages', 'GET /repos/{owner}/{repo}'];
    expect(routes).toEqual(expect.arrayContaining(ofGithub));
    const asked = routes.filter((route) => !route.includes('${') && !ofGithub.includes(route));
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((route) => !known.has(route))).toEqual([]);
  });

  it('is read of pull requests: whose branch it is, and whether it is a fork', async () => {
    expect(await forge().pullRequest(1)).toEqual({
      number: 1,
      state: 'open',
      head: { sha: ROLES, branch: 'roles', owner: 'acme' },
      base: { sha: MAIN, branch: 'main' },
      fromFork: false,
      labels: ['perf-accepted'],
    });
    expect(await forge().pullRequest(99)).toBeNull();
    const open = await forge().pullRequestsOf({ owner: 'mallory', branch: 'other' });
    expect(open.map(({ number, head, fromFork }) => [number, head.owner, head.branch, fromFork])).toEqual([
      [3, 'acme', 'many', false],
      [2, 'mallory', 'other', true],
      [1, 'acme', 'roles', false],
    ]);
    const ofOther = { owner: 'mallory', branch: 'other', sha: MARKED };
    expect((await forge().pullRequestsWith(ofOther)).map(({ number }) => number)).toEqual([2]);
    expect((await forge().pullRequestsBringing(MARKED)).filter(({ merged }) => merged !== null)).toEqual([]);
  });

  it('is read of changed files, under both names, on all pages', async () => {
    const files = ['.github/workflows/benchmark.yml', 'main.mjs', 'server.mjs', 'wrkbench.yml'];
    expect(await forge().changedFiles(2)).toEqual(files);
    expect(await forge().changedFiles(3)).toHaveLength(10);
  });

  it('is read of commits: their messages with trailers, and their parents', async () => {
    const commit = await forge().commit(MAIN);
    expect(commit?.message).toMatch(/^Merge roles\n/);
    expect(acceptancesOfMessage(commit!.message)).toEqual([
      { cases: '*', metric: 'cpu-per-request', reason: 'roles are worth it' },
    ]);
    expect(commit?.parents).toHaveLength(2);
    expect(await forge().commit('d'.repeat(40))).toBeNull();
    expect((await forge().commitMessages(1))!.flatMap((message) => acceptancesOfMessage(message) ?? [])).toHaveLength(
      1,
    );
  });

  it('is read of what a branch holds, though Gitea has no word for it', async () => {
    expect(await forge().isOnBranch('main', MAIN)).toBe(true);
    expect(await forge().isOnBranch('main', ROLES)).toBe(false);
    expect(await forge().mergeBase('main', ROLES)).toBeNull();
  });

  it('is read of files', async () => {
    expect(await forge().textAt('.github/workflows/benchmark.yml', MAIN)).toContain('wrkbench/wrkbench@v1');
    expect(await forge().textAt('.github/workflows', MAIN)).toBeNull();
    expect(await forge().textAt('none.yml', MAIN)).toBeNull();
    expect(await forge().filesAt(MAIN)).toContain('.github/workflows/benchmark.yml');
  });

  it('is read of comments, from the first one written to its removal', async () => {
    const { id, author, url } = await forge().createComment(1, 'Measured');
    expect({ author, url }).toEqual({
      author: 'acme',
      url: `https://gitea.example.org/acme/api/pulls/1#issuecomment-${id}`,
    });
    expect(await forge().updateComment(id, 'Measured again')).toMatchObject({ id, text: 'Measured again' });
    expect(await forge().comment(id)).toMatchObject({ id, text: 'Measured again' });
    expect(await forge().comment(9999)).toBeNull();
    expect((await forge().comments(1)).map((comment) => comment.id)).toContain(id);
    await forge().deleteComment(id);
  });

  it('is read of statuses: the newest first, also of two of the same second', async () => {
    const run = 'https://gitea.example.org/acme/api/actions/runs';
    const [success, failure, own] = (await forge().statuses(MARKED))!;
    const said = { context: 'wrkbench/rest-api', description: 'Said' };
    expect(success).toEqual({ ...said, state: 'success', url: `${run}/7302` });
    expect(failure).toEqual({ ...said, state: 'failure', url: `${run}/7301` });
    expect(own).toMatchObject({ state: 'pending' });
    await forge().setStatus(MARKED, { ...said, state: 'success', url: null });
  });

  it('is a failure where Gitea has no such thing, and never a crash', async () => {
    const check = { name: 'x', conclusion: 'success', title: 'x', summary: 'x', annotations: [] } as const;
    for (const call of [
      () => forge().createCheck(ROLES, check),
      () => forge().labelsSet(1),
      () => forge().removeLabel(1, 'perf-accepted'),
      () => forge().runsOf(ROLES),
      () => forge().runsOn('main', 'push'),
      () => forge().artifacts(1),
      () => forge().downloadArtifact(1, 1000),
    ]) {
      await expect(call()).rejects.toMatchObject({
        name: 'ForgeFailure',
        message: expect.stringMatching(/ with 4\d\d: /),
      });
    }
    expect(await forge().workflowRun(1)).toBeNull();
  });

  it('is read of who may write, and of nobody where the token may not ask who it is', async () => {
    expect(await Promise.all(['acme', 'mallory', 'nobody'].map((user) => forge().mayWrite(user)))).toEqual([
      true,
      false,
      false,
    ]);
    expect(await authorOf('x', null, client())).toBe('github-actions[bot]');
  });
});

/** Names of fields that the recorded answer lacks, with where they are. */
function unrecorded(made: unknown, real: unknown, at = ''): string[] {
  if (Array.isArray(made)) return made.flatMap((each) => unrecorded(each, (real as unknown[])[0], `${at}[]`));
  if (typeof made !== 'object' || made === null) return [];
  const known = (real ?? {}) as Record<string, unknown>;
  return Object.entries(made).flatMap(([name, value]) =>
    name in known ? unrecorded(value, known[name], `${at}.${name}`) : [`${at}.${name}`],
  );
}

describe('the made-up Gitea', () => {
  it.each([
    ['GET /repos/{owner}/{repo}/pulls/{pull_number}', '/repos/acme/api/pulls/12'],
    ['GET /repos/{owner}/{repo}/git/commits/{commit_sha}', `/repos/acme/api/git/commits/${'c'.repeat(40)}`],
    ['GET /repos/{owner}/{repo}/compare/{basehead}', `/repos/acme/api/compare/main...${'b'.repeat(40)}`],
    ['GET /repos/{owner}/{repo}/commits/{ref}/statuses', `/repos/acme/api/commits/${HEAD}/statuses`],
  ])('has nothing in its answer to %s that a real one has not', async (route, asked) => {
    const { api, forge: state } = await world({ gitea: true });
    const status = { sha: HEAD, context: 'wrkbench/x', state: 'success', description: null, target_url: null };
    state.statuses.push(status);
    const answer = await fetch(`${api.url}${asked}`, { headers: { authorization: `token ${TOKEN}` } });
    expect(answer.status).toBe(200);
    expect(unrecorded(await answer.json(), bodyAt(route))).toEqual([]);
  });
});
