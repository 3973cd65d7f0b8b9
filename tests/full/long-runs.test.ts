// needs: git
// seconds: 13
import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { branchHistory } from '../../src/app/branch-history.ts';
import type { BranchText } from '../../src/app/ports/data-branch.ts';
import { artifactRecords } from '../../src/app/posting/artifact-records.ts';
import { publish } from '../../src/app/publish.ts';
import { WHOLE } from '../../src/core/config/selection.ts';
import { placeOf } from '../../src/core/publication/place.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { add, never, options, repository, run, servesGit } from '../integration/git/published-runs.ts';
import { addArtifact, world } from '../integration/github/given.ts';
import { recordOf } from '../unit/posting/made-up.ts';

servesGit();

/** With so much more in it, as many cases and rounds would bring. */
function padded(record: RunRecord, megabytes: number): RunRecord {
  const warning = { code: 'neighbour', message: 'x'.repeat(megabytes * 1_000_000) };
  const own = record.cases.find(({ variant }) => variant === 'candidate');
  return { ...record, cases: record.cases.map((each) => (each === own ? { ...each, warnings: [warning] } : each)) };
}
const [first, second] = ['a', 'b'].map((digit) => digit.repeat(40)) as [string, string];

describe('long texts on a data branch', () => {
  const PATHS = [
    'wrkbench/api/runs/2026-11/20261120-000000-00000a.json',
    'wrkbench/api/runs/2026-11/20261120-000001-00000a.json',
  ];

  it('tells a text of 9 MB, and of a longer one than is asked for that it is longer', async () => {
    const { branch } = repository();
    for (const [index, megabytes] of [9, 10].entries()) {
      const write = [{ path: PATHS[index]!, content: `${'x'.repeat(megabytes * 1_000_000)}\n` }];
      await branch().commit(() => ({ message: 'Add a run', write, move: [], remove: [], squash: false }), never);
    }
    const later = branch();
    expect((await later.entries(never)).map((entry) => entry.path)).toEqual(PATHS);
    const texts: BranchText[] = [];
    for await (const each of later.texts(PATHS, 9_000_001, never)) texts.push(each);
    expect(texts.map(({ text }) => text?.length)).toEqual([9_000_000, undefined]);
    expect(texts[1]).toEqual({ path: PATHS[1], text: null });
  });

  it('lists as many files as years of runs leave', async () => {
    const paths = Array.from({ length: 60_000 }, (_, index) => {
      const month = 202001 + 100 * Math.floor((index % 60) / 12) + (index % 12);
      const id = `${month}20-${String(index).padStart(6, '0')}-00000a`;
      return placeOf({ specName: 'a-name-of-usual-length', id, sha: 'ab'.repeat(20), workflowRun: 7_301_000_000 })!
        .path;
    });
    const files = paths.map((file) => `M 100644 inline "${file}"\ndata 2\n{}`);
    const commit = ['commit refs/heads/gh-pages', 'committer a <a@b> 0 +0000', 'data 0', ...files, ''];
    const { folder, branch } = repository();
    const git = (...args: string[]) => execFileSync('git', ['-C', folder, ...args], { encoding: 'utf8' }).trim();
    execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { input: commit.join('\n') });
    expect(git('rev-list', '--count', 'gh-pages')).toBe('1');
    expect(await branch().entries(never)).toHaveLength(60_000);
  });
});

describe('long runs on a data branch', () => {
  it('of 9 and of 60 MB are read, each when it is its turn', async () => {
    const { branch } = repository();
    await add(run(1, first), branch());
    await add(padded(run(2, second), 9), branch());
    await add(padded(run(3, second), 60), branch());
    const warnings: string[] = [];
    const history = branchHistory(branch(), never, (text) => warnings.push(text));
    expect((await history.latest('rest-api', [second], WHOLE))?.id).toBe('20261120-000003-00000a');
    const read: [string, boolean][] = [];
    for await (const { id, cases } of history.all('rest-api', null)) read.push([id, cases[0]!.warnings.length > 0]);
    expect(read).toEqual([
      ['20261120-000003-00000a', true],
      ['20261120-000002-00000a', true],
      ['20261120-000001-00000a', false],
    ]);
    expect(warnings).toEqual([]);
  });

  it('that are longer than what is read are told by name and set aside, and the others count', async () => {
    const { branch, folder } = repository();
    await add(run(1, first), branch());
    const { path: small } = await add(run(2, first), branch());
    const content = JSON.stringify(padded(run(2, first), 70));
    const change = { message: 'Make it long', write: [{ path: small, content }], move: [], remove: [], squash: false };
    await branch().commit(() => change, never);
    const warnings: string[] = [];
    const history = branchHistory(branch(), never, (text) => warnings.push(text));
    expect((await history.latest('rest-api', [first], WHOLE))?.id).toBe('20261120-000001-00000a');
    expect(warnings).toEqual([
      expect.stringMatching(
        /^wrkbench\/rest-api\/runs\/2026-11\/20261120-000002-\S+ on .* is longer than the 64 MiB that are read of a run, and counts for nothing\.$/,
      ),
    ]);
    await publish(run(3, first), null, branch(), { ...options, unreadable: history.unreadable }, never);
    const paths = execFileSync('git', ['-C', folder, 'ls-tree', '-r', '--name-only', 'gh-pages'], { encoding: 'utf8' });
    expect(paths).toContain(`wrkbench/rest-api/set-aside/20261120-000002-00000a.${first}.json`);
    expect(paths).not.toContain(small);
  });

  it('are not published where nobody would read them again', async () => {
    const { branch } = repository();
    await expect(add(padded(run(1, first), 70), branch())).rejects.toThrow(
      'The record of the run 20261120-000001-00000a has 67 MiB, and no more than 64 MiB of one are read from the data branch, so it is not published. Divide its cases among several specs.',
    );
    expect(await branch().entries(never)).toEqual([]);
  });
});

describe('more than a reporting job can read', () => {
  const names = ['a', 'b', 'c'];
  /** A record of so many characters of each spec, by what a later wrkbench may have added. */
  const records = async (characters: number) => {
    const given = await world();
    for (const name of names) {
      const own = { ...recordOf(), later: 'x'.repeat(characters) };
      addArtifact(given.forge, { ...own, spec: { ...own.spec, name } });
    }
    return await artifactRecords(7301, given.adapters());
  };

  it('is not read once the records before it are too many characters', async () => {
    const read = await records(40 * 1024 * 1024);
    expect(read.map((each) => ('record' in each ? 'read' : each.failure))).toEqual([
      'read',
      'read',
      'the artifact wrkbench-c was not read: the records of this run come to more than 96 MiB',
    ]);
  });
});
