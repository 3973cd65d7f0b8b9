// needs: nothing
import { describe, expect, it } from 'vitest';
import { parse, stringify } from 'yaml';
import { ALWAYS, addArtifact, BASE, HEAD, recordFor, reported, SPEC, WORKFLOW, type World, world } from './given.ts';
import { reportedByTask } from './task.ts';

const ELSE = stringify({ ...parse(SPEC), name: 'web' });
const MISTAKEN = 'name: rest-api\nservices: {go: {image: a, port: 80}}\nloud: {}\n';

/** Pull request 12 changes the file of the spec, which at its head is `text`; its run has measured what is left. */
async function changedSpec(text: string | null): Promise<World> {
  const given = await world({ secondMs: 2 });
  given.forge.pulls[0]!.files = ['wrkbench.yml'];
  given.forge.files.set(HEAD, { [WORKFLOW]: 'jobs: {}', ...(text === null ? {} : { 'wrkbench.yml': text }) });
  given.forge.runs[0]!.conclusion = 'failure';
  return given;
}
function labelled({ forge }: World, label: string): void {
  forge.pulls[0]!.labels = [label];
  forge.events.push({ issue: 12, event: 'labeled', label, actor: 'alice', created_at: '2026-11-20T09:30:00Z' });
  forge.collaborators.set('alice', 'write');
}
const said = ({ forge }: World) =>
  forge.statuses.map(({ context, state, description }) => ({ context, state, description }));

const GONE = 'this pull request removes or renames the spec: accept it by label `perf-accepted: rest-api`';
const ENDED = 'Not measured: the run ended with failure (base: main)';

describe('a pull request that removes a spec', () => {
  it.each([
    ['removes', null],
    ['renames', ELSE],
  ])('fails where it %s it, and says how to accept that', async (_, text) => {
    const given = await changedSpec(text);
    const { verdict, said: told } = await reportedByTask(given);
    expect({ verdict, told }).toEqual({ verdict: 'invalid', told: [`rest-api was not measured: ${GONE}.`] });
    expect(said(given)).toEqual([
      {
        context: 'wrkbench/rest-api',
        state: 'error',
        description: `Not measured: ${GONE.replaceAll('`', '')} (base: main)`,
      },
    ]);
    expect(given.forge.comments[0]!.body).toContain(`### ❌ Not measured: ${GONE}`);
  });

  it('offers a line in a commit as well where its branch is the repository’s own', async () => {
    const given = await changedSpec(null);
    given.forge.pulls[0]!.head = { sha: HEAD, ref: 'gone', owner: 'acme', repository: 'acme/api' };
    Object.assign(given.forge.runs[0]!, { head_repository: 'acme/api', head_branch: 'gone' });
    const { missing } = await reported(given);
    expect(missing).toEqual([
      { specName: 'rest-api', why: `${GONE}, or a line \`Perf-Accept: rest-api: REASON\` in a commit message` },
    ]);
    given.forge.pulls[0]!.messages = ['Remove it\n\nPerf-Accept: rest-api: measured by web'];
    await reported(given);
    expect(said(given).at(-1)).toMatchObject({
      state: 'success',
      description: 'Removed, and accepted (measured by web) (base: main)',
    });
  });

  it('is told where to push it where neither label nor line would count', async () => {
    const given = await changedSpec(null);
    given.api.faults.push({ operation: 'issues/list-events', times: ALWAYS, kind: 404 });
    const { missing } = await reported(given);
    expect(missing[0]!.why).toBe(
      'this pull request removes or renames the spec: push it to a branch of this repository, with a line `Perf-Accept: rest-api: REASON` in a commit message',
    );
  });

  it('passes once a label names the spec, and says that it is gone', async () => {
    const given = await changedSpec(null);
    labelled(given, 'perf-accepted: rest-api');
    const { verdict, failed, said: told } = await reportedByTask(given);
    expect({ verdict, failed, told }).toEqual({ verdict: 'accepted', failed: false, told: [] });
    expect(said(given)).toEqual([
      {
        context: 'wrkbench/rest-api',
        state: 'success',
        description: 'Removed, and accepted (label set by alice) (base: main)',
      },
    ]);
    const { body } = given.forge.comments[0]!;
    expect(body).toContain(
      '### 🟢 Removed, and accepted (label set by alice)\n\n**Check passed** (`wrkbench/rest-api`): this pull request has no such spec any more, and nothing is measured for it.\n\n[This run](',
    );
    expect(given.summaries[0]).toMatch(/^## 🟢 Removed, and accepted \(label set by alice\)\n\n\*\*Check passed\*\*/);
  });

  it.each(['perf-accepted', 'perf-accepted: rest-*', 'perf-accepted: rest-api:throughput', 'perf-accepted: web'])(
    'does not pass by what names no spec, or another one: %s',
    async (label) => {
      const given = await changedSpec(null);
      labelled(given, label);
      await reported(given);
      expect(said(given)).toMatchObject([{ state: 'error' }]);
    },
  );

  it('is judged by the specs that are left as well', async () => {
    const given = await changedSpec(null);
    given.forge.files.set(BASE, { 'wrkbench.yml': SPEC, 'web.yml': ELSE, [WORKFLOW]: 'jobs: {}' });
    const record = recordFor({ rounds: 20 });
    addArtifact(given.forge, { ...record, spec: { ...record.spec, name: 'web' } });
    labelled(given, 'perf-accepted: rest-api');
    const { verdict } = await reported(given, { specs: ['wrkbench.yml', 'web.yml'] });
    expect(verdict).toBe('accepted');
    expect(said(given).map(({ context, state }) => [context, state])).toEqual([
      ['wrkbench/web', 'success'],
      ['wrkbench/rest-api', 'success'],
    ]);
    expect(given.forge.comments[0]!.body).toContain('- **rest-api**: 🟢 Removed, and accepted');
  });
});

describe('a spec that the run lacks, and that nobody shows to be removed', () => {
  async function notTold(given: World, request = {}) {
    labelled(given, 'perf-accepted: rest-api');
    await reported(given, request);
    expect(said(given)).toEqual([{ context: 'wrkbench/rest-api', state: 'error', description: ENDED }]);
  }

  it.each([
    ['is still there', SPEC],
    ['is there with mistakes', MISTAKEN],
    ['may be there, in a file that does not tell its name', 'name: [rest-api\n'],
  ])('%s: no acceptance counts', async (_, text) => {
    await notTold(await changedSpec(text));
  });

  it('came to the base after the pull request had left it: it is none of its changes', async () => {
    const given = await changedSpec(null);
    given.forge.pulls[0]!.files = ['src/server.go'];
    await notTold(given);
  });

  it('is at a head that cannot be read', async () => {
    const given = await changedSpec(null);
    const forge = { ...given.adapters().forge };
    const { textAt } = forge;
    forge.textAt = async (path, sha) => {
      if (sha === HEAD) given.api.faults.push({ operation: 'repos/get-content', times: 4, kind: 500 });
      return await textAt(path, sha);
    };
    labelled(given, 'perf-accepted: rest-api');
    await reported(given, {}, { forge });
    expect(said(given)).toEqual([{ context: 'wrkbench/rest-api', state: 'error', description: ENDED }]);
  });

  it('is gone beside a file that was no spec at the base either: that one does not count', async () => {
    const given = await changedSpec(null);
    given.forge.files.set(BASE, { 'wrkbench.yml': SPEC, 'other.yml': 'a: [', [WORKFLOW]: 'jobs: {}' });
    given.forge.files.set(HEAD, { 'other.yml': 'a: [' });
    labelled(given, 'perf-accepted: rest-api');
    await reported(given, { specs: ['*.yml'] });
    expect(said(given)).toMatchObject([{ state: 'success' }]);
  });
});
