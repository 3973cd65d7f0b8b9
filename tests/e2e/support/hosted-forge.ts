import { execFileSync } from 'node:child_process';
import { gitServer } from '../../support/git-server/server.ts';
import { artifactService } from '../../support/github-api/artifact-service.ts';
import { type GithubApi, githubApi } from '../../support/github-api/server.ts';
import { emptyForge, type Forge, type Run } from '../../support/github-api/state.ts';

const REPORTING = { actions: 'read', contents: 'write', 'pull-requests': 'write', statuses: 'write' } as const;
/** One for each job: what its workflow grants, and nothing else. */
const TOKENS = {
  ghs_measuring: { permissions: { contents: 'read', actions: 'read' }, login: 'github-actions[bot]' },
  ghs_reporting: { permissions: REPORTING, login: 'github-actions[bot]' },
  /** Where a project adds `pages: read`: on another server than github.com nobody could name the address without it. */
  ghs_reporting_pages: { permissions: { ...REPORTING, pages: 'read' }, login: 'github-actions[bot]' },
} as const;
/** Where the pages of `acme/api` are to be seen. */
export const SITE_URL = 'https://acme.github.io/api/';
export type JobToken = keyof typeof TOKENS;

/** A forge of this machine with the empty repository `acme/api`: its API, git over HTTP, and the artifact service. */
export interface HostedForge {
  forge: Forge;
  api: GithubApi;
  /** Of a job of the run that began last. */
  variables(): Record<string, string>;
  /** Paths on the branch that runs are kept on, without the pages. */
  kept(): string[];
  /** Has GitHub Pages show what is on that branch now, and the API know of it. */
  showPages(): void;
  /** A clone's way to the repository. */
  repository: string;
  /** A new run of a workflow, which goes on. */
  begin(run: Pick<Run, 'event' | 'path' | 'head_sha' | 'head_branch' | 'head_repository'>): Run;
  close(): Promise<void>;
}

export async function hostedForge(): Promise<HostedForge> {
  let run = 7300;
  const forge = emptyForge('acme/api');
  const api = await githubApi(forge, { tokens: TOKENS });
  const server = await gitServer({
    tokens: { ghs_measuring: 'read', ghs_reporting: 'write', ghs_reporting_pages: 'write' },
  });
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
      const paths = execFileSync('git', list, { encoding: 'utf8' }).split('\n');
      // Without the pages beside them, which other tests are about; whatever lies outside of our folder counts.
      return paths.filter((path) => path !== '' && !/^wrkbench\/(?!(?:[^/]+\/)(?:runs|hidden|set-aside)\/)/.test(path));
    },
    showPages() {
      const read = (...args: string[]) => execFileSync('git', ['-C', repository, ...args], { encoding: 'utf8' });
      const tip = read('rev-parse', 'gh-pages').trim();
      const names = read('ls-tree', '-r', '--name-only', tip)
        .split('\n')
        .filter((name) => name.endsWith('.html'));
      forge.branches.set('gh-pages', [tip]);
      forge.files.set(tip, Object.fromEntries(names.map((name) => [name, read('show', `${tip}:${name}`)])));
      const source = { branch: 'gh-pages', path: '/' } as const;
      forge.site = { html_url: SITE_URL, build_type: 'legacy', source };
    },
    repository,
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
