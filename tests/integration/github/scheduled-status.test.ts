// needs: nothing
import { describe, expect, it } from 'vitest';
import { jobFacts } from '../../../src/core/action/job-facts.ts';
import { slower } from '../../unit/posting/made-up.ts';
import {
  ALWAYS,
  addArtifact,
  HEAD,
  OTHER,
  onBranch,
  REPORTING,
  recordFor,
  reported,
  SPEC,
  WORKFLOW,
  type World,
  world,
} from './given.ts';
import { reportedByTask } from './task.ts';

const PUSH = 'wrkbench/rest-api';
const NIGHTLY = 'wrkbench/rest-api (schedule)';
const [PUSHED, SCHEDULED] = [7301, 7400];

/** The commit of run 7301, a push, is measured once more every night, by run 7400. */
async function pushedAndScheduled(records: { push: object; schedule: object }): Promise<World> {
  const given = await world({ secondMs: 2, permissions: { ...REPORTING, checks: 'write' } });
  onBranch(given);
  given.forge.runs.push({ ...given.forge.runs[0]!, id: SCHEDULED, event: 'schedule' });
  addArtifact(given.forge, recordFor(records.push, OTHER));
  addArtifact(given.forge, recordFor(records.schedule, OTHER), { run: SCHEDULED });
  return given;
}

async function reportedRun(given: World, id: number, adapters = {}) {
  return await reported(given, { run: (await given.adapters().forge.workflowRun(id))! }, adapters);
}

/** What GitHub shows of a commit: the newest of each context. */
const shown = ({ forge }: World) =>
  Object.fromEntries(forge.statuses.map(({ context, state }) => [context, state] as const));

describe('the status of a scheduled run', () => {
  it.each([
    ['before', [SCHEDULED, PUSHED]],
    ['after', [PUSHED, SCHEDULED]],
  ])('stands beside that of the push, reported %s it', async (_, order) => {
    const given = await pushedAndScheduled({ push: { rounds: 20 }, schedule: slower });
    for (const id of order) await reportedRun(given, id);
    expect(shown(given)).toEqual({ [PUSH]: 'success', [NIGHTLY]: 'failure' });
    expect(given.warnings).toEqual([]);
  });

  it('does not turn a red push green', async () => {
    const given = await pushedAndScheduled({ push: slower, schedule: { rounds: 20 } });
    for (const id of [PUSHED, SCHEDULED]) await reportedRun(given, id, { check: true });
    expect(shown(given)).toEqual({ [PUSH]: 'failure', [NIGHTLY]: 'success' });
    expect(given.forge.checks).toMatchObject([
      { name: PUSH, conclusion: 'failure' },
      { name: NIGHTLY, conclusion: 'success' },
    ]);
    expect(given.summaries.at(-1)).toContain('**Check passed** (`wrkbench/rest-api (schedule)`): ');
  });

  it('says that it was cancelled, and leaves what the push has found', async () => {
    const given = await pushedAndScheduled({ push: { rounds: 20 }, schedule: {} });
    await reportedRun(given, PUSHED);
    given.forge.runs[1]!.conclusion = 'cancelled';
    await reportedRun(given, SCHEDULED);
    expect(shown(given)).toEqual({ [PUSH]: 'success', [NIGHTLY]: 'error' });
  });

  it('says that nothing was measured, under the name that it has', async () => {
    const given = await pushedAndScheduled({ push: { rounds: 20 }, schedule: {} });
    given.forge.artifacts.pop();
    await reportedRun(given, PUSHED);
    await reportedRun(given, SCHEDULED);
    expect(shown(given)).toEqual({ [PUSH]: 'success', [NIGHTLY]: 'error' });
    expect(given.summaries.at(-1)).toContain('(`wrkbench/rest-api (schedule)`): ');
  });

  it('is an error where the run cannot be read, which the event alone says to be a scheduled one', async () => {
    const given = await pushedAndScheduled({ push: { rounds: 20 }, schedule: {} });
    await reportedRun(given, PUSHED);
    given.api.faults.push({ operation: 'actions/get-workflow-run', times: ALWAYS, kind: 500 });
    const workflow_run = { id: SCHEDULED, head_sha: OTHER, event: 'schedule' };
    const variables = { GITHUB_REPOSITORY: 'acme/api', GITHUB_RUN_ID: '7900', GITHUB_EVENT_NAME: 'workflow_run' };
    const repository = { full_name: 'acme/api', default_branch: 'main' };
    given.forge.branches.set('main', [OTHER]);
    await expect(reportedByTask(given, jobFacts(variables, { repository, workflow_run }))).rejects.toThrow();
    expect(shown(given)).toEqual({ [PUSH]: 'success', [NIGHTLY]: 'error' });
  });

  it('is a success without anything compared, which answers for no pull request of the same commit', async () => {
    const given = await world({ secondMs: 2 });
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    const own = { event: 'schedule', head_sha: HEAD, head_branch: 'main', head_repository: 'acme/api' };
    given.forge.runs.push({ ...given.forge.runs[0]!, ...own, id: SCHEDULED });
    given.forge.files.set(HEAD, { 'wrkbench.yml': SPEC, [WORKFLOW]: 'jobs: {}' });
    addArtifact(given.forge, recordFor({ comparing: null, rounds: 20 }, HEAD), { run: SCHEDULED });
    await reportedRun(given, SCHEDULED);
    expect(shown(given)).toEqual({ [PUSH]: 'failure', [NIGHTLY]: 'success' });
  });

  it('is not taken back for a pull request that waits to be let run', async () => {
    const given = await world({ secondMs: 2 });
    given.forge.statuses.push({
      sha: HEAD,
      context: NIGHTLY,
      state: 'success',
      description: 'No change in 1 endpoint (against bbbbbbb)',
      target_url: null,
    });
    given.forge.runs[0]!.conclusion = 'action_required';
    await reported(given);
    expect(shown(given)).toEqual({ [NIGHTLY]: 'success' });
  });
});
