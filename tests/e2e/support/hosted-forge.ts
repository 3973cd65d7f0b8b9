import { execFileSync } from 'node:child_process';
import { gitServer } from '../../support/git-server/server.ts';
import { artifactService } from '../../support/github-api/artifact-service.ts';
import { type GithubApi, githubApi } from '../../support/github-api/server.ts';
import { emptyForge, type Forge, type Run } from '../../support/github-api/state.ts';

/** One for each job: what its workflow grants, and nothing else. */
const TOKENS = {
  ghs_measuring: { permissions: { contents: 'read', actions: 'read' }, login: 'github-actions[bot]' },
  ghs_reporting: {
    permissions: { actions: 'read', contents: 'write', 'pull-requests': 'write', statuses: 'write' },
    login: 'github-actions[bot]',
  },
} as const;
export type JobToken = keyof typeof TOKENS;

/** A forge of this machine with the empty repository `acme/api`: its API, git over HTTP, and the artifact service. */
export interface HostedForge {
  forge: Forge;
  api: GithubApi;
  /** Of a job of the run that began last. */
  variables(): Record<string, string>;
  /** Paths on the branch that the runs are kept on. */
  kept(): string[];
  /** A new run of a workflow, which goes on. */
  begin(run: Pick<Run, 'event' | 'path' | 'head_sha' | 'head_branch' | 'head_repository'>): Run;
  close(): Promise<void>;
}

export async function hostedForge(): Promise<HostedForge> {
  let run = 7300;
  const forge = emptyForge('acme/api');
  const api = await githubApi(forge, { tokens: TOKENS });
  const server = await gitServer({ tokens: { ghs_measuring: 'read', ghs_reporting: 'write' } });
  const artifacts = await artifactService(forge, () => run);
  const repository = server.create('acme/api');
  return {
    forge,
    api,
    variables: () => ({
      GITHUB_API_URL: api.url,
      GITHUB_SERVER_URL: `http://git.localhost:${new URL(server.url).port}`,
      GITHUB_REPOSITORY: 'acme/api',
      GITHUB_RUN_ID: String(run),
      ...artifacts.variables,
    }),
    kept() {
      const list = ['-C', repository, 'ls-tree', '-r', '--name-only', 'gh-pages'];
      return execFileSync('git', list, { encoding: 'utf8' }).split('\n').filter(Boolean);
    },
    begin(facts) {
      run += 1;
      const begun = { id: run, run_attempt: 1, conclusion: null, created_at: new Date().toISOString(), ...facts };
      forge.runs.push(begun);
      return begun;
    },
    async close() {
      await Promise.all([api.close(), server.close(), artifacts.close()]);
    },
  };
}
