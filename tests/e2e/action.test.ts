// needs: engine, wrk, k6, linux, act
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  BY_BYTES,
  expectFirstPushToBeKept,
  type LivingRepository,
  livingRepository,
  log,
  repository,
  spec,
  USUAL_US,
} from './support/living-repository.ts';

/** What matters most of a repository's life under act: tests/full has more of it. */

let living: LivingRepository;
beforeAll(async () => {
  living = await livingRepository();
});
afterAll(() => living.host.close());

describe('a repository without forks', () => {
  it('stores its first push as a baseline', () => expectFirstPushToBeKept(living), 300_000);
});

describe('a pull request from a fork', () => {
  it('goes by two workflows, of which the first may write nothing', async () => {
    const { host, pullRequest, statusOf, comments } = living;
    // What is shown is who may write, and not how CPU is judged: as on main, an exact count decides.
    const changed = spec(USUAL_US, 13, { gate: BY_BYTES, headerBytes: 1000 });
    const { head, payload, variables } = pullRequest(13, changed, 'mallory');
    host.know(host.git('rev-parse', 'HEAD'));
    const measuring = host.begin({
      event: 'pull_request',
      path: '.github/workflows/measure.yml',
      head_sha: head.sha,
      head_branch: head.branch,
      head_repository: 'mallory/api',
    });
    const call = { event: 'pull_request', payload, workflow: 'measure.yml', job: 'measure', variables };
    const measured = await host.job({ ...call, token: 'ghs_measuring' });
    expect(log(measured)).toBe('');
    expect([statusOf(head.sha), comments(13)]).toEqual([undefined, []]);
    measuring.conclusion = 'success';
    host.git('checkout', '--quiet', 'main');
    const sha = host.git('rev-parse', 'main');
    host.begin({
      event: 'workflow_run',
      path: '.github/workflows/report.yml',
      head_sha: sha,
      head_branch: 'main',
      head_repository: 'acme/api',
    });
    const reported = await host.job({
      event: 'workflow_run',
      payload: { repository, workflow_run: { id: measuring.id, pull_requests: [] } },
      workflow: 'report.yml',
      job: 'report',
      token: 'ghs_reporting',
    });
    expect(reported.status).not.toBe(0);
    expect(statusOf(head.sha)).toBe('failure');
    expect(comments(13)[0]!.body).toMatch(/### 🔴 Regression/);
  }, 300_000);
});

describe('the API', () => {
  it('was asked for nothing that GitHub would refuse', () => {
    expect(living.host.api.diagnostics).toEqual([]);
  });
});
