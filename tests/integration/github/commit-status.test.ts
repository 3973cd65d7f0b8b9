// needs: nothing
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { slower } from '../../unit/posting/made-up.ts';
import { ALWAYS, addArtifact, HEAD, REPORTING, recordFor, reported, type World, world } from './given.ts';

const CONTEXT = 'wrkbench/rest-api';
const [red, green] = [recordFor(slower), recordFor({ rounds: 20 })];

/** Run 7301 of pull request 12 makes it slower; the later run 7400 of the same commit does not. */
async function twoRuns(): Promise<World> {
  const given = await world({ secondMs: 2, permissions: { ...REPORTING, checks: 'write' } });
  given.forge.runs.push({ ...given.forge.runs[0]!, id: 7400 });
  addArtifact(given.forge, red);
  addArtifact(given.forge, green, { run: 7400 });
  return given;
}

async function reportedRun(given: World, id: number, adapters = {}) {
  return await reported(given, { run: (await given.adapters().forge.workflowRun(id))! }, adapters);
}

/** A second attempt of run 7301, with another result. */
function again({ forge }: World, record: RunRecord) {
  forge.runs[0]!.run_attempt = 2;
  addArtifact(forge, record, { name: 'wrkbench-rest-api+attempt-2' });
}

/** What GitHub shows, and a branch rule goes by: the newest of the context. */
const shown = ({ forge }: World, context = CONTEXT) => forge.statuses.findLast((status) => status.context === context);

describe('the status of a commit', () => {
  it('is that of its later run, whichever is told of last', async () => {
    const given = await twoRuns();
    await reportedRun(given, 7400);
    await reportedRun(given, 7301);
    expect(given.forge.statuses).toMatchObject([{ sha: HEAD, context: CONTEXT, state: 'success' }]);
    expect(given.warnings).toEqual([
      `The status ${CONTEXT} stays as run 7400 has set it, which is later than run 7301.`,
    ]);
  });

  it('is that of the later run, told of after the other', async () => {
    const given = await twoRuns();
    await reportedRun(given, 7301);
    await reportedRun(given, 7400);
    expect(shown(given)).toMatchObject({ state: 'success' });
    expect(given.warnings).toEqual([]);
  });

  it('is that of its last attempt, and links to it', async () => {
    const given = await twoRuns();
    const first = (await given.request()).run;
    await reported(given, { run: first });
    again(given, green);
    await reportedRun(given, 7301);
    expect(shown(given)).toMatchObject({
      state: 'success',
      target_url: expect.stringMatching(/\/runs\/7301\/attempts\/2$/),
    });
    await reported(given, { run: first });
    expect(shown(given)).toMatchObject({ state: 'success' });
    expect(given.forge.statuses).toHaveLength(2);
  });

  it('is written anew where the same run is judged again, as after a label', async () => {
    const given = await twoRuns();
    await reportedRun(given, 7301);
    await reported(given, { accepted: [{ cases: '/ping', metric: null, reason: 'for roles' }] });
    expect(given.forge.statuses.map(({ state }) => state)).toEqual(['failure', 'success']);
  });

  it.each([
    ['older', 7301, 7400],
    ['later', 7400, 7301],
  ])(
    'is that of the later run, where the %s one writes while the other has read and not yet written',
    async (_, one, other) => {
      const given = await twoRuns();
      const forge = { ...given.adapters().forge };
      const { setStatus } = forge;
      let between = false;
      forge.setStatus = async (sha, status) => {
        if (!between) {
          between = true;
          await reportedRun(given, one);
        }
        await setStatus(sha, status);
      };
      await reportedRun(given, other, { forge });
      expect(between).toBe(true);
      expect(shown(given)).toMatchObject({ state: 'success', target_url: expect.stringMatching(/\/runs\/7400$/) });
    },
  );

  it('is one in the end where both are told of at once', async () => {
    const given = await twoRuns();
    await Promise.all([7301, 7400, 7301, 7400].map((id) => reportedRun(given, id)));
    expect(shown(given)).toMatchObject({ state: 'success' });
  });

  it('leaves the check run of the later run the last one as well', async () => {
    const given = await twoRuns();
    await reportedRun(given, 7400, { check: true });
    await reportedRun(given, 7301, { check: true });
    expect(given.forge.checks).toMatchObject([{ name: CONTEXT, conclusion: 'success' }]);
  });

  it('goes by its own context alone, and by runs', async () => {
    const given = await twoRuns();
    const others = { sha: HEAD, state: 'success', description: null };
    const target_url = 'https://github.com/acme/api/actions/runs/9999';
    given.forge.statuses.push({ ...others, context: 'wrkbench/web', target_url });
    given.forge.statuses.push({ ...others, context: CONTEXT, target_url: 'https://ci.acme.com/9999' });
    for (let index = 0; index < 301; index += 1) {
      given.forge.statuses.push({ ...others, context: `ci/${index}`, target_url: null });
    }
    await reportedRun(given, 7301);
    expect(shown(given)).toMatchObject({ state: 'failure' });
  });

  it('is found below 301 others', async () => {
    const given = await twoRuns();
    await reportedRun(given, 7400);
    for (let index = 0; index < 301; index += 1) {
      const other = { sha: HEAD, context: `ci/${index}`, state: 'success', description: null, target_url: null };
      given.forge.statuses.push(other);
    }
    await reportedRun(given, 7301);
    expect(shown(given)).toMatchObject({ state: 'success' });
  });

  it('is set where those before it cannot be read, which is told', async () => {
    const given = await twoRuns();
    given.api.faults.push({ operation: 'repos/list-commit-statuses-for-ref', times: ALWAYS, kind: 500 });
    await reportedRun(given, 7301);
    expect(shown(given)).toMatchObject({ state: 'failure' });
    expect(given.warnings).toEqual([
      expect.stringMatching(
        /^Whether a later run has set a status of aaaaaaa is not known: GET .*\/statuses was .* 500/,
      ),
      expect.stringMatching(/^Whether a status of aaaaaaa was judged for another base is not known: GET .* 500/),
    ]);
  });

  it('is that of the later run where one of them had nothing to measure', async () => {
    const given = await twoRuns();
    given.forge.pulls[0]!.files = ['README.md'];
    given.forge.runs.push({ ...given.forge.runs[0]!, id: 7401 });
    await reportedRun(given, 7400);
    await reported(given, { paths: ['src/*'] });
    expect(given.forge.statuses).toHaveLength(1);
    await reported(given, { paths: ['src/*'], run: (await given.adapters().forge.workflowRun(7401))! });
    expect(shown(given)).toMatchObject({ description: 'Not measured: no relevant files changed. (base: main)' });
  });

  it('comes where a text has characters that GitHub refuses in one', async () => {
    const given = await world({ secondMs: 2 });
    const zip = zipSync({ 'failure.txt': strToU8('api: 😀 𠮷 has no port') });
    given.forge.artifacts.push({ id: 500, run: 7301, name: 'wrkbench-rest-api', zip, expired: false });
    await reported(given);
    expect(given.warnings).toEqual([]);
    expect(shown(given)).toMatchObject({
      state: 'error',
      description: expect.stringContaining('\ufffd \ufffd has no'),
    });
  });

  it('is none where none is wanted', async () => {
    const given = await twoRuns();
    given.forge.pulls[0]!.files = ['README.md'];
    await reported(given, {}, { status: false });
    await reported(given, { paths: ['src/*'] }, { status: false });
    expect(given.forge.statuses).toEqual([]);
  });
});
