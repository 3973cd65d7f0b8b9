// needs: nothing
import { describe, expect, it } from 'vitest';
import { slower } from '../../unit/posting/made-up.ts';
import { addArtifact, BASE, HEAD, OTHER, recordFor, reported, type World, world } from './given.ts';

const LABEL = 'perf-accepted: /ping';

function setLabel({ forge }: World, at: string): void {
  forge.pulls[0]!.labels = [LABEL];
  forge.events.push({ issue: 12, event: 'labeled', label: LABEL, actor: 'alice', created_at: at });
}

/** A run that GitHub made of the head at that moment. */
function seen({ forge }: World, id: number, sha: string, at: string, repository = 'mallory/api'): void {
  forge.runs.push({ ...forge.runs[0]!, id, head_sha: sha, head_repository: repository, created_at: at });
}

/** Pull request 12 makes something slower; its run 7301 was made at nine o'clock. */
async function slowerWorld(): Promise<World> {
  const given = await world();
  given.forge.collaborators.set('alice', 'write');
  addArtifact(given.forge, recordFor(slower));
  return given;
}

describe('a label that accepts', () => {
  async function labelled(at: string, permission: 'write' | 'read' = 'write') {
    const given = await world();
    given.forge.pulls[0]!.labels = ['perf-accepted: /ping'];
    given.forge.events.push({
      issue: 12,
      event: 'labeled',
      label: 'perf-accepted: /ping',
      actor: 'alice',
      created_at: at,
    });
    given.forge.collaborators.set('alice', permission);
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    return given;
  }

  it('counts for the commit that was pushed before it', async () => {
    const { forge } = await labelled('2026-11-20T09:30:00Z');
    expect(forge.statuses[0]!.state).toBe('success');
    expect(forge.comments[0]!.body).toContain('Accepted regression');
    expect(forge.comments[0]!.body).toContain('label set by alice');
  });

  it('is voided by the next push, and taken away', async () => {
    const { forge } = await labelled('2026-11-20T08:30:00Z');
    expect(forge.statuses[0]!.state).toBe('failure');
    expect(forge.pulls[0]!.labels).toEqual([]);
  });

  it('counts for nothing from somebody who may not write, which is told', async () => {
    const { forge, warnings } = await labelled('2026-11-20T09:30:00Z', 'read');
    expect(forge.statuses[0]!.state).toBe('failure');
    expect(warnings).toEqual([`The label ${LABEL} does not count: alice, who set it, may not write here.`]);
  });

  it('counts where it starts a run of the same commit itself', async () => {
    const given = await slowerWorld();
    setLabel(given, '2026-11-20T09:30:00Z');
    seen(given, 7302, HEAD, '2026-11-20T09:30:01Z');
    await reported(given);
    expect(given.forge.statuses[0]!.state).toBe('success');
  });

  it('counts whatever is pushed to a branch of that name in another fork', async () => {
    const given = await slowerWorld();
    setLabel(given, '2026-11-20T09:30:00Z');
    seen(given, 7302, OTHER, '2026-11-20T09:40:00Z', 'eve/api');
    await reported(given);
    expect(given.forge.statuses[0]!.state).toBe('success');
  });
});

describe('what a first measurement has beyond an absolute limit', () => {
  it('is accepted by the label that its comment offers', async () => {
    const given = await world();
    given.forge.collaborators.set('alice', 'write');
    given.forge.files.set(BASE, {});
    const gate = { metrics: { throughput: { min: 1e9 } } };
    addArtifact(given.forge, recordFor({ comparing: null, gate, cases: [{ only: 'candidate' }] }));
    await reported(given);
    expect(given.forge.statuses.at(-1)).toMatchObject({ state: 'failure' });
    expect(given.forge.comments[0]!.body).toMatch(/ · Accept it: label `perf-accepted`$/m);
    setLabel(given, '2026-11-20T09:30:00Z');
    await reported(given);
    expect(given.forge.statuses.at(-1)).toMatchObject({
      state: 'success',
      description: expect.stringMatching(
        /^1 broken limit accepted: Throughput: .* \(label set by alice\) \(base: main\)$/,
      ),
    });
    expect(given.forge.comments[0]!.body).toContain('### 🟢 1 broken limit accepted: ');
    expect(given.forge.comments[0]!.body).not.toContain('Accept it');
  });
});

describe('a label that was set for another head', () => {
  /** The run of the head after it came back: 7303. */
  async function reportedAgain(given: World) {
    addArtifact(given.forge, recordFor(slower), { run: 7303 });
    await reported(given, { run: (await given.adapters().forge.workflowRun(7303))! });
  }

  it('accepts nothing of a commit that was measured before and is pushed back', async () => {
    const given = await slowerWorld();
    seen(given, 7302, OTHER, '2026-11-20T09:10:00Z');
    setLabel(given, '2026-11-20T09:20:00Z');
    seen(given, 7303, HEAD, '2026-11-20T09:30:00Z');
    await reportedAgain(given);
    expect(given.forge.statuses).toMatchObject([{ sha: HEAD, state: 'failure' }]);
    expect(given.forge.pulls[0]!.labels).toEqual([]);
  });

  it('accepts nothing either where the first run of that commit is run again', async () => {
    const given = await slowerWorld();
    seen(given, 7302, OTHER, '2026-11-20T09:10:00Z');
    setLabel(given, '2026-11-20T09:20:00Z');
    seen(given, 7303, HEAD, '2026-11-20T09:30:00Z');
    given.forge.runs[0]!.run_attempt = 2;
    await reported(given);
    expect(given.forge.statuses[0]!.state).toBe('failure');
  });

  it('accepts nothing where no run saw the other head, and the branch was forced back', async () => {
    const given = await slowerWorld();
    setLabel(given, '2026-11-20T09:20:00Z');
    const forced = { issue: 12, event: 'head_ref_force_pushed', actor: 'mallory' } as const;
    given.forge.events.push({ ...forced, created_at: '2026-11-20T09:30:00Z' });
    seen(given, 7303, HEAD, '2026-11-20T09:30:01Z');
    await reportedAgain(given);
    expect(given.forge.statuses[0]!.state).toBe('failure');
    expect(given.forge.pulls[0]!.labels).toEqual([]);
  });

  it('counts again once it is set anew', async () => {
    const given = await slowerWorld();
    seen(given, 7302, OTHER, '2026-11-20T09:10:00Z');
    setLabel(given, '2026-11-20T09:20:00Z');
    seen(given, 7303, HEAD, '2026-11-20T09:30:00Z');
    setLabel(given, '2026-11-20T09:40:00Z');
    await reportedAgain(given);
    expect(given.forge.statuses[0]!.state).toBe('success');
  });
});

describe('an acceptance that cannot be asked for', () => {
  it.each([
    ['issues/list-events', /^Whether a label was set for aaaaaaa is not known, so that none counts: GET .* 500/],
    ['actions/list-workflow-runs-for-repo', /^Whether a label was set for aaaaaaa is not known, .*: GET .* 500/],
    ['repos/get-collaborator-permission-level', /^Whether alice may write here is not known, .*: GET .* 500/],
  ])('(%s) accepts nothing, is told, and leaves the label where it is', async (operation, told) => {
    const given = await slowerWorld();
    setLabel(given, '2026-11-20T09:30:00Z');
    given.api.faults.push({ operation, times: 100, kind: 500 });
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ sha: HEAD, state: 'failure' }]);
    expect(given.forge.pulls[0]!.labels).toEqual([LABEL]);
    expect(given.warnings).toEqual([expect.stringMatching(told)]);
  });

  it('counts for nothing where the forge lists runs, and not the one in question', async () => {
    const given = await slowerWorld();
    setLabel(given, '2026-11-20T09:30:00Z');
    const request = await given.request();
    given.forge.runs = [];
    await reported(given, request);
    expect(given.forge.statuses[0]!.state).toBe('failure');
    expect(given.forge.pulls[0]!.labels).toEqual([LABEL]);
    expect(given.warnings).toEqual([`The label ${LABEL} does not count: no run shows when aaaaaaa was pushed.`]);
  });

  it('is none of the trailers of a branch of the repository itself', async () => {
    const given = await slowerWorld();
    const [pull] = given.forge.pulls;
    pull!.head = { ...pull!.head, owner: 'acme', repository: 'acme/api', ref: 'roles' };
    pull!.messages = ['Add roles\n\nPerf-Accept: /ping: for roles'];
    Object.assign(given.forge.runs[0]!, { head_repository: 'acme/api', head_branch: 'roles' });
    given.api.faults.push({ operation: 'pulls/list-commits', times: 4, kind: 500 });
    await reported(given);
    expect(given.forge.statuses[0]!.state).toBe('failure');
    expect(given.warnings).toEqual([
      expect.stringMatching(/^No line `Perf-Accept` of pull request 12 is known, and none counts: GET .* 500/),
    ]);
    await reported(given);
    expect(given.forge.statuses.at(-1)!.state).toBe('success');
  });
});
