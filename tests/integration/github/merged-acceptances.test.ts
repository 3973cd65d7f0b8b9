// needs: nothing
import { describe, expect, it } from 'vitest';
import type { Pull } from '../../support/github-api/state.ts';
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
  type World,
  world,
} from './given.ts';

const LABEL = 'perf-accepted: /ping';
const OWN = { sha: HEAD, ref: 'roles', owner: 'acme', repository: 'acme/api' };

/** Pull request 12, whose head was pushed at nine, was merged as a commit of main at ten, which costs more: run 7400 has measured it. */
async function merged(pull: Partial<Pull> = {}): Promise<World> {
  const given = await world({ secondMs: 2 });
  const { forge } = given;
  Object.assign(forge.pulls[0]!, { state: 'closed', merged: { sha: OTHER, at: '2026-11-20T10:00:00Z' }, ...pull });
  const { ref, repository } = forge.pulls[0]!.head;
  forge.runs.push({ ...forge.runs[0]!, id: 7300, head_branch: ref, head_repository: repository });
  onBranch(given, { message: 'Merge pull request #12 from acme/roles' });
  forge.runs[0]!.id = 7400;
  addArtifact(forge, recordFor(slower, OTHER), { run: 7400 });
  forge.collaborators.set('alice', 'write');
  return given;
}
function labelled({ forge }: World, at: string, actor = 'alice'): void {
  forge.pulls[0]!.labels = [LABEL];
  forge.events.push({ issue: 12, event: 'labeled', label: LABEL, actor, created_at: at });
}
async function stateOf(given: World): Promise<string | undefined> {
  await reported(given, { run: (await given.adapters().forge.workflowRun(7400))! });
  return given.forge.statuses.at(-1)?.state;
}

describe('a commit of the default branch that a pull request was merged as', () => {
  it('fails where nobody accepted what it costs', async () => {
    const given = await merged();
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([]);
  });

  it.each([
    ['before it was merged', '2026-11-20T09:30:00Z'],
    ['after it was', '2026-11-20T10:30:00Z'],
  ])('passes by a label that somebody who may write set %s', async (_, at) => {
    const given = await merged();
    labelled(given, at);
    expect(await stateOf(given)).toBe('success');
    expect(given.forge.statuses.at(-1)!.description).toContain('(label set by alice)');
    expect(given.forge.pulls[0]!.labels).toEqual([LABEL]);
    expect(given.warnings).toEqual([]);
  });

  it('passes by a line of any commit of it, where its branch was the repository’s own', async () => {
    const messages = ['Add roles\n\nPerf-Accept: /ping: for roles', 'Fix a typo'];
    expect(await stateOf(await merged({ head: OWN, messages }))).toBe('success');
    expect(await stateOf(await merged({ messages }))).toBe('failure');
  });

  it('passes by a label where pull_request_target alone makes runs of it', async () => {
    const given = await merged();
    given.forge.runs[1]!.event = 'pull_request_target';
    labelled(given, '2026-11-20T09:30:00Z');
    expect(await stateOf(given)).toBe('success');
  });

  it('passes by a label whatever a later branch of that name is', async () => {
    const given = await merged();
    labelled(given, '2026-11-20T09:30:00Z');
    const later = { id: 7401, head_sha: 'e'.repeat(40), created_at: '2026-11-20T11:00:00Z' };
    given.forge.runs.push({ ...given.forge.runs[1]!, ...later });
    expect(await stateOf(given)).toBe('success');
  });
});

describe('the message of a commit that a pull request was merged as', () => {
  const squashed = async (pull: Partial<Pull>, head = OTHER): Promise<World> => {
    const given = await merged(pull);
    given.forge.commits.get(head)!.message = 'Add roles (#12)\n\n* Add roles\n\nPerf-Accept: /ping: for roles';
    return given;
  };

  it('accepts where the branch was the repository’s own', async () => {
    expect(await stateOf(await squashed({ head: OWN }))).toBe('success');
  });

  it('accepts nothing where a fork brought it, which is told: a squash puts its lines into the message', async () => {
    const given = await squashed({});
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([
      'The `Perf-Accept` line of ddddddd does not count, since the commit came from a fork. Set a label instead.',
    ]);
  });

  it('accepts nothing where a fork’s own commit was taken over as it is, or as the last of several', async () => {
    const fork = { sha: OTHER, ref: 'main', owner: 'mallory', repository: 'mallory/api' };
    const forwarded = await squashed({ head: fork, merged: undefined });
    expect(await stateOf(forwarded)).toBe('failure');
    const rebased = await squashed({ merged: { sha: OTHER, at: '2026-11-20T10:00:00Z' } });
    labelled(rebased, '2026-11-20T09:30:00Z', 'mallory');
    expect(await stateOf(rebased)).toBe('failure');
  });

  it('accepts nothing where the forge does not tell yet, and the message names a fork’s pull request', async () => {
    for (const subject of [
      'Add roles (#12)',
      'Merge pull request #12 from mallory/main',
      "Merge pull request 'Undo #3 from x' (#12) from mallory/api:main into main",
    ]) {
      const given = await squashed({ merged: undefined });
      given.forge.commits.get(OTHER)!.message = `${subject}\n\nPerf-Accept: /ping: for roles`;
      expect(await stateOf(given)).toBe('failure');
      expect(given.warnings).toEqual([
        'The `Perf-Accept` line of ddddddd does not count, since the commit came from a fork. Set a label instead.',
      ]);
    }
  });

  it('accepts where that pull request was the repository’s own, or is none', async () => {
    expect(await stateOf(await squashed({ merged: undefined, head: OWN }))).toBe('success');
    const other = await squashed({ merged: undefined });
    other.forge.commits.get(OTHER)!.message = 'Undo what was slow (#99)\n\nPerf-Accept: /ping: for roles';
    expect(await stateOf(other)).toBe('success');
  });

  it('accepts nothing where nobody can read whether that comes from a fork', async () => {
    const given = await squashed({ merged: undefined, head: OWN });
    given.api.faults.push({ operation: 'pulls/get', times: ALWAYS, kind: 500 });
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings[0]).toMatch(/^Whether pull request 12 comes from a fork is not known: GET .* 500/);
  });

  it('accepts nothing where it has more lines than anybody means, which is told', async () => {
    const given = await merged({ head: OWN });
    given.forge.commits.get(OTHER)!.message = 'Perf-Accept: /ping: for roles\n'.repeat(51);
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([
      'A message of commit ddddddd is too long, or has too many `Perf-Accept` lines: none of them counts.',
    ]);
  });
});

describe('a commit that a merge queue makes of a fork’s pull request', () => {
  const QUEUE = 'gh-readonly-queue/main/pr-12-bbbbbbb';
  const MESSAGE = 'Add roles\n\nPerf-Accept: /ping: for roles';

  it('is accepted by no line of it where it is measured as a push to the queue’s branch', async () => {
    const given = await merged({ state: 'open', merged: undefined });
    onBranch(given, { branch: QUEUE, message: MESSAGE });
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([expect.stringMatching(/^The `Perf-Accept` line of ddddddd does not count/)]);
  });

  it('is accepted by its line where the pull request is the repository’s own', async () => {
    const given = await merged({ state: 'open', merged: undefined, head: OWN });
    onBranch(given, { branch: QUEUE, message: MESSAGE });
    expect(await stateOf(given)).toBe('success');
  });

  it('is judged by nothing that its message says in the queue itself, which measures nothing', async () => {
    const given = await merged({ state: 'open', merged: undefined });
    onBranch(given, { event: 'merge_group', branch: QUEUE, message: MESSAGE });
    expect(await stateOf(given)).toBe('success');
    expect(given.forge.statuses.at(-1)!.description).toBe(
      'Measured in the pull request; a merge queue measures nothing again.',
    );
    expect(given.api.calls.filter((call) => call.includes('get-commit'))).toEqual([]);
  });

  it('fails on the default branch once it is merged', async () => {
    const given = await merged();
    given.forge.commits.get(OTHER)!.message = MESSAGE;
    expect(await stateOf(given)).toBe('failure');
  });
});

describe('a label of a merged pull request counts for nothing', () => {
  it('where it was set before the last push, which is told, and stays where it is', async () => {
    const given = await merged();
    labelled(given, '2026-11-20T08:30:00Z');
    expect(await stateOf(given)).toBe('failure');
    expect(given.forge.pulls[0]!.labels).toEqual([LABEL]);
    expect(given.warnings).toEqual([
      `The label ${LABEL} of pull request 12 does not count: it was set before the last push.`,
    ]);
  });

  it('where somebody set it who may not write', async () => {
    const given = await merged();
    labelled(given, '2026-11-20T09:30:00Z', 'mallory');
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([`The label ${LABEL} does not count: mallory, who set it, may not write here.`]);
  });

  it.each([
    ['no run shows when its head was pushed', { head_repository: 'eve/api' }],
    ['the last run of it was of another head', { head_sha: 'e'.repeat(40) }],
  ])('where %s', async (_, run) => {
    const given = await merged();
    Object.assign(given.forge.runs[1]!, run);
    labelled(given, '2026-11-20T09:30:00Z');
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([`The label ${LABEL} does not count: no run shows when aaaaaaa was pushed.`]);
  });
});

describe('what was accepted on a pull request counts for no other commit', () => {
  const messages = ['Add roles\n\nPerf-Accept: /ping: for roles'];
  it.each<[string, Partial<Pull>]>([
    ['that it was not merged as', { merged: { sha: 'e'.repeat(40), at: '2026-11-20T10:00:00Z' } }],
    ['that is its head, and was pushed by itself', { head: { ...OWN, sha: OTHER }, merged: undefined }],
    ['that it is only to be merged as', { state: 'open', merged: { sha: OTHER, at: null } }],
  ])('%s', async (_, pull) => {
    expect(await stateOf(await merged({ head: OWN, messages, ...pull }))).toBe('failure');
  });
});

describe('a forge that does not tell which pull request was merged', () => {
  it('is no failure where it has no such thing', async () => {
    const given = await merged({ head: OWN, messages: ['x\n\nPerf-Accept: /ping: for roles'] });
    given.api.faults.push({ operation: 'repos/list-pull-requests-associated-with-commit', times: ALWAYS, kind: 404 });
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([]);
  });

  it.each([500, 403] as const)('accepts nothing, and is told, with %i', async (kind) => {
    const given = await merged({ head: OWN, messages: ['x\n\nPerf-Accept: /ping: for roles'] });
    given.api.faults.push({ operation: 'repos/list-pull-requests-associated-with-commit', times: ALWAYS, kind });
    expect(await stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([
      expect.stringMatching(
        new RegExp(
          `^Which pull request was merged as ddddddd is not known, and no line or label of it counts: GET .* ${kind}`,
        ),
      ),
    ]);
  });

  it('is asked with what the reporting workflow grants a push, and no more', async () => {
    const given = await world({ secondMs: 2, permissions: { ...REPORTING, 'pull-requests': 'read' } });
    onBranch(given);
    addArtifact(given.forge, recordFor({ rounds: 20 }, OTHER));
    await reported(given);
    expect(given.warnings).toEqual([]);
  });
});
