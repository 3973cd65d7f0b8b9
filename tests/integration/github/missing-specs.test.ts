// needs: nothing
import { describe, expect, it } from 'vitest';
import { ALWAYS, BASE, HEAD, OTHER, onBranch, SPEC, WORKFLOW, type World, world } from './given.ts';
import { reportedByTask } from './task.ts';

const MISTAKEN = 'name: rest-api\nservices: {go: {image: a, port: 80}}\nloud: {}\n';

/** Run 7301 of pull request 12 has left no artifact. */
async function nothingLeft(conclusion: string, base: Record<string, string>, head: Record<string, string> = {}) {
  const given = await world({ secondMs: 2 });
  given.forge.runs[0]!.conclusion = conclusion;
  given.forge.files.set(BASE, { [WORKFLOW]: 'jobs: {}', ...base });
  given.forge.files.set(HEAD, { [WORKFLOW]: 'jobs: {}', ...head });
  return given;
}
const statuses = ({ forge }: World) => forge.statuses.map(({ context, state }) => [context, state]);
const LEFT = (conclusion: string) =>
  new RegExp(`^Run 7301 ended with ${conclusion} and left no result of any spec\\. Its log says why: http`);

describe('a run that left nothing', () => {
  it.each(['success', 'failure'])(
    'of %s is invalid where the spec of its base has mistakes, and names it',
    async (conclusion) => {
      const given = await nothingLeft(conclusion, { 'wrkbench.yml': MISTAKEN });
      const { verdict, failed, outputs, said } = await reportedByTask(given);
      expect({ verdict, failed, output: outputs.verdict }).toEqual({
        verdict: 'invalid',
        failed: true,
        output: 'invalid',
      });
      const ended = conclusion === 'success' ? 'the run left no artifact of it' : 'the run ended with failure';
      expect(said).toEqual([
        `rest-api was not measured: ${ended}, and wrkbench.yml at bbbbbbb has mistakes.`,
        expect.stringMatching(LEFT(conclusion)),
      ]);
      expect(statuses(given)).toEqual([['wrkbench/rest-api', 'error']]);
      expect(given.forge.comments[0]!.body).toContain(`### ❌ Not measured: ${ended}`);
    },
  );

  it('is invalid where nothing tells the name of the spec of its base: the job says that nothing is left', async () => {
    const given = await nothingLeft('success', { 'wrkbench.yml': 'name: [rest-api\n' });
    const { verdict, said } = await reportedByTask(given);
    expect({ verdict, said }).toEqual({ verdict: 'invalid', said: [expect.stringMatching(LEFT('success'))] });
    expect(statuses(given)).toEqual([]);
  });

  it.each([SPEC, MISTAKEN])('is invalid where its pull request brings the first spec', async (text) => {
    const given = await nothingLeft('success', {}, { 'wrkbench.yml': text });
    const { verdict } = await reportedByTask(given);
    expect(verdict).toBe('invalid');
    expect(statuses(given)).toEqual([['wrkbench/rest-api', 'error']]);
  });

  it('is invalid where it ended with failure, though there is no spec anywhere', async () => {
    const { verdict, said } = await reportedByTask(await nothingLeft('failure', {}));
    expect({ verdict, said }).toEqual({ verdict: 'invalid', said: [expect.stringMatching(LEFT('failure'))] });
  });

  it('is invalid where the commit that was pushed has a spec with mistakes', async () => {
    const given = await nothingLeft('failure', {});
    onBranch(given);
    given.forge.files.set(OTHER, { 'wrkbench.yml': MISTAKEN });
    const { verdict } = await reportedByTask(given);
    expect(verdict).toBe('invalid');
    expect(statuses(given)).toEqual([['wrkbench/rest-api', 'error']]);
  });

  it('fails where the specs of its pull request cannot be read', async () => {
    const given = await nothingLeft('success', {}, { 'wrkbench.yml': SPEC });
    const forge = { ...given.adapters().forge };
    const { textAt } = forge;
    forge.textAt = async (path, sha) => {
      if (sha === HEAD) given.api.faults.push({ operation: 'repos/get-content', times: ALWAYS, kind: 500 });
      return await textAt(path, sha);
    };
    await expect(reportedByTask(given, undefined, { forge })).rejects.toThrow('/contents/wrkbench.yml was answered');
  });
});

describe('a run that rightly left nothing passes', () => {
  it('where there is no spec, neither at its base nor in its pull request', async () => {
    const given = await nothingLeft('success', {});
    expect(await reportedByTask(given)).toMatchObject({ verdict: 'same', failed: false, said: [] });
    expect(statuses(given)).toEqual([]);
  });

  it('where no job of it ran, for a condition of its workflow', async () => {
    const given = await nothingLeft('skipped', { 'wrkbench.yml': MISTAKEN });
    expect(await reportedByTask(given)).toMatchObject({ verdict: 'same', failed: false, said: [] });
  });

  it('where it was cancelled, or waits for somebody to let it begin', async () => {
    for (const conclusion of ['cancelled', 'action_required']) {
      const given = await nothingLeft(conclusion, { 'wrkbench.yml': MISTAKEN });
      expect(await reportedByTask(given)).toMatchObject({ verdict: 'same', failed: false, said: [] });
    }
  });

  it('where a merge queue measures nothing again', async () => {
    const given = await nothingLeft('success', {});
    onBranch(given, { event: 'merge_group', branch: 'gh-readonly-queue/main/pr-12' });
    given.forge.files.set(OTHER, { 'wrkbench.yml': MISTAKEN });
    expect(await reportedByTask(given)).toMatchObject({ verdict: 'same', failed: false });
  });
});
