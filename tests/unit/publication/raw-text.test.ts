import { describe, expect, it } from 'vitest';
import { keepAll, publicationChange } from '../../../src/core/publication/change.ts';
import { countedRuns, placeOf, rawPath, readPlace } from '../../../src/core/publication/place.ts';
import { MOST_RAW, rawPaths, rawText } from '../../../src/core/publication/raw-text.ts';

const place = placeOf({ specName: 'api', id: '20261120-092802-0a1b2c', sha: 'ab'.repeat(20) })!;

describe('what the generators of a run printed', () => {
  it('is kept whole as long as it fits, and what is left out says why', () => {
    const long = 'x'.repeat(MOST_RAW - 1000);
    const text = rawText(place.id, [
      { path: 'raw/a.txt', text: 'Running 10s test' },
      { path: 'raw/b.txt', text: long },
      { path: 'raw/c.txt', text: 'y'.repeat(2000) },
      { path: 'raw/d.txt', text: null },
      { path: 'raw/e.txt', text: 'short' },
    ])!;
    expect(text.length).toBeLessThanOrEqual(MOST_RAW + 1000);
    expect(JSON.parse(text)).toEqual({
      schemaVersion: 1,
      run: place.id,
      files: { 'raw/a.txt': 'Running 10s test', 'raw/b.txt': long, 'raw/e.txt': 'short' },
      leftOut: [
        { path: 'raw/c.txt', reason: 'With it this file would have more than 64000 characters.' },
        { path: 'raw/d.txt', reason: 'It is not there, or too long.' },
      ],
      leftOutCount: 2,
    });
    expect(rawText(place.id, [{ path: 'raw/d.txt', text: null }])).toBeNull();
  });

  it('is asked of files of that folder alone', () => {
    const raw = [
      'raw/a.txt',
      'raw/a.txt',
      '../x',
      'raw/../x',
      'raw/..',
      '/etc/passwd',
      'raw/a/b',
      'raw\\..\\x',
      'raw/\n',
    ];
    expect(
      rawPaths([
        { variant: 'candidate', raw },
        { variant: 'baseline', raw: ['raw/b.txt'] },
      ]),
    ).toEqual(['raw/a.txt']);
  });

  it('is a file beside the run, is no run, and goes with it', () => {
    const publication = {
      place,
      content: '{}',
      raw: '{"raw":1}',
      unreadable: [],
      squash: false,
      now: new Date('2026-11-20'),
    };
    const written = publicationChange([], { ...publication, retention: keepAll })!.write.map(({ path }) => path);
    expect(written).toEqual([place.path, `wrkbench/api/runs/2026-11/${place.id}.${'ab'.repeat(20)}.raw.json`]);
    expect(readPlace(rawPath(place))).toBeNull();
    expect(countedRuns(written, 'api')).toEqual([place]);
    const next = placeOf({ specName: 'api', id: '20261121-092802-0a1b2c', sha: null })!;
    const entries = written.map((path) => ({ path, blob: 'cd'.repeat(20) }));
    const retention = { count: 1, days: null };
    expect(publicationChange(entries, { ...publication, place: next, retention })!.remove).toEqual(written);
  });
});
