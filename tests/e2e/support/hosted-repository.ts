import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gitServer } from '../../support/git-server/server.ts';
import { artifactService } from '../../support/github-api/artifact-service.ts';
import { type GithubApi, githubApi } from '../../support/github-api/server.ts';
import { emptyForge, type Forge, type Run } from '../../support/github-api/state.ts';
import { type ActResult, act } from './act.ts';

/** One for each job: what its workflow grants, and nothing else. */
const TOKENS = {
  ghs_measuring: { permissions: { contents: 'read', actions: 'read' }, login: 'github-actions[bot]' },
  ghs_telling: {
    permissions: { actions: 'read', contents: 'write', 'pull-requests': 'write', statuses: 'write' },
    login: 'github-actions[bot]',
  },
} as const;

export interface JobCall {
  event: string;
  payload: object;
  /** In `.github/workflows`. */
  workflow: string;
  job: string;
  token: keyof typeof TOKENS;
  variables?: Record<string, string>;
}

/** A repository on a forge of this machine: its API, git over HTTP, the artifact service, and one checkout of it. */
export interface HostedRepository {
  forge: Forge;
  api: GithubApi;
  checkout: string;
  git(...args: string[]): string;
  /** Paths on the branch that the runs are kept on. */
  kept(): string[];
  /** A new run of a workflow, which goes on. */
  begin(run: Pick<Run, 'event' | 'path' | 'head_sha' | 'head_branch' | 'head_repository'>): Run;
  /** One job of the run that began last. */
  job(call: JobCall): Promise<ActResult>;
  /** Tells the API of a commit: its parents, and its files. */
  know(sha: string): void;
  close(): Promise<void>;
}

/** `acme/api` with these starters and files, in one commit on `main`. */
export async function hostedRepository(
  starters: readonly string[],
  files: Record<string, string>,
): Promise<HostedRepository> {
  let run = 7300;
  const forge = emptyForge('acme/api');
  const api = await githubApi(forge, { tokens: TOKENS });
  const server = await gitServer({ tokens: { ghs_measuring: 'read', ghs_telling: 'write' } });
  const artifacts = await artifactService(forge, () => run);
  server.create('acme/api');
  const checkout = mkdtempSync(path.join(tmpdir(), 'wrkbench-repository-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', checkout, '-c', 'user.name=t', '-c', 'user.email=t@example.org', ...args], {
      encoding: 'utf8',
    }).trim();
  for (const name of starters)
    cpSync(path.join('workflows', name), path.join(checkout, '.github/workflows', name), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(checkout, name)), { recursive: true });
    writeFileSync(path.join(checkout, name), text);
  }
  git('init', '--quiet', '--initial-branch', 'main');
  git('add', '.');
  git('commit', '--quiet', '--message', 'First');
  const host: Record<string, string> = {
    GITHUB_API_URL: api.url,
    GITHUB_SERVER_URL: `http://git.localhost:${new URL(server.url).port}`,
    GITHUB_REPOSITORY: 'acme/api',
    ...artifacts.variables,
  };
  return {
    forge,
    api,
    checkout,
    git,
    kept() {
      const folder = path.join(server.root, 'acme/api.git');
      const listed = execFileSync('git', ['-C', folder, 'ls-tree', '-r', '--name-only', 'gh-pages'], {
        encoding: 'utf8',
      });
      return listed.split('\n').filter(Boolean);
    },
    begin(facts) {
      run += 1;
      const begun = { id: run, run_attempt: 1, conclusion: null, created_at: new Date().toISOString(), ...facts };
      forge.runs.push(begun);
      return begun;
    },
    job: ({ event, payload, workflow, job, token, variables = {} }) =>
      act({
        directory: checkout,
        event,
        payload,
        workflow: `.github/workflows/${workflow}`,
        job,
        token,
        variables: { ...host, GITHUB_RUN_ID: String(run), ...variables },
      }),
    know(sha) {
      const [, ...parents] = git('rev-list', '--parents', '-n', '1', sha).split(' ');
      forge.commits.set(sha, { parents, message: git('log', '-1', '--format=%B', sha) });
      const paths = git('ls-tree', '-r', '--name-only', sha).split('\n');
      forge.files.set(sha, Object.fromEntries(paths.map((name) => [name, git('show', `${sha}:${name}`)])));
    },
    async close() {
      await Promise.all([api.close(), server.close(), artifacts.close()]);
      rmSync(checkout, { recursive: true, force: true });
    },
  };
}
