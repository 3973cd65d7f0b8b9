import Bottleneck from 'bottleneck';
import { strToU8, zipSync } from 'fflate';
import { expect, onTestFinished } from 'vitest';
import { stringify } from 'yaml';
import { zipReader } from '../../../src/adapters/archive/zip.ts';
import { createClient } from '../../../src/adapters/github/client.ts';
import { githubForge } from '../../../src/adapters/github/forge.ts';
import type { ReportAdapters, ReportRequest, ReportResult } from '../../../src/app/posting/report-request.ts';
import { reportRun } from '../../../src/app/posting/report-run.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import type { Permissions } from '../../support/github-api/permissions.ts';
import { type GithubApi, type GithubApiOptions, githubApi } from '../../support/github-api/server.ts';
import { emptyForge, type Forge } from '../../support/github-api/state.ts';
import { pagesSource } from '../../support/made-up/pages-source.ts';
import { withoutEmptyPauses } from '../../support/no-empty-pauses.ts';
import { noPageLinks } from '../../support/posted.ts';
import { recordOf } from '../../unit/posting/made-up.ts';

export const BOT = 'github-actions[bot]';
export const TOKEN = 'ghs_onlyForThisTest';
/** What report.yml asks for. */
export const REPORTING: Permissions = {
  actions: 'read',
  contents: 'write',
  'pull-requests': 'write',
  statuses: 'write',
};
export const WORKFLOW = '.github/workflows/measure.yml';
export const [HEAD, BASE, MERGE, OTHER] = ['a', 'b', 'c', 'd'].map((digit) => digit.repeat(40)) as [
  string,
  string,
  string,
  string,
];

/** The spec that made-up records are of, as a file. */
export const SPEC = stringify({
  name: 'rest-api',
  services: { go: { image: 'bench/go:1', port: 8080, ready: { path: '/ping' } } },
  endpoints: { ping: { path: '/ping' } },
  load: { wrk: { threads: 4, connections: [100], 'keep-alive': [true], duration: '10s' } },
});

export interface World {
  forge: Forge;
  api: GithubApi;
  /** What the job was told. */
  warnings: string[];
  summaries: string[];
  request(changes?: Partial<ReportRequest>): Promise<ReportRequest>;
  adapters(changes?: Partial<ReportAdapters>): ReportAdapters;
}

/** For as many requests as there may be. */
export const ALWAYS = 1000;

/** A repository with pull request 12 of a fork, whose run 7301 has ended. No request that GitHub would refuse is let pass. */
export async function world(
  options: Partial<GithubApiOptions> & { permissions?: Permissions; login?: string; secondMs?: number } = {},
): Promise<World> {
  const forge = emptyForge('acme/api');
  forge.pulls.push({
    number: 12,
    state: 'open',
    head: { sha: HEAD, ref: 'main', owner: 'mallory', repository: 'mallory/api' },
    base: { sha: BASE, ref: 'main' },
    labels: [],
    files: ['src/server.go'],
    messages: ['Add roles'],
  });
  forge.runs.push({
    id: 7301,
    run_attempt: 1,
    event: 'pull_request',
    path: WORKFLOW,
    head_sha: HEAD,
    head_branch: 'main',
    head_repository: 'mallory/api',
    conclusion: 'success',
    created_at: '2026-11-20T09:00:00Z',
  });
  forge.commits.set(MERGE, { parents: [BASE, HEAD], message: 'Merge a into b' });
  forge.branches.set('main', [BASE, OTHER]);
  forge.files.set(BASE, { 'wrkbench.yml': SPEC, [WORKFLOW]: 'jobs: {}' });
  const { permissions = REPORTING, login = BOT, secondMs = 2, ...server } = options;
  const api = await githubApi(forge, { tokens: { [TOKEN]: { permissions, login } }, ...server });
  const warnings: string[] = [];
  const summaries: string[] = [];
  onTestFinished(withoutEmptyPauses());
  onTestFinished(async () => {
    await api.close();
    expect(api.diagnostics).toEqual([]);
  });
  const warn = (text: string) => warnings.push(text);
  const client = plainClient(api.url, { warn, secondMs });
  const own = githubForge(client, 'acme/api');
  return {
    forge,
    api,
    warnings,
    summaries,
    async request(changes = {}) {
      const run = (await own.workflowRun(7301))!;
      return {
        run,
        defaultBranch: 'main',
        specs: ['wrkbench.yml'],
        only: null,
        quick: false,
        paths: [],
        fail: 'regression',
        publish: true,
        ...changes,
      };
    },
    adapters: (changes = {}) => ({
      forge: own,
      archives: zipReader(),
      branch: null,
      history: null,
      pages: pagesSource,
      comment: 'always',
      author: BOT,
      status: true,
      check: false,
      summary: async (text) => {
        summaries.push(text);
      },
      pageLinks: noPageLinks,
      artifactUrl: ({ url }, artifact) => `${url}/artifacts/${artifact}`,
      warn,
      now: () => new Date('2026-11-20T10:00:00Z'),
      ...changes,
    }),
  };
}

/** Leaves no pause after a write. */
export function plainClient(apiUrl: string, { warn = (_: string): unknown => undefined, secondMs = 2 } = {}) {
  const [write, notifications] = [new Bottleneck.Group({}), new Bottleneck.Group({})];
  return createClient({ apiUrl, token: TOKEN, version: '0.0.0', warn, secondMs, queues: { write, notifications } });
}

/** Run 7301 becomes one of the repository itself, on a commit that its branch has. */
export function onBranch(
  { forge }: World,
  { event = 'push', branch = 'main', sha = OTHER, message = 'Add roles' } = {},
): void {
  const own = { event, head_sha: sha, head_branch: branch, head_repository: 'acme/api' };
  Object.assign(forge.runs[0]!, own);
  forge.commits.set(sha, { parents: [BASE], message });
  forge.files.set(sha, { 'wrkbench.yml': SPEC });
}

/** As the measuring job leaves it. */
export function addArtifact(
  forge: Forge,
  record: RunRecord | string,
  changes: { id?: number; name?: string; run?: number } = {},
): void {
  const text = typeof record === 'string' ? record : JSON.stringify(record);
  const zip = zipSync({ 'run.json': strToU8(text), 'report.html': strToU8('<h1>x</h1>') });
  const name = typeof record === 'string' ? 'wrkbench-rest-api' : `wrkbench-${record.spec.name}`;
  forge.artifacts.push({ id: 500 + forge.artifacts.length, run: 7301, name, zip, expired: false, ...changes });
}

/** Of the merge of pull request 12. */
export function recordFor(made: Parameters<typeof recordOf>[0] = {}, sha = MERGE, against = BASE): RunRecord {
  const record = recordOf(made);
  const comparing = record.comparing && {
    ...record.comparing,
    baseline: { ...record.comparing.baseline, sha: against },
  };
  return { ...record, source: { ...record.source, sha }, ...(comparing === undefined ? {} : { comparing }) };
}

export async function reported(
  given: World,
  request: Partial<ReportRequest> = {},
  adapters: Partial<ReportAdapters> = {},
): Promise<ReportResult> {
  return await reportRun(await given.request(request), given.adapters(adapters), new AbortController().signal);
}
