// needs: nothing
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import type { BranchHistory } from '../../../src/app/branch-history.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { slower } from '../../unit/posting/made-up.ts';
import { addArtifact, BASE, OTHER, onBranch, recordFor, reported, SPEC, WORKFLOW, type World, world } from './given.ts';

/** Of a number of things, each by its place. */
const times = <T>(count: number, make: (at: number) => T) => Array.from({ length: count }, (_, at) => make(at));
const specNamed = (name: string) => stringify({ ...parse(SPEC), name });
const stateOf = ({ forge }: World) => forge.statuses.findLast(({ context }) => context === 'wrkbench/rest-api')?.state;

describe('specs beyond as many as one job reports', () => {
  const TOO_MANY =
    'The specs at bbbbbbb cannot be read, and are not known: The input spec names 101 specs, and 100 at most are reported by one job. Share them out over several workflows.';

  it('leave none of them a success, named by a glob', async () => {
    const given = await world({ secondMs: 2 });
    const others = times(100, (at) => [`bench/${at}.yml`, specNamed(`other-${at}`)] as const);
    given.forge.files.set(BASE, { ...Object.fromEntries(others), 'bench/z.yml': SPEC, [WORKFLOW]: 'jobs: {}' });
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given, { specs: ['bench/*.yml'] });
    expect(stateOf(given)).toBe('error');
    expect(given.warnings).toEqual([TOO_MANY]);
  });

  it('leave none of them a success, named one by one', async () => {
    const given = await world({ secondMs: 2 });
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given, { specs: ['wrkbench.yml', ...times(100, (at) => `bench/${at}.yml`)] });
    expect(stateOf(given)).toBe('error');
    expect(given.warnings).toEqual([TOO_MANY]);
  });

  it('are none where the same path is named again and again', async () => {
    const given = await world({ secondMs: 2 });
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    await reported(given, { specs: times(101, () => 'wrkbench.yml') });
    expect(stateOf(given)).toBe('success');
  });
});

describe('results beyond as many as one job reports', () => {
  it('leave no spec of the base a success', async () => {
    const given = await world({ secondMs: 2 });
    addArtifact(given.forge, recordFor({ rounds: 20 }));
    for (const at of times(100, (place) => place)) addArtifact(given.forge, '{}', { name: `wrkbench-other-${at}` });
    await reported(given);
    expect(given.forge.statuses).toMatchObject([{ context: 'wrkbench/rest-api', state: 'error' }]);
    expect(given.forge.comments[0]!.body).toContain(
      'The run left results of 101 specs, and 100 at most are reported by one job. Share them out over several workflows',
    );
  });
});

describe('stored runs beyond those that are looked up', () => {
  it('leave a run that compares with nothing unverified', async () => {
    const given = await world({ secondMs: 2 });
    given.forge.files.get(BASE)!['wrkbench.yml'] = `${SPEC}gate: {baseline: stored}\n`;
    const { comparing, ...record } = recordFor({ rounds: 20 });
    const unpaired = { ...comparing!, wanted: 'stored', baseline: null, warnings: [], failed: false, accepted: [] };
    addArtifact(given.forge, { ...record, unpaired });
    const elsewhere = recordFor({}, 'e'.repeat(40));
    given.forge.commits.set('e'.repeat(40), { parents: [], message: 'Of another line' });
    const history = (all: readonly RunRecord[]): BranchHistory => ({
      place: 'gh-pages',
      unreadable: [],
      places: async () => [],
      notable: async () => [],
      warning: () => null,
      latest: async () => null,
      run: async () => null,
      async *all() {
        yield* all;
      },
    });
    await reported(given, {}, { history: history(times(20, () => elsewhere)) });
    expect(stateOf(given)).toBe('success');
    await reported(given, {}, { history: history([...times(20, () => elsewhere), recordFor({}, BASE)]) });
    expect(stateOf(given)).toBe('error');
    expect(given.forge.comments[0]!.body).toContain(
      'The run compares with nothing, and only the newest 20 stored runs were looked for on main',
    );
  });
});

describe('commits beyond as many as the forge lists', () => {
  it('accept nothing, which is told', async () => {
    const given = await world({ secondMs: 2 });
    const messages = times(250, () => 'Perf-Accept: /ping: for roles');
    Object.assign(given.forge.pulls[0]!, { messages, head: { ...given.forge.pulls[0]!.head, repository: 'acme/api' } });
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    expect(stateOf(given)).toBe('failure');
    expect(given.warnings).toEqual([
      'No `Perf-Accept` line of pull request 12 counts, since it has more commits than the forge lists. Set a label instead.',
    ]);
  });

  it('accept as ever where one less is there', async () => {
    const given = await world({ secondMs: 2 });
    const messages = times(249, () => 'Perf-Accept: /ping: for roles');
    Object.assign(given.forge.pulls[0]!, { messages, head: { ...given.forge.pulls[0]!.head, repository: 'acme/api' } });
    addArtifact(given.forge, recordFor(slower));
    await reported(given);
    expect(stateOf(given)).toBe('success');
  });
});

describe('lines beyond as many as anybody means', () => {
  it('accept nothing of a push, as those of a message without end', async () => {
    for (const message of [
      'Perf-Accept: /ping: for roles\n'.repeat(51),
      `Perf-Accept: /ping: x\n${' '.repeat(70_000)}`,
    ]) {
      const given = await world({ secondMs: 2 });
      onBranch(given, { message });
      addArtifact(given.forge, recordFor(slower, OTHER));
      await reported(given);
      expect(stateOf(given)).toBe('failure');
      expect(given.warnings).toHaveLength(1);
    }
  });
});
