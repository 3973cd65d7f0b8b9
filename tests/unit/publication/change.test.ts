import { describe, expect, it } from 'vitest';
import {
  assertOwn,
  type BranchEntry,
  hidingChange,
  keepAll,
  keptAlready,
  type Publication,
  publicationChange,
} from '../../../src/core/publication/change.ts';
import { hiddenPath, placeOf } from '../../../src/core/publication/place.ts';

const SHA = 'ab'.repeat(20);
const place = (id: string, specName = 'api') => placeOf({ specName, id, sha: SHA })!;
const entry = (path: string): BranchEntry => ({ path, blob: 'cd'.repeat(20) });
const ids = ['20261101-000000-000001', '20261110-000000-000002', '20261119-000000-000003'];
const held = [
  ...ids.map((id) => entry(place(id).path)),
  entry('wrkbench/web/runs/2026-01/20260101-000000-000009.no-commit.json'),
];
const own = place('20261120-000000-00000a');

function publication(changes: Partial<Publication> = {}): Publication {
  const now = new Date('2026-11-20T12:00:00Z');
  return { place: own, content: '{}\n', unreadable: [], retention: keepAll, squash: false, now, ...changes };
}

describe('what publishing does to the branch', () => {
  it('is one file more, and nothing else', () => {
    expect(publicationChange(held, publication())).toEqual({
      message: 'Add run 20261120-000000-00000a of api',
      write: [{ path: own.path, content: '{}\n' }],
      move: [],
      remove: [],
      squash: false,
    });
  });

  it('is nothing where the run is there: a file is never written again', () => {
    expect(publicationChange([...held, entry(own.path)], publication())).toBeNull();
  });

  it('is nothing where an earlier attempt of the same workflow run is there', () => {
    const by = (id: string, workflowRun: number, specName = 'api') => placeOf({ specName, id, sha: SHA, workflowRun })!;
    const again = publication({ place: by('20261120-010000-00000b', 7301) });
    const first = by('20261120-000000-00000a', 7301);
    expect(publicationChange([...held, entry(first.path)], again)).toBeNull();
    expect(keptAlready([...held, entry(first.path)], again)).toEqual(first);
    for (const other of [by('20261120-000000-00000a', 7300), by('20261120-000000-00000a', 7301, 'web')]) {
      expect(publicationChange([...held, entry(other.path)], again)?.write).toHaveLength(1);
    }
  });

  it('is another file beside runs that no workflow made, and beside an attempt that cannot be read', () => {
    expect(keptAlready(held, publication())).toBeNull();
    const first = placeOf({ specName: 'api', id: '20261120-000000-00000b', sha: SHA, workflowRun: 7301 })!;
    const again = publication({ place: { ...own, workflowRun: 7301 }, unreadable: [first] });
    expect(publicationChange([...held, entry(first.path)], again)).toMatchObject({
      write: [{ path: own.path }],
      move: [{ from: first.path }],
    });
  });

  it('keeps the newest runs of the spec where a count is set, and those of other specs', () => {
    const change = publicationChange(held, publication({ retention: { count: 2, days: null } }));
    expect(change?.remove).toEqual([place(ids[1]!).path, place(ids[0]!).path]);
  });

  it('removes what is older than the days that are set, with what hides it', () => {
    const hidden = entry(hiddenPath('api', ids[0]!));
    const change = publicationChange([...held, hidden], publication({ retention: { count: null, days: 12 } }));
    expect(change?.remove).toEqual([place(ids[0]!).path, hidden.path]);
  });

  it('never removes what it adds, however old it is', () => {
    const old = place('20200101-000000-00000b');
    const change = publicationChange(held, publication({ place: old, retention: { count: 1, days: 1 } }));
    expect(change?.remove).not.toContain(old.path);
    expect(change?.write).toEqual([{ path: old.path, content: '{}\n' }]);
  });

  it('sets aside under its name what could not be read, and removes nothing of it', () => {
    const bad = place(ids[0]!);
    const change = publicationChange(held, publication({ unreadable: [bad], retention: { count: 1, days: null } }));
    expect(change?.move).toEqual([
      { from: bad.path, to: `wrkbench/api/set-aside/${ids[0]}.${SHA}.json`, blob: 'cd'.repeat(20) },
    ]);
    expect(change?.remove).not.toContain(bad.path);
  });

  it('is stopped where it would touch anything outside of the folder', () => {
    const change = publicationChange(held, publication())!;
    expect(() => assertOwn(change)).not.toThrow();
    expect(() => assertOwn({ ...change, remove: ['index.html'] })).toThrow('index.html lies outside of wrkbench/');
    expect(() => assertOwn({ ...change, remove: ['wrkbench/../index.html'] })).toThrow('lies outside of wrkbench/');
  });
});

describe('hiding a run', () => {
  it('adds a file that says why, and leaves the run', () => {
    expect(hidingChange(held, { specName: 'api', id: ids[1]!, reason: 'the runner was updated' })).toEqual({
      message: `Hide run ${ids[1]} of api`,
      write: [{ path: hiddenPath('api', ids[1]!), content: 'the runner was updated\n' }],
      move: [],
      remove: [],
      squash: false,
    });
  });

  it('does nothing twice', () => {
    const entries = [...held, entry(hiddenPath('api', ids[1]!))];
    expect(hidingChange(entries, { specName: 'api', id: ids[1]!, reason: 'again' })).toBeNull();
  });

  it('refuses a run that is not there, and names the newest', () => {
    expect(() => hidingChange(held, { specName: 'api', id: '20260101-000000-ffffff', reason: 'x' })).toThrow(
      `The branch holds no run 20260101-000000-ffffff of api, so there is nothing to hide. The newest is ${ids[2]}.`,
    );
  });
});
