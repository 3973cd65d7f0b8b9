import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { IMAGES } from '../../support/images.ts';
import type { ActResult } from './act.ts';
import { hostedRepository } from './hosted-repository.ts';

/** Both burn: the first burning costs a server of several threads something more, for handing them over. */
export const USUAL_US = 60;
export const SLOW_US = 120;

/** Takes as many rounds as a verdict about scattering figures does. */
export const BY_CPU = 'cpu-per-request: {max-increase: 10%}';
/** An exact count, which one round decides: for what is shown of the way to a verdict, and not of the verdict. */
export const BY_BYTES = 'cpu-per-request: off, bytes-per-response: {max-increase: 0}';

/**
 * `/ping` always costs the same, `/time` what the environment says. Another revision is another service, so that it is measured, also
 * where it costs the same.
 */
export const spec = (timeUs: number, revision: number, { gate = BY_CPU, headerBytes = 0 } = {}) => `
name: api
services:
  go:
    image: ${IMAGES.misbehaving}
    port: 8080
    ready: {path: /ping}
    env: {BURN_US: "${USUAL_US}", TIME_BURN_US: "${timeUs}", REVISION: "${revision}"${headerBytes === 0 ? '' : `, HUGE_HEADER_BYTES: "${headerBytes}"`}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}, time: {path: /time, expect: {status: 200}}}
load:
  wrk: {threads: 1, connections: [16], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, ${gate}, budget: 120s}
`;

export const repository = { full_name: 'acme/api', default_branch: 'main', owner: { login: 'acme' }, name: 'api' };
/** Of a job that failed; '' of another. */
export const log = ({ status, log: said }: ActResult) => (status === 0 ? '' : said);

/** A repository with our starters, and what happens in it: pushes and pull requests, each job one call of act. */
export async function livingRepository() {
  const host = await hostedRepository(['gate.yml', 'measure.yml', 'report.yml', 'accept.yml'], {
    'wrkbench.yml': spec(USUAL_US, 0, { gate: BY_BYTES }),
  });
  const statusOf = (sha: string) => host.forge.statuses.findLast((status) => status.sha === sha)?.state;
  const comments = (number: number) => host.forge.comments.filter(({ issue }) => issue === number);

  /** What both jobs of gate.yml come to, for what is checked out. */
  async function gated(
    event: string,
    payload: object,
    head: { sha: string; branch: string },
    variables: Record<string, string> = {},
  ) {
    host.know(host.git('rev-parse', 'HEAD'));
    const path = '.github/workflows/gate.yml';
    const run = host.begin({
      event,
      path,
      head_sha: head.sha,
      head_branch: head.branch,
      head_repository: 'acme/api',
    });
    const call = { event, payload, workflow: 'gate.yml', variables };
    const measured = await host.job({ ...call, job: 'measure', token: 'ghs_measuring' });
    const reported = await host.job({ ...call, job: 'report', token: 'ghs_reporting_pages' });
    run.conclusion = reported.status === 0 ? 'success' : 'failure';
    return { measured, reported };
  }

  /** Another gate on main: that of a pull request's base is in force. */
  function gateBy(gate: string) {
    host.git('checkout', '--quiet', 'main');
    writeFileSync(path.join(host.checkout, 'wrkbench.yml'), spec(USUAL_US, 0, { gate }));
    host.git('commit', '--quiet', '--all', '--message', 'Gate by something else');
  }

  /** A commit on a branch of its own and its merge into main, checked out, as GitHub makes it. */
  function pullRequest(number: number, text: string, owner = 'acme') {
    const { git, forge } = host;
    const base = git('rev-parse', 'main');
    const branch = `change-${number}`;
    git('checkout', '--quiet', '-B', branch, 'main');
    writeFileSync(path.join(host.checkout, 'wrkbench.yml'), text);
    writeFileSync(path.join(host.checkout, 'README.md'), `${number}\n${text}`);
    git('add', '.');
    git('commit', '--quiet', '--message', `Change ${number}`);
    const head = git('rev-parse', 'HEAD');
    git('checkout', '--quiet', '--detach', 'main');
    git('merge', '--quiet', '--no-ff', '--message', `Merge ${branch}`, branch);
    for (const sha of [base, head]) host.know(sha);
    forge.branches.set('main', git('rev-list', '--first-parent', 'main').split('\n'));
    const own = {
      number,
      state: 'open' as const,
      head: { sha: head, ref: branch, owner, repository: `${owner}/api` },
      base: { sha: base, ref: 'main' },
      labels: [],
      files: ['README.md', 'wrkbench.yml'],
      messages: [`Change ${number}`],
    };
    forge.pulls = [...forge.pulls.filter((each) => each.number !== number), own];
    const payload = {
      repository,
      pull_request: {
        number,
        head: { sha: head, ref: branch, user: { login: owner }, repo: { full_name: `${owner}/api` } },
        base: { sha: base, ref: 'main', repo: repository },
      },
    };
    const variables = {
      GITHUB_SHA: git('rev-parse', 'HEAD'),
      GITHUB_REF: `refs/pull/${number}/merge`,
      GITHUB_BASE_REF: 'main',
      GITHUB_HEAD_REF: branch,
      GITHUB_EVENT_NAME: 'pull_request',
    };
    return { head: { sha: head, branch }, payload, variables };
  }

  return { host, statusOf, comments, gated, gateBy, pullRequest };
}

export type LivingRepository = Awaited<ReturnType<typeof livingRepository>>;

/** The first commit is pushed, measured and kept. */
export async function expectFirstPushToBeKept({ host, gated, statusOf }: LivingRepository): Promise<void> {
  const sha = host.git('rev-parse', 'HEAD');
  const payload = { repository, ref: 'refs/heads/main', after: sha };
  const { measured, reported } = await gated('push', payload, { sha, branch: 'main' });
  expect([log(measured), log(reported)]).toEqual(['', '']);
  expect(statusOf(sha)).toBe('success');
  // With what its generators wrote.
  const [run, raw, ...others] = host.kept();
  expect(run).toMatch(new RegExp(`^wrkbench/api/runs/\\d{4}-\\d{2}/\\S+\\.${sha}\\.json$`));
  expect([raw, others]).toEqual([run!.replace(/json$/, 'raw.json'), []]);
}
