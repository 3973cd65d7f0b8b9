import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hide, publish, rebuildPages } from '../../../src/app/publish.ts';
import type { PagesSource } from '../../../src/app/site-change.ts';
import { siteSource } from '../../../src/app/site-source.ts';
import { badgeFiles } from '../../../src/core/pages/badges.ts';
import { keepAll, type Retention } from '../../../src/core/publication/change.ts';
import type { Manifest } from '../../../src/core/publication/manifest.ts';
import { readManifest, readSeriesPiece } from '../../../src/core/publication/pages-documents.ts';
import { hiddenPath, readPlace } from '../../../src/core/publication/place.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import { pagesSource } from '../../support/made-up/pages-source.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { type MemoryBranch, memoryBranch } from '../../support/memory-branch.ts';
import { pieceFiles } from '../../support/piece-files.ts';

const never = new AbortController().signal;
const now = new Date('2026-11-21T00:00:00Z');
const FOLDER = 'wrkbench/rest-api';
const MANIFEST = `${FOLDER}/manifest.json`;
const base = madeUpRecord({ rounds: 2, cases: [{}] });

function run(id: string): RunRecord {
  return { ...base, id, source: { ...base.source, sha: id.slice(-6).repeat(7).slice(0, 40) } };
}
const day = (number: number, month = 11) => `2026${month}${String(number).padStart(2, '0')}-000000-00000a`;

interface Published {
  retention?: Retention;
  squash?: boolean;
  pages?: PagesSource;
  warnings?: string[];
  unreadable?: string[];
}

async function add(branch: MemoryBranch, ids: readonly string[], how: Published = {}): Promise<void> {
  const { retention = keepAll, squash = false, pages = pagesSource, warnings, unreadable = [] } = how;
  for (const id of ids) {
    const options = {
      retention,
      squash,
      pages,
      unreadable: unreadable.map((path) => readPlace(path)!),
      now,
      warn: warnInto(warnings),
    };
    await publish(run(id), null, branch.publisher(), options, never);
  }
}

function warnInto(warnings: string[] | undefined): (text: string) => void {
  return (text) => {
    if (warnings === undefined) throw new Error(`Not expected: ${text}`);
    warnings.push(text);
  };
}

function manifestOf({ files }: MemoryBranch): Manifest {
  return readManifest(files.get(MANIFEST)!, 'manifest.json');
}

/** Ids in all pieces, as a page finds them. */
function idsIn(branch: MemoryBranch): string[] {
  const manifest = manifestOf(branch);
  const paths = pieceFiles(manifest).map((file) => `${FOLDER}/${file}`);
  const held = [...branch.files.keys()].filter((path) => path.startsWith(`${FOLDER}/series/`));
  expect(held.sort()).toEqual([...paths].sort());
  return paths.flatMap((path) => readSeriesPiece(branch.files.get(path)!, path, manifest).runs.id).sort();
}

const pathOf = (branch: MemoryBranch, id: string) =>
  [...branch.files.keys()].find((path) => readPlace(path)?.id === id)!;

describe('publishing a run', () => {
  it('writes run, piece and manifest in one commit, and reads the manifest and one piece', async () => {
    const branch = memoryBranch({ 'index.html': 'mine' });
    await add(branch, [day(1), day(2), day(1, 12)]);
    branch.reads.splice(0);
    await add(branch, [day(2, 12)]);
    expect(branch.reads).toEqual([[MANIFEST, `${FOLDER}/series/2026-12.json`]]);
    expect(branch.written).toEqual([pathOf(branch, day(2, 12)), `${FOLDER}/series/2026-12.json`, MANIFEST]);
    expect(branch.commits).toHaveLength(4);
    expect(idsIn(branch)).toEqual([day(1), day(2), day(1, 12), day(2, 12)]);
    expect(manifestOf(branch)).toMatchObject({
      latest: { id: day(2, 12), path: pathOf(branch, day(2, 12)).slice(FOLDER.length + 1) },
      oldest: day(1),
      leftOut: [],
      since: null,
    });
  });

  it('adds a run that comes late to a piece of its month', async () => {
    const branch = memoryBranch();
    await add(branch, [day(3), day(1, 12), day(1), day(2)]);
    expect(idsIn(branch)).toEqual([day(1), day(2), day(3), day(1, 12)]);
    expect(manifestOf(branch)).toMatchObject({ latest: { id: day(1, 12) }, oldest: day(1) });
  });

  it('loses nothing of many publishers at once', async () => {
    const branch = memoryBranch();
    const ids = Array.from({ length: 16 }, (_, index) => day(1 + (index % 8), index < 8 ? 11 : 12));
    await Promise.all(
      ids.map((id, index) => {
        const options = { retention: keepAll, squash: false, pages: pagesSource, now, warn: warnInto(undefined) };
        // Each lets others come first, as a push over the network does.
        const others = async () => {
          for (let turn = 0; turn < index % 7; turn += 1) await Promise.resolve();
          return false;
        };
        return publish(run(id), null, branch.publisher(others), options, never);
      }),
    );
    expect(idsIn(branch)).toEqual([...ids].sort());
    expect(branch.commits).toHaveLength(16);
  });

  it('tells which runs count no more: hidden, set aside and expired ones', async () => {
    const branch = memoryBranch();
    await add(
      branch,
      [1, 2, 3, 4, 5].map((number) => day(number)),
    );
    const made = { pages: pagesSource, warn: warnInto(undefined) };
    await hide({ specName: 'rest-api', id: day(5), reason: 'the runner was updated' }, branch.publisher(), made, never);
    expect(manifestOf(branch)).toMatchObject({
      latest: { id: day(4) },
      leftOut: [{ id: day(5), why: 'hidden', reason: 'the runner was updated' }],
    });
    await add(branch, [day(6)], {
      retention: { count: 4, days: null },
      unreadable: [pathOf(branch, day(4))],
    });
    expect(manifestOf(branch)).toMatchObject({
      latest: { id: day(6) },
      oldest: day(3),
      leftOut: [
        { id: day(5), why: 'hidden', reason: 'the runner was updated' },
        { id: day(4), why: 'set aside', reason: 'Its record cannot be read.' },
      ],
      months: [{ month: '2026-11', pieces: 1, runs: 6, gone: 3, imported: 0 }],
    });
    // What is in step is not made anew.
    branch.reads.splice(0);
    await add(branch, [day(7)]);
    expect(branch.reads).toEqual([[MANIFEST, `${FOLDER}/series/2026-11.json`]]);
  });

  it('tells of a run that expired although an older one is kept, since that was added', async () => {
    const branch = memoryBranch();
    await add(branch, [day(2), day(3), day(4)]);
    await add(branch, [day(1)], { retention: { count: 2, days: null } });
    expect(manifestOf(branch)).toMatchObject({
      oldest: day(1),
      leftOut: [{ id: day(2), why: 'expired', reason: '' }],
    });
    await add(branch, [day(5)], { retention: { count: 2, days: null } });
    expect(manifestOf(branch)).toMatchObject({ oldest: day(4), leftOut: [] });
  });

  it('removes the pieces of a month whose runs have all expired', async () => {
    const branch = memoryBranch();
    await add(branch, [day(1, 10), day(2, 10), day(1)]);
    await add(branch, [day(2)], { retention: { count: 2, days: null } });
    expect(idsIn(branch)).toEqual([day(1), day(2)]);
    expect(manifestOf(branch).months.map(({ month }) => month)).toEqual(['2026-11']);
  });

  it('is the same with a squash', async () => {
    const branch = memoryBranch({ 'index.html': 'mine' });
    await add(branch, [day(1)]);
    await add(branch, [day(2)], { squash: true });
    expect(branch.commits).toEqual([`Add run ${day(2)} of rest-api`]);
    expect(idsIn(branch)).toEqual([day(1), day(2)]);
  });
});

describe('pages that are out of order', () => {
  const ids = [day(1, 10), day(2, 10), day(1), day(2)];

  it.each([
    ['cut off', (text: string) => text.slice(0, 200), /manifest\.json ends in the middle/],
    [
      'of another program',
      () => '{"version": 3}',
      /manifest\.json is not a manifest of pages: it has no schemaVersion/,
    ],
    [
      'of another spec',
      (text: string) => text.replace('"spec":"rest-api"', '"spec":"web"'),
      /is of another spec, "web"/,
    ],
    ['empty', () => '', /manifest\.json is empty/],
  ])('lose nothing where the manifest is %s', async (_, broken, warning) => {
    const branch = memoryBranch();
    await add(branch, ids);
    branch.files.set(MANIFEST, broken(branch.files.get(MANIFEST)!));
    const warnings: string[] = [];
    await add(branch, [day(3)], { warnings });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(warning);
    expect(warnings[0]).toMatch(/It is made anew from the runs\.$/);
    expect(idsIn(branch)).toEqual([...ids, day(3)].sort());
  });

  it.each([
    ['cut off', (text: string) => text.slice(0, 200), /2026-11\.json ends in the middle/],
    ['of another shape', (text: string) => text.replace('"cpu":[0,0]', '"cpu":[0]'), /runs\.cpu has not one place/],
    ['of another manifest', (text: string) => text.replace('"0.0"', '"9.0"'), /the manifest has no series "9\.0"/],
    ['of another month', (text: string) => text.replaceAll('202611', '202609'), /holds runs of another month/],
  ])('lose nothing where the piece is %s, and read the runs of that month alone', async (_, broken, warning) => {
    const branch = memoryBranch();
    await add(branch, ids);
    const piece = `${FOLDER}/series/2026-11.json`;
    branch.files.set(piece, broken(branch.files.get(piece)!));
    branch.reads.splice(0);
    const warnings: string[] = [];
    await add(branch, [day(3)], { warnings });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toMatch(warning);
    expect(branch.reads.slice(1).flat()).toEqual([pathOf(branch, day(1)), pathOf(branch, day(2))]);
    expect(idsIn(branch)).toEqual([...ids, day(3)].sort());
  });

  it('are brought in step where a run or a piece came or went without them', async () => {
    const branch = memoryBranch();
    await add(branch, ids);
    branch.files.delete(`${FOLDER}/series/2026-10.json`);
    const [from, to] = [pathOf(branch, day(2)), pathOf(branch, day(2)).replaceAll(day(2), day(9))];
    branch.files.set(to, branch.files.get(from)!.replaceAll(day(2), day(9)));
    await add(branch, [day(1, 12)]);
    expect(idsIn(branch)).toEqual([...ids, day(9), day(1, 12)].sort());
  });

  it('are made of the runs of a branch that has none yet, and say why hidden ones are', async () => {
    const branch = memoryBranch();
    await add(branch, ids);
    for (const path of [...branch.files.keys()]) if (/manifest|series/.test(path)) branch.files.delete(path);
    branch.files.set(hiddenPath('rest-api', day(1)), 'a noisy machine\n');
    await add(branch, [day(3)]);
    expect(idsIn(branch)).toEqual([...ids, day(3)].sort());
    expect(manifestOf(branch).leftOut).toEqual([{ id: day(1), why: 'hidden', reason: 'a noisy machine' }]);
  });

  it('set aside a run of theirs that cannot be read', async () => {
    const branch = memoryBranch();
    await add(branch, ids);
    branch.files.set(pathOf(branch, day(1)), '{"cut": ');
    branch.files.delete(MANIFEST);
    const warnings: string[] = [];
    await add(branch, [day(3)], { warnings });
    expect(warnings).toEqual([
      expect.stringMatching(
        /20261101-000000-00000a\.[0-9a]+\.json cannot be read: it is set aside, and counts for nothing\.$/,
      ),
    ]);
    expect(idsIn(branch)).toEqual([day(1, 10), day(2, 10), day(2), day(3)]);
    expect(manifestOf(branch).leftOut).toEqual([
      { id: day(1), why: 'set aside', reason: 'Its record cannot be read.' },
    ]);
  });

  it('stay as they are where a later wrkbench made them in its own way, and the run is kept', async () => {
    const branch = memoryBranch();
    await add(branch, ids);
    const later = branch.files.get(MANIFEST)!.replace('"schemaVersion":1', '"schemaVersion":2');
    branch.files.set(MANIFEST, later);
    const warnings: string[] = [];
    await add(branch, [day(3)], { warnings });
    expect(warnings).toEqual([
      `${MANIFEST} was made by a later wrkbench in a way that this one does not know: the pages stay as they are. Update wrkbench, which then adds what they lack.`,
    ]);
    expect(branch.files.get(MANIFEST)).toBe(later);
    expect(branch.written).toEqual([pathOf(branch, day(3))]);
    // The later one finds it: its own month is out of step.
    branch.files.set(MANIFEST, later.replace('"schemaVersion":2', '"schemaVersion":1'));
    await add(branch, [day(4)]);
    expect(idsIn(branch)).toEqual([...ids, day(3), day(4)].sort());
  });

  it('are made anew when that is asked for', async () => {
    const branch = memoryBranch();
    await add(branch, ids);
    const before = branch.files.get(`${FOLDER}/series/2026-11.json`);
    branch.files.set(`${FOLDER}/series/2026-11.json`, before!.replace(/"value":\[[^,\]]+/, '"value":[1'));
    branch.files.set(`${FOLDER}/series/2026-09.json`, '{}');
    const made = { pages: pagesSource, warn: warnInto(undefined) };
    const { runs } = await rebuildPages('rest-api', branch.publisher(), made, never);
    expect([runs, branch.commits.at(-1)]).toEqual([4, 'Make the series of rest-api anew']);
    expect(branch.files.get(`${FOLDER}/series/2026-11.json`)).toBe(before);
    expect(idsIn(branch)).toEqual(ids);
    await expect(rebuildPages('web', branch.publisher(), made, never)).rejects.toThrow(
      'The branch holds no run of web, so there is nothing to make its pages of.',
    );
  });
});

describe('the files of the pages themselves', () => {
  const site = (content: string, tool = '0.1.0'): PagesSource => ({
    ...pagesSource,
    tool,
    site: () => [{ path: 'wrkbench/page.js', content }],
  });

  it('are written where they differ', async () => {
    const branch = memoryBranch();
    await add(branch, [day(1)], { pages: site('one ä') });
    expect(branch.files.get('wrkbench/page.js')).toBe('one ä');
    await add(branch, [day(2)], { pages: site('one ä') });
    expect(branch.written).not.toContain('wrkbench/page.js');
    await add(branch, [day(3)], { pages: site('two') });
    expect(branch.files.get('wrkbench/page.js')).toBe('two');
  });

  it('stay those of a later wrkbench', async () => {
    const branch = memoryBranch();
    await add(branch, [day(1)], { pages: site('later', '0.10.0') });
    await add(branch, [day(2)], { pages: site('earlier', '0.9.3') });
    expect(branch.files.get('wrkbench/page.js')).toBe('later');
    expect(manifestOf(branch).tool).toBe('0.10.0');
    await add(branch, [day(3)], { pages: site('latest', '1.0.0') });
    expect([branch.files.get('wrkbench/page.js'), manifestOf(branch).tool]).toEqual(['latest', '1.0.0']);
  });

  it('are not written outside of the folder', async () => {
    const outside: PagesSource = { ...pagesSource, site: () => [{ path: 'index.html', content: '' }] };
    await expect(add(memoryBranch(), [day(1)], { pages: outside })).rejects.toThrow(
      'index.html lies outside of wrkbench/',
    );
  });

  const badged: PagesSource = {
    ...pagesSource,
    ...siteSource({
      version: '0.1.0',
      site: () => [],
      stale: () => [],
      badges: ({ id }) => [{ path: `${FOLDER}/badges/verdict.svg`, content: id }],
    }),
  };
  const badge = ({ files }: MemoryBranch) => files.get(`${FOLDER}/badges/verdict.svg`);
  const hidden = (branch: MemoryBranch, id: string) =>
    hide({ specName: 'rest-api', id, reason: 'x' }, branch.publisher(), { pages: badged, warn: warnInto([]) }, never);

  it('have the badges of the newest run that counts, also where that is hidden, and none without one', async () => {
    const branch = memoryBranch();
    await add(branch, [day(1), day(3), day(2)], { pages: badged });
    expect(badge(branch)).toBe(day(3));
    await hidden(branch, day(1));
    expect(badge(branch)).toBe(day(3));
    await hidden(branch, day(3));
    expect(badge(branch)).toBe(day(2));
    await hidden(branch, day(2));
    expect(badge(branch)).toBeUndefined();
    await add(branch, [day(4)], { pages: badged });
    expect(badge(branch)).toBe(day(4));
  });

  /** Badges that say of which run they are, and stay as they are for a run without figures. */
  const real: PagesSource = {
    ...pagesSource,
    ...siteSource({
      version: '0.1.0',
      site: () => [],
      stale: () => [],
      badges: (record, passed, kept) =>
        badgeFiles(record, passed, kept).map(({ path }) => ({ path, content: `${record.id} ${passed}` })),
    }),
  };
  const addRun = (branch: MemoryBranch, record: RunRecord) =>
    publish(
      record,
      null,
      branch.publisher(),
      { retention: keepAll, squash: false, pages: real, now, warn: warnInto([]) },
      never,
    );
  const empty = (id: string, passed: boolean): RunRecord => {
    const { comparing: _, ...own } = run(id);
    return { ...own, cases: [], published: { accepted: [], baseline: null, passed } };
  };

  it('have the badges of the newest run that measured, whatever came after it', async () => {
    const branch = memoryBranch();
    const shown = () => ['verdict', 'p99'].map((name) => branch.files.get(`${FOLDER}/badges/${name}.svg`)?.slice(0, 8));
    await addRun(branch, run(day(1)));
    await addRun(branch, empty(day(3), true));
    expect(shown()).toEqual(['20261101', '20261101']);
    // It was begun before, and took longer.
    await addRun(branch, run(day(2)));
    expect(shown()).toEqual(['20261102', '20261102']);
    await hide(
      { specName: 'rest-api', id: day(2), reason: 'x' },
      branch.publisher(),
      { pages: real, warn: warnInto([]) },
      never,
    );
    expect(shown()).toEqual(['20261101', '20261101']);
    await rebuildPages('rest-api', branch.publisher(), { pages: real, warn: warnInto([]) }, never);
    expect(shown()).toEqual(['20261101', '20261101']);
    await addRun(branch, empty(day(4), false));
    expect(shown()).toEqual(['20261104', '20261101']);
    await addRun(branch, run(day(2, 10)));
    expect(shown()).toEqual(['20261104', '20261101']);
  });

  it('have the badges of an older run where the newer one cannot be read, and get them back with a rebuild', async () => {
    const branch = memoryBranch();
    await add(branch, [day(1), day(2), day(3)], { pages: badged });
    branch.files.set(pathOf(branch, day(2)), '{');
    await hidden(branch, day(3));
    expect(badge(branch)).toBe(day(1));
    branch.files.delete(`${FOLDER}/badges/verdict.svg`);
    await rebuildPages('rest-api', branch.publisher(), { pages: badged, warn: warnInto([]) }, never);
    expect(badge(branch)).toBe(day(1));
  });

  it('are known by their names in a repository of SHA-256, too', async () => {
    const branch = memoryBranch();
    await add(branch, [day(1)], { pages: site('one ä') });
    const publisher = branch.publisher();
    const named = (content: string) =>
      createHash('sha256')
        .update(`blob ${Buffer.byteLength(content)}\0${content}`)
        .digest('hex');
    const commit: typeof publisher.commit = (change, signal) =>
      publisher.commit(
        (entries, read) =>
          change(
            entries.map(({ path }) => ({ path, blob: named(branch.files.get(path)!) })),
            read,
          ),
        signal,
      );
    const options = { retention: keepAll, squash: false, now, warn: warnInto(undefined) };
    await publish(run(day(2)), null, { ...publisher, commit }, { ...options, pages: site('one ä') }, never);
    expect(branch.written).not.toContain('wrkbench/page.js');
    await publish(run(day(3)), null, { ...publisher, commit }, { ...options, pages: site('two') }, never);
    expect(branch.written).toContain('wrkbench/page.js');
  });
});
