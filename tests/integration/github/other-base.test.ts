// needs: nothing
import { describe, expect, it } from 'vitest';
import { slower } from '../../unit/posting/made-up.ts';
import { ALWAYS, addArtifact, BASE, HEAD, OTHER, onBranch, recordFor, reported, type World, world } from './given.ts';

const CONTEXT = 'wrkbench/rest-api';
/** A branch without a spec: whatever comes into it is a first measurement. */
const LAX = 'e'.repeat(40);

const overLimit = { comparing: null, gate: { metrics: { throughput: { min: 1e9 } } } };

const shown = ({ forge }: World, context = CONTEXT) => {
  const { state, description } = forge.statuses.findLast((status) => status.context === context) ?? {};
  return { state, description };
};

/** Pull request 12 was opened into `lax`, passed there by run 7301, and is into main by now. */
async function retargeted(): Promise<World> {
  const given = await world({ secondMs: 2 });
  const { forge } = given;
  forge.branches.set('lax', [LAX]);
  forge.files.set(LAX, {});
  const merge = 'f'.repeat(40);
  forge.commits.set(merge, { parents: [LAX, HEAD], message: 'Merge a into e' });
  forge.pulls[0]!.base = { sha: LAX, ref: 'lax' };
  addArtifact(forge, recordFor({ comparing: null, rounds: 20 }, merge));
  await reported(given);
  expect(shown(given)).toEqual({ state: 'success', description: expect.stringMatching(/ \(base: lax\)$/) });
  forge.pulls[0]!.base = { sha: BASE, ref: 'main' };
  return given;
}

/** A later run of it. */
async function later(given: World, conclusion: string | null, id = 7400) {
  given.forge.runs.push({ ...given.forge.runs[0]!, id, conclusion });
  await reported(given, { run: (await given.adapters().forge.workflowRun(id))! });
}

const TAKEN_BACK = {
  state: 'error',
  description: 'It was judged for lax. Measure it again: push a commit, or run the workflow again (base: main)',
};

describe('a pull request that was moved to another base after it had passed', () => {
  it.each(['cancelled', 'skipped', 'action_required'])(
    'does not keep its success where its run is %s',
    async (conclusion) => {
      const given = await retargeted();
      await later(given, conclusion);
      expect(shown(given)).toEqual(TAKEN_BACK);
      expect(given.warnings).toEqual([]);
    },
  );

  it('is judged by the limits of that base once it was measured again', async () => {
    const given = await retargeted();
    addArtifact(given.forge, recordFor(slower), { run: 7400 });
    await later(given, 'success');
    expect(shown(given)).toEqual({
      state: 'failure',
      description: expect.stringMatching(/^Regression: .*\(base: main\)$/),
    });
  });

  it('does not keep the success of a spec that its base has not', async () => {
    const given = await retargeted();
    given.forge.statuses.push({ ...given.forge.statuses[0]!, context: 'wrkbench/web' });
    addArtifact(given.forge, recordFor({ rounds: 20 }), { run: 7400 });
    await later(given, 'success');
    expect(shown(given)).toEqual({ state: 'success', description: expect.stringMatching(/\(base: main\)$/) });
    expect(shown(given, 'wrkbench/web')).toEqual(TAKEN_BACK);
  });

  it('does not pass by what it was judged for before, told of afterwards', async () => {
    const given = await retargeted();
    await reported(given);
    expect(shown(given)).toMatchObject({ state: 'error' });
  });

  it('keeps what others have set, and what fails', async () => {
    const given = await retargeted();
    const [one] = given.forge.statuses;
    given.forge.statuses = [
      { ...one!, context: 'ci/test' },
      { ...one!, context: 'wrkbench/web', state: 'failure' },
    ];
    await later(given, 'action_required');
    expect(given.forge.statuses).toHaveLength(2);
  });
});

describe('a pull request of which no job ran, as after a new title', () => {
  it('keeps what its own run has said for this base', async () => {
    const given = await world({ secondMs: 2 });
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given);
    const before = structuredClone(given.forge.statuses);
    await later(given, 'skipped');
    expect(given.forge.statuses).toEqual(before);
  });

  it('says nothing while its own run goes on, which sets the status', async () => {
    const given = await world({ secondMs: 2 });
    given.forge.runs[0]!.conclusion = null;
    await later(given, 'skipped');
    expect(given.forge.statuses).toEqual([]);
  });

  it('says nothing where nobody knows what else measures it: it would stand over that', async () => {
    const given = await world({ secondMs: 2 });
    given.api.faults.push({ operation: 'actions/list-workflow-runs-for-repo', times: ALWAYS, kind: 500 });
    await later(given, 'skipped');
    expect(given.forge.statuses).toEqual([]);
    expect(given.warnings).toEqual([
      expect.stringMatching(
        /^Which other runs measure aaaaaaa is not known, and nothing is said of this one: GET .* 500/,
      ),
    ]);
  });

  it('is an error where nothing else measures it', async () => {
    const given = await world({ secondMs: 2 });
    given.forge.runs[0]!.conclusion = 'cancelled';
    await later(given, 'skipped');
    expect(shown(given)).toEqual({
      state: 'error',
      description: 'Not measured: the run ended with skipped (base: main)',
    });
  });
});

describe('a run that waits for somebody to let it begin', () => {
  it('leaves no success that was judged for no base', async () => {
    const given = await world({ secondMs: 2 });
    given.forge.statuses.push({ sha: HEAD, context: CONTEXT, state: 'success', description: 'x', target_url: null });
    given.forge.runs[0]!.conclusion = 'action_required';
    await reported(given);
    expect(shown(given)).toMatchObject({
      state: 'error',
      description: expect.stringMatching(/^It was not judged for this base\./),
    });
  });
});

describe('a run of a branch that compared nothing', () => {
  /** Run 7400, started by hand without a baseline, for a commit that run 7301 of a pull request or of a push has judged. */
  async function byHand(given: World, sha = HEAD, record = recordFor({ comparing: null, rounds: 20 }, sha)) {
    const { forge } = given;
    forge.runs.push({
      ...forge.runs[0]!,
      id: 7400,
      event: 'workflow_dispatch',
      path: '.github/workflows/nightly.yml',
      head_sha: sha,
      head_branch: 'roles',
      head_repository: 'acme/api',
    });
    addArtifact(forge, record, { run: 7400 });
    await reported(given, {
      run: (await given.adapters().forge.workflowRun(7400))!,
      withoutBaseline: record.comparing === undefined,
    });
  }

  it('replaces no error of a pull request of the same commit', async () => {
    const given = await world({ secondMs: 2 });
    given.forge.runs[0]!.conclusion = 'failure';
    await reported(given);
    await byHand(given);
    expect(shown(given)).toMatchObject({ state: 'error' });
    expect(given.warnings).toEqual([
      `The status ${CONTEXT} is not set: this run compared nothing, and pull request 12 has the same commit.`,
    ]);
  });

  it('does not answer for an open pull request before that has its own run', async () => {
    const given = await world({ secondMs: 2 });
    await byHand(given);
    expect(given.forge.statuses).toEqual([]);
  });

  it('sets none where nobody knows whether a pull request has the commit', async () => {
    const given = await world({ secondMs: 2 });
    given.api.faults.push({ operation: 'pulls/list', times: ALWAYS, kind: 500 });
    await byHand(given);
    expect(given.forge.statuses).toEqual([]);
    expect(given.warnings[0]).toMatch(
      /^Whether an open pull request has aaaaaaa is not known, so what compared nothing sets no success/,
    );
  });

  it('replaces no status that a push was compared for, whichever is told of last', async () => {
    for (const isFirst of [false, true]) {
      const given = await world({ secondMs: 2 });
      onBranch(given);
      addArtifact(given.forge, recordFor(slower, OTHER));
      if (isFirst) await byHand(given, OTHER);
      const push = (await given.adapters().forge.workflowRun(7301))!;
      await reported(given, { run: push });
      if (!isFirst) await byHand(given, OTHER);
      expect(shown(given)).toEqual({ state: 'failure', description: expect.stringMatching(/ \(against bbbbbbb\)$/) });
    }
  });

  /** What a run leaves whose sides were the same. */
  const same = (sha: string) =>
    recordFor(
      { comparing: { skipped: { code: 'same', message: 'Both sides have the same images.' } }, cases: [] },
      sha,
    );

  it.each([
    ['by its change', recordFor(slower, OTHER), {}],
    ['by a limit that needs no baseline', recordFor(overLimit, OTHER), { withoutBaseline: true }],
  ])('replaces no failure %s where both sides were the same and nothing was measured', async (_, record, asked) => {
    const given = await world({ secondMs: 2 });
    onBranch(given);
    addArtifact(given.forge, record);
    await reported(given, asked);
    const before = shown(given);
    expect(before).toMatchObject({ state: 'failure' });
    await byHand(given, OTHER, same(OTHER));
    expect(shown(given)).toEqual(before);
    expect(given.warnings).toEqual([
      `The status ${CONTEXT} stays as run 7301 has set it, since that run measured something and run 7400 did not.`,
    ]);
  });

  it('replaces no failure where its baseline has none of its cases', async () => {
    const given = await world({ secondMs: 2 });
    onBranch(given);
    addArtifact(given.forge, recordFor(slower, OTHER));
    await reported(given);
    const record = recordFor({ rounds: 20 }, OTHER);
    const allNew = { ...record, cases: record.cases.filter(({ variant }) => variant === 'candidate') };
    await byHand(given, OTHER, allNew);
    expect(shown(given)).toMatchObject({ state: 'failure' });
    expect(given.warnings).toEqual([expect.stringContaining('since that run compared something and run 7400 did not')]);
  });

  it('passes where both sides were the same and nothing failed before', async () => {
    const given = await world({ secondMs: 2 });
    await byHand(given, OTHER, same(OTHER));
    expect(shown(given)).toMatchObject({
      state: 'success',
      description: expect.stringMatching(/^Nothing was measured: /),
    });
  });

  it('does not answer for an open pull request where both sides were the same', async () => {
    const given = await world({ secondMs: 2 });
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    await byHand(given, HEAD, same(HEAD));
    expect(shown(given)).toMatchObject({ state: 'failure', description: expect.stringMatching(/ \(base: main\)$/) });
  });

  it('passes where nothing was ever compared', async () => {
    const given = await world({ secondMs: 2 });
    await byHand(given, OTHER);
    expect(shown(given)).toMatchObject({ state: 'success' });
  });
});
