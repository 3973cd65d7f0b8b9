// needs: nothing
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { folderHistory } from '../../src/adapters/files/record-history.ts';
import { dataBranch } from '../../src/adapters/git/data-branch/branch.ts';
import { branchHistory } from '../../src/app/branch-history.ts';
import type { RecordHistory } from '../../src/app/ports/baselines.ts';
import { publish } from '../../src/app/publish.ts';
import { type Selection, WHOLE } from '../../src/core/config/selection.ts';
import { keepAll } from '../../src/core/publication/change.ts';
import type { RunRecord } from '../../src/core/record/run-record.ts';
import { type GitServer, gitServer } from '../support/git-server/server.ts';
import { pagesSource } from '../support/made-up/pages-source.ts';
import { temporaryFolder } from '../support/spec-folder.ts';
import { recordOf } from '../unit/posting/made-up.ts';

const never = new AbortController().signal;
let server: GitServer;
beforeAll(async () => {
  server = await gitServer();
});
afterAll(() => server.close());

async function inFolder(records: readonly RunRecord[]): Promise<RecordHistory> {
  const folder = temporaryFolder();
  for (const record of records) {
    mkdirSync(path.join(folder, record.id));
    writeFileSync(path.join(folder, record.id, 'run.json'), JSON.stringify(record));
  }
  return folderHistory(folder);
}

async function onBranch(records: readonly RunRecord[]): Promise<RecordHistory> {
  const name = `api-${Math.random().toString(36).slice(2)}`;
  server.create(name);
  const branch = dataBranch({ remote: `${server.url}/${name}.git`, branch: 'gh-pages', token: null });
  onTestFinished(() => branch.close());
  const now = new Date('2026-11-21T00:00:00Z');
  const options = { retention: keepAll, squash: false, pages: pagesSource, warn: () => {}, now };
  for (const record of records) await publish(record, null, branch, options, never);
  return branchHistory(branch, never, () => {});
}

const [first, second, third] = ['a', 'b', 'c'].map((digit) => digit.repeat(40)) as [string, string, string];
function run(number: number, sha: string | null): RunRecord {
  const startedAt = `2026-11-20T00:00:${String(number).padStart(2, '0')}.000Z`;
  const record = recordOf({ id: `20261120-0000${String(number).padStart(2, '0')}-00000a` });
  return { ...record, startedAt, source: { ...record.source, sha } };
}

/** Earlier runs, wherever they are kept. */
describe.each([
  ['a folder of runs', inFolder],
  ['the data branch', onBranch],
])('%s', (_, kept) => {
  it('gives the run of the nearest ancestor, and of its runs the newest', async () => {
    const history = await kept([run(1, first), run(2, second), run(3, first), run(4, third)]);
    expect((await history.latest('rest-api', [second, first], WHOLE))?.id).toBe(run(2, second).id);
    expect((await history.latest('rest-api', [first], WHOLE))?.id).toBe(run(3, first).id);
  });

  it('gives none of a commit that is no ancestor, and none of another spec', async () => {
    const history = await kept([run(1, first)]);
    expect(await history.latest('rest-api', [second], WHOLE)).toBeNull();
    expect(await history.latest('other', [first], WHOLE)).toBeNull();
  });

  it('gives the newest where no ancestor is known', async () => {
    const history = await kept([run(1, null), run(2, null)]);
    expect((await history.latest('rest-api', [], WHOLE))?.id).toBe(run(2, null).id);
  });

  describe('of runs that measured a part, as `--quick` or `--only` has it', () => {
    const quick: Selection = { quick: true, only: null };
    const ping: Selection = { quick: false, only: '/ping' };
    const of = (number: number, sha: string, selection: Selection) => ({ ...run(number, sha), selection });

    it('gives none to a run of the whole, but the nearest whole one', async () => {
      const history = await kept([
        run(1, first),
        of(2, second, quick),
        of(3, second, ping),
        of(4, second, ping),
        of(5, second, { quick: true, only: '/ping' }),
        of(6, first, quick),
      ]);
      expect((await history.latest('rest-api', [second, first], WHOLE))?.id).toBe(run(1, first).id);
      expect(await history.latest('rest-api', [second], WHOLE)).toBeNull();
      const ids: string[] = [];
      for await (const { id } of history.all('rest-api', WHOLE)) ids.push(id);
      expect(ids).toEqual([run(1, first).id]);
    });

    it('gives those to a run of the same part', async () => {
      const history = await kept([run(1, first), of(2, second, quick), of(3, third, ping)]);
      const ancestors = [third, second, first];
      const latest = async (asked: Selection | null) => (await history.latest('rest-api', ancestors, asked))?.id;
      expect(await latest(ping)).toBe(run(3, third).id);
      expect(await latest(quick)).toBe(run(2, second).id);
      expect(await latest({ quick: true, only: '/ping' })).toBe(run(3, third).id);
      expect(await latest({ quick: false, only: '/db' })).toBe(run(1, first).id);
      expect(await latest(null)).toBe(run(3, third).id);
    });
  });

  it('gives all of a spec, and has no trouble', async () => {
    const history = await kept([run(1, first), run(2, second)]);
    const ids: string[] = [];
    for await (const { id } of history.all('rest-api', null)) ids.push(id);
    expect(ids.sort()).toEqual([run(1, first).id, run(2, second).id]);
    expect(history.warning()).toBeNull();
  });
});
