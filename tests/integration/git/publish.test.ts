// needs: nothing
import { execFileSync } from 'node:child_process';
import { describe, expect, it, onTestFinished } from 'vitest';
import { dataBranch } from '../../../src/adapters/git/data-branch/branch.ts';
import { branchHistory } from '../../../src/app/branch-history.ts';
import { hide, publish } from '../../../src/app/publish.ts';
import { WHOLE } from '../../../src/core/config/selection.ts';
import { add, made, never, options, remoteOf, repository, run, servesGit } from './published-runs.ts';

servesGit();

const [first, second, third] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];

describe('runs on a data branch', () => {
  it('are a baseline for what descends from them, the nearest first', async () => {
    const { branch } = repository();
    for (const [number, sha] of [
      [1, first],
      [2, second],
      [3, first],
    ] as const)
      await add(run(number, sha), branch());
    const warnings: string[] = [];
    const history = branchHistory(branch(), never, (text) => warnings.push(text));
    expect((await history.latest('rest-api', [third, second, first], WHOLE))?.id).toBe('20261120-000002-00000a');
    expect((await history.latest('rest-api', [first], WHOLE))?.id).toBe('20261120-000003-00000a');
    expect(await history.latest('rest-api', [third], WHOLE)).toBeNull();
    expect(await history.latest('other', [first], WHOLE)).toBeNull();
    expect((await history.run('rest-api', '20261120-000001-00000a', WHOLE))?.source.sha).toBe(first);
    expect(await history.run('rest-api', '20261120-000009-00000a', WHOLE)).toBeNull();
    expect(warnings).toEqual([]);
  });

  it('of a part are none for a run of the whole, by their name either', async () => {
    const { branch } = repository();
    const selection = { quick: true, only: null };
    await add({ ...run(1, first), selection }, branch());
    const history = branchHistory(branch(), never, () => {});
    expect(await history.run('rest-api', '20261120-000001-00000a', WHOLE)).toBeNull();
    expect((await history.run('rest-api', '20261120-000001-00000a', selection))?.selection).toEqual(selection);
  });

  it('are all there for the scatter of past runs, but those that are hidden', async () => {
    const { branch } = repository();
    for (const number of [1, 2, 3]) await add(run(number, first), branch());
    await hide(
      { specName: 'rest-api', id: '20261120-000002-00000a', reason: 'the runner was updated' },
      branch(),
      made,
      never,
    );
    const ids: string[] = [];
    for await (const record of branchHistory(branch(), never, () => {}).all('rest-api', null)) ids.push(record.id);
    expect(ids).toEqual(['20261120-000003-00000a', '20261120-000001-00000a']);
  });

  it('are published once, however often it is tried', async () => {
    const { branch, folder } = repository();
    const record = run(1, first);
    expect((await add(record, branch())).commit).not.toBeNull();
    expect((await add(record, branch())).commit).toBeNull();
    expect(execFileSync('git', ['-C', folder, 'rev-list', '--count', 'gh-pages'], { encoding: 'utf8' })).toBe('1\n');
  });

  it('that cannot be read are passed over, told, and set aside by the next publication', async () => {
    const { branch, folder } = repository();
    await add(run(1, first), branch());
    const { path: broken } = await add(run(2, first), branch());
    await branch().commit(
      (entries) => ({
        message: 'Break it',
        write: [{ path: broken, content: '{"schemaVersion": 1}' }],
        move: [],
        remove: entries.flatMap((entry) => (entry.path === broken ? [] : [])),
        squash: false,
      }),
      never,
    );
    const warnings: string[] = [];
    const history = branchHistory(branch(), never, (text) => warnings.push(text));
    expect((await history.latest('rest-api', [first], WHOLE))?.id).toBe('20261120-000001-00000a');
    expect(warnings).toEqual([expect.stringContaining('20261120-000002-00000a')]);
    const record = run(3, first);
    await publish(record, null, branch(), { ...options, unreadable: history.unreadable }, never);
    const paths = execFileSync('git', ['-C', folder, 'ls-tree', '-r', '--name-only', 'gh-pages'], { encoding: 'utf8' });
    expect(paths).toContain(`wrkbench/rest-api/set-aside/20261120-000002-00000a.${first}.json`);
    expect(paths).not.toContain(broken);
  });

  it('are known to nobody where the branch cannot be had, which is told', async () => {
    const warnings: string[] = [];
    const branch = dataBranch({ remote: remoteOf('nothing'), branch: 'gh-pages', token: null });
    onTestFinished(() => branch.close());
    const history = branchHistory(branch, never, (text) => warnings.push(text));
    expect(await history.latest('rest-api', [first], WHOLE)).toBeNull();
    expect(warnings).toEqual([expect.stringMatching(/cannot be read: .* Earlier runs are not known to this one\.$/)]);
    expect(history.warning()).toMatch(/^gh-pages of http.* cannot be read: /);
  });

  it('are none that ended early', async () => {
    const { branch } = repository();
    const record = { ...run(1, first), interrupted: { code: 'interrupted', message: 'The run was stopped.' } };
    await expect(publish(record, null, branch(), options, never)).rejects.toThrow('ended early');
  });
});
