// needs: nothing
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { copyHistory, folderHistory, usualHistory } from '../../../src/adapters/files/record-history.ts';
import { lastPreparingSeconds } from '../../../src/app/plan.ts';
import { WHOLE } from '../../../src/core/config/selection.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { temporaryFolder } from '../../support/spec-folder.ts';
import { earlierRun } from '../../unit/baseline/records.ts';

const [ONE, TWO, OTHER] = ['1', '2', '3'].map((digit) => digit.repeat(40)) as [string, string, string];

function folderOf(...records: Partial<RunRecord>[]): string {
  const folder = temporaryFolder();
  for (const changes of records) {
    const record = earlierRun(changes);
    mkdirSync(join(folder, record.id));
    writeFileSync(join(folder, record.id, 'run.json'), JSON.stringify(record));
  }
  return folder;
}

const at = (sha: string | null) => ({ source: { ...earlierRun().source, sha } });
const latest = async (folder: string, ancestors: string[]) =>
  (await folderHistory(folder).latest('rest-api', ancestors, WHOLE))?.id ?? null;

describe('the runs of a folder', () => {
  it('give the one that is nearest along the main line', async () => {
    const folder = folderOf({ id: 'two', ...at(TWO) }, { id: 'one', ...at(ONE) }, { id: 'other', ...at(OTHER) });
    expect(await latest(folder, [ONE, TWO])).toBe('one');
    expect(await latest(folder, [TWO])).toBe('two');
    expect(await latest(folder, ['4'.repeat(40)])).toBeNull();
  });

  it('give the last one of a commit', async () => {
    const folder = folderOf(
      { id: 'b', startedAt: '2026-11-20T09:00:00.000Z', ...at(ONE) },
      { id: 'a', startedAt: '2026-11-20T10:00:00.000Z', ...at(ONE) },
    );
    expect(await latest(folder, [ONE])).toBe('a');
  });

  it('give the last one where commits are not known', async () => {
    const folder = folderOf(
      { id: 'one', startedAt: '2026-11-20T09:00:00.000Z', ...at(ONE) },
      { id: 'none', startedAt: '2026-11-20T10:00:00.000Z', ...at(null) },
    );
    expect(await latest(folder, [])).toBe('none');
    expect(await latest(folder, [ONE])).toBe('one');
    expect(await latest(folder, [TWO])).toBe('none');
  });

  it('tell what preparing took in the newest that prepared anything', async () => {
    const ran = (id: string, hour: string, preparingSeconds?: number) => ({
      ...{ id, startedAt: `2026-11-20T${hour}:00:00.000Z` },
      timing: { ...earlierRun().timing, ...(preparingSeconds === undefined ? {} : { preparingSeconds }) },
    });
    const folder = folderOf(ran('b', '09', 250), ran('a', '08', 12), ran('c', '10'));
    expect(await lastPreparingSeconds('rest-api', folderHistory(folder))).toBe(250);
    expect(await lastPreparingSeconds('other', folderHistory(folder))).toBeNull();
  });

  it('pass over other specs, runs that ended early, and what is no record', async () => {
    const folder = folderOf(
      { id: 'other', spec: { ...earlierRun().spec, name: 'other' } },
      { id: 'cut', interrupted: { code: 'interrupted', message: '' } },
      { id: 'empty', cases: [] },
      { id: 'whole' },
    );
    mkdirSync(join(folder, 'half'));
    writeFileSync(join(folder, 'half/run.json'), '{"schemaVersion": 1,');
    mkdirSync(join(folder, 'running'));
    writeFileSync(join(folder, 'notes.txt'), '');
    const ids: string[] = [];
    for await (const { id } of folderHistory(folder).all('rest-api', null)) ids.push(id);
    expect(ids).toEqual(['whole']);
  });

  it('are none where there is no such folder', async () => {
    expect(await latest(join(temporaryFolder(), 'none'), [])).toBeNull();
  });
});

describe('the runs that a runner container is given', () => {
  it('are those of the spec, and said to be where they came from', async () => {
    const own = folderOf({ id: 'one', ...at(ONE) }, { id: 'other', spec: { ...earlierRun().spec, name: 'other' } });
    const given = temporaryFolder();
    await copyHistory(folderHistory(own, 'gh-pages of https://github.com/acme/api'), 'rest-api', given);
    const environment = { WRKBENCH_HISTORY: given, WRKBENCH_HISTORY_PLACE: 'gh-pages of https://github.com/acme/api' };
    const history = usualHistory('/work/.wrkbench-out', environment);
    expect(history.place).toBe('gh-pages of https://github.com/acme/api');
    expect(await history.latest('rest-api', [ONE], WHOLE)).toEqual(earlierRun({ id: 'one', ...at(ONE) }));
    expect(await history.latest('other', [], WHOLE)).toBeNull();
  });

  it('are the usual ones, beside the folder of the run, where it was given none', async () => {
    const folder = folderOf({ id: 'one', ...at(ONE) });
    const history = usualHistory(join(folder, 'next'), {});
    expect(history.place).toBe(folder);
    expect((await history.latest('rest-api', [], WHOLE))?.id).toBe('one');
  });
});
