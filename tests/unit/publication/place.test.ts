import { describe, expect, it } from 'vitest';
import {
  countedRuns,
  hiddenPath,
  nearestRuns,
  placeOf,
  readPlace,
  setAsidePath,
} from '../../../src/core/publication/place.ts';

const SHA = '3f2c1ab0'.repeat(5);
const OTHER = '9d0e77c4'.repeat(5);
const run = (id: string, sha: string | null = SHA) => placeOf({ specName: 'api', id, sha })!;
const [first, second, third] = ['20261118-100000-aaaaaa', '20261119-100000-bbbbbb', '20261120-100000-cccccc'] as const;

describe('the place of a run on the data branch', () => {
  it('tells its spec, month, id and commit, and is read back', () => {
    const place = run('20261120-092802-0a1b2c');
    expect(place.path).toBe(`wrkbench/api/runs/2026-11/20261120-092802-0a1b2c.${SHA}.json`);
    expect(readPlace(place.path)).toEqual(place);
  });

  it('tells the workflow run that measured it', () => {
    const place = placeOf({ specName: 'api', id: '20261120-092802-0a1b2c', sha: SHA, workflowRun: 7301 })!;
    expect(place.path).toBe(`wrkbench/api/runs/2026-11/20261120-092802-0a1b2c.run-7301.${SHA}.json`);
    expect(readPlace(place.path)).toEqual(place);
  });

  it('says so where no commit is known', () => {
    const place = run('20261120-092802-0a1b2c', null);
    expect(place.path).toBe('wrkbench/api/runs/2026-11/20261120-092802-0a1b2c.no-commit.json');
    expect(readPlace(place.path)).toEqual(place);
  });

  it.each([
    { specName: '../../.github', id: '20261120-092802-0a1b2c', sha: SHA },
    { specName: 'api', id: '../../../index.html', sha: SHA },
    { specName: 'api', id: '20261120-092802-0a1b2c', sha: '../x' },
    { specName: 'Api', id: '20261120-092802-0a1b2c', sha: SHA },
    { specName: '', id: '20261120-092802-0a1b2c', sha: null },
    { specName: 'api', id: '20261120-092802-0a1b2c', sha: SHA, workflowRun: -1 },
    { specName: 'api', id: '20261120-092802-0a1b2c', sha: SHA, workflowRun: 1e21 },
  ])('is none for %o: a record may come from anybody', (named) => {
    expect(placeOf(named)).toBeNull();
  });

  it.each([
    'index.html',
    'wrkbench/api/runs/2026-11/notes.json',
    `wrkbench/api/runs/2026-11/20261120-092802-0a1b2c.${SHA}.json.bak`,
    `wrkbench/api/runs/2026-11/20261120-092802-0a1b2c.run-x.${SHA}.json`,
    `other/api/runs/2026-11/20261120-092802-0a1b2c.${SHA}.json`,
    hiddenPath('api', '20261120-092802-0a1b2c'),
    setAsidePath(run('20261120-092802-0a1b2c')),
  ])('is not %s', (path) => {
    expect(readPlace(path)).toBeNull();
  });
});

describe('the runs that count', () => {
  it('are those of the spec that nobody hid, the newest first', () => {
    const paths = [
      run(first).path,
      run(third).path,
      run(second).path,
      hiddenPath('api', second),
      placeOf({ specName: 'web', id: third, sha: SHA })!.path,
      'index.html',
    ];
    expect(countedRuns(paths, 'api').map(({ id }) => id)).toEqual([third, first]);
    expect(countedRuns(paths, 'nothing')).toEqual([]);
  });

  it('are a baseline by nearness to the commit, then by age', () => {
    const runs = countedRuns([run(first).path, run(second).path, run(third, OTHER).path], 'api');
    expect(nearestRuns(runs, [SHA, OTHER]).map(({ id }) => id)).toEqual([second, first, third]);
    expect(nearestRuns(runs, [OTHER]).map(({ id }) => id)).toEqual([third]);
    expect(nearestRuns(runs, ['0'.repeat(40)])).toEqual([]);
  });

  it('are all of them, the newest first, where no history is known', () => {
    const runs = countedRuns([run(first).path, run(third, null).path], 'api');
    expect(nearestRuns(runs, []).map(({ id }) => id)).toEqual([third, first]);
  });

  it('come last where a run knew no commit', () => {
    const runs = countedRuns([run(first).path, run(third, null).path], 'api');
    expect(nearestRuns(runs, [SHA]).map(({ id }) => id)).toEqual([first, third]);
  });
});
