// needs: nothing
import { describe, expect, it } from 'vitest';
import { mergeTask } from '../../../src/app/workflow/merge-task.ts';
import { actionInputs } from '../../../src/core/action/inputs.ts';
import { jobFacts } from '../../../src/core/action/job-facts.ts';
import { failureOf } from '../../../src/entry/failure.ts';
import type { Fault } from '../../support/github-api/server.ts';
import { slower } from '../../unit/posting/made-up.ts';
import { ALWAYS, addArtifact, HEAD, MERGE, OTHER, onBranch, recordFor, reported, SPEC, world } from './given.ts';
import { reportedByTask, tellingJob } from './task.ts';

/** What cannot be read costs itself alone, and never makes anything green. */

const quick = { secondMs: 2 };
const failing = (operation: string, kind: Fault['kind'] = 500): Fault => ({ operation, times: ALWAYS, kind });

/** Pull request 12 makes nothing slower, and would be green. */
async function greenWorld() {
  const given = await world(quick);
  addArtifact(given.forge, recordFor({ rounds: 20 }));
  return given;
}

describe('of a pull request that would be green', () => {
  it.each([500, 403, 'drop'] as const)('it is not verified what it changes, with %s', async (kind) => {
    const given = await greenWorld();
    given.api.faults.push(failing('pulls/list-files', kind));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ sha: HEAD, state: 'error' }]);
    expect(given.forge.comments[0]!.body).toContain(
      '### ❌ Not verified: The files that this pull request changes cannot be read, so that the measuring workflow may be among them',
    );
    expect(given.warnings).toEqual([
      expect.stringMatching(
        /^What pull request 12 changes is not known, so that its run is not verified: GET .*\/files /,
      ),
    ]);
  });

  it('it is measured all the same where paths matter, and nobody knows whether it changes any', async () => {
    const given = await greenWorld();
    given.forge.pulls[0]!.files = ['README.md'];
    given.api.faults.push(failing('pulls/list-files'));
    const { judged } = await reported(given, { paths: ['src/*'] });
    expect(judged).toHaveLength(1);
    expect(given.forge.statuses).toMatchObject([{ state: 'error' }]);
  });

  it('the limits are not known, nor is what the workflow calls', async () => {
    const given = await greenWorld();
    given.api.faults.push(failing('repos/get-content'));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ sha: HEAD, state: 'error' }]);
    const { body } = given.forge.comments[0]!;
    expect(body).toContain('the spec of its base cannot be read, so its limits are unknown');
    expect(body).toContain('What the measuring workflow calls cannot be read');
    expect(given.warnings).toHaveLength(2);
  });

  it('a spec that is not there is a first measurement, and not one that cannot be read', async () => {
    const given = await greenWorld();
    given.api.faults.push(failing('repos/get-content', 404));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ state: 'success' }]);
    expect(given.warnings).toEqual([]);
  });

  it('the files of its base are not known, where specs are named by a glob', async () => {
    const given = await greenWorld();
    given.api.faults.push(failing('git/get-tree'));
    await reported(given, { specs: ['*.yml'] });
    expect(given.forge.statuses).toMatchObject([{ state: 'error' }]);
  });

  it('the commit that was measured is not known', async () => {
    const given = await greenWorld();
    given.api.faults.push(failing('git/get-commit'));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ state: 'error' }]);
    expect(given.forge.comments[0]!.body).toContain('Not verified: The commit that was measured cannot be read');
  });

  it('the commit that it was merged into may be anywhere', async () => {
    const given = await greenWorld();
    given.forge.commits.set(MERGE, { parents: [OTHER, HEAD], message: 'Merge' });
    given.api.faults.push(failing('repos/compare-commits-with-basehead'));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ state: 'error' }]);
    expect(given.forge.comments[0]!.body).toContain(
      'Not verified: Whether it was merged into a commit of its base is not known',
    );
  });

  it('the limits of the commit that it was merged into are not known', async () => {
    const given = await greenWorld();
    given.forge.commits.set(MERGE, { parents: [OTHER, HEAD], message: 'Merge' });
    given.forge.files.set(OTHER, { 'wrkbench.yml': SPEC });
    const forge = { ...given.adapters().forge };
    const { textAt } = forge;
    forge.textAt = async (path, sha) => {
      if (sha === OTHER) given.api.faults.push({ ...failing('repos/get-content'), times: 4 });
      return await textAt(path, sha);
    };
    addArtifact(given.forge, recordFor({ rounds: 20 }, MERGE, OTHER), { id: 900 });
    await reported(given, {}, { forge });
    expect(given.forge.statuses).toMatchObject([{ state: 'error' }]);
    expect(given.forge.comments[0]!.body).toContain('Not verified: The spec of its base cannot be read');
  });

  it('its artifacts cannot be listed: it counts as not measured, with the reason', async () => {
    const given = await greenWorld();
    given.api.faults.push(failing('actions/list-workflow-run-artifacts'));
    const { missing } = await reported(given);
    expect(missing).toEqual([
      { specName: 'rest-api', why: expect.stringMatching(/^the artifacts of the run cannot be listed: GET .* 500/) },
    ]);
    expect(given.forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api', state: 'error' }]);
    expect(given.forge.comments[0]!.body).toContain('### ❌ Not measured: the artifacts of the run cannot be listed');
  });
});

describe('where it is not known whose run it is', () => {
  it('the report fails with a sentence, and the statuses that somebody waits for are errors', async () => {
    const given = await greenWorld();
    const request = await given.request();
    given.api.faults.push(failing('pulls/list'));
    await expect(reported(given, request)).rejects.toThrow(/^GET \/repos\/acme\/api\/pulls was answered with 500/);
    expect(given.forge.statuses).toMatchObject([
      {
        sha: HEAD,
        context: 'wrkbench/rest-api',
        state: 'error',
        description: expect.stringMatching(/^Not reported: GET/),
      },
    ]);
    expect(given.forge.comments).toEqual([]);
  });

  it('nothing is said of a run that was cancelled', async () => {
    const given = await greenWorld();
    const request = await given.request();
    given.api.faults.push(failing('pulls/list'));
    await expect(reported(given, { run: { ...request.run, conclusion: 'cancelled' } })).rejects.toThrow('500');
    expect(given.forge.statuses).toEqual([]);
  });

  it('a run that cannot be read gets an error at the commit that the event names', async () => {
    const given = await greenWorld();
    given.api.faults.push(failing('actions/get-workflow-run'));
    await expect(reportedByTask(given)).rejects.toThrow(
      /^GET \/repos\/acme\/api\/actions\/runs\/7301 was answered with 500/,
    );
    expect(given.forge.statuses).toMatchObject([
      { sha: HEAD, state: 'error', target_url: 'https://github.com/acme/api/actions/runs/7301' },
    ]);
  });

  it('nothing passes because nothing could be looked at', async () => {
    const given = await world(quick);
    given.api.faults.push(failing('repos/get-content'));
    await expect(reported(given)).rejects.toThrow(/\/contents\/wrkbench\.yml was answered with 500/);
    expect([given.forge.statuses, given.forge.comments]).toEqual([[], []]);
  });
});

describe('what several machines measured', () => {
  it('is not put together where their artifacts cannot be listed: the job fails with a sentence', async () => {
    const given = await world(quick);
    given.api.faults.push(failing('actions/list-workflow-run-artifacts'));
    const { forge, archives } = given.adapters();
    const files = {
      list: async () => ['wrkbench.yml'],
      text: async () => SPEC,
      staysInside: async () => true,
      kind: async () => null,
    };
    const storeOf = () => Promise.reject(new Error('nothing is stored'));
    const { job } = tellingJob();
    const facts = jobFacts({ GITHUB_REPOSITORY: 'acme/api', GITHUB_RUN_ID: '7301' }, {});
    const changedFiles = async () => null;
    const folders = { folderOf: (name: string) => `/results/${name}`, keepFailure: async () => undefined };
    const adapters = { job, files, forge, archives, assets: { pageScript: '' }, changedFiles, storeOf, ...folders };
    const failure = await mergeTask(
      actionInputs(() => ''),
      facts,
      adapters,
    ).catch((error: unknown) => failureOf(error));
    expect(failure).toEqual({
      text: expect.stringMatching(
        /^GET \/repos\/acme\/api\/actions\/runs\/7301\/artifacts was answered with 500: [^\n]*$/,
      ),
      exitCode: 3,
    });
  });
});

describe('of what is no pull request', () => {
  it('a merge queue does not pass as long as its specs are not known', async () => {
    const given = await world(quick);
    onBranch(given, { event: 'merge_group', branch: 'gh-readonly-queue/main/pr-12' });
    given.api.faults.push(failing('repos/get-content'));
    await expect(reported(given)).rejects.toThrow('was answered with 500');
    expect(given.forge.statuses).toEqual([]);
  });

  it('a push is judged by itself, and nothing of its message is accepted', async () => {
    const given = await world(quick);
    onBranch(given, { message: 'Add roles\n\nPerf-Accept: /ping: for roles' });
    addArtifact(given.forge, recordFor(slower, OTHER));
    given.api.faults.push(failing('git/get-commit'), failing('repos/get-content'));
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ sha: OTHER, state: 'failure' }]);
    expect(given.warnings).toEqual([
      expect.stringMatching(/^The specs at ddddddd cannot be read, and are not known: GET /),
      expect.stringMatching(/^No line `Perf-Accept` of ddddddd is known, and none counts: GET /),
    ]);
  });
});
