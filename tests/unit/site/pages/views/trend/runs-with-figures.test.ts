import { describe, expect, it } from 'vitest';
import { emptyManifest } from '../../../../../../src/core/publication/pages-files.ts';
import { pieceOf, type RunRow, type SeriesPoint } from '../../../../../../src/core/publication/series-rows.ts';
import { entriesOf } from '../../../../../../src/site/pages/data/entries.ts';
import { runsWithFigures } from '../../../../../../src/site/pages/views/trend/runs-with-figures.ts';

const manifest = emptyManifest({ specName: 'users', tool: '0.1.0', server: null, repository: null });
const point = (value: number | null, change: number | null = null): SeriesPoint => ({
  ...{ value, status: null, change, low: null, high: null, verdict: null },
});

/** A run a day, of the figures of each; the first ones imported. */
function runsOf(imported: number, ...ofRuns: readonly Readonly<Record<string, SeriesPoint>>[]) {
  const rows = ofRuns.map(
    (points, at): RunRow => ({
      id: `202611${String(at + 1).padStart(2, '0')}-101500-0a1b2c`,
      ...{ sha: null, workflowRun: null, pullRequest: null, release: null, cpu: 'any', passed: null, mode: null },
      ...{ anchor: null, imported: at < imported, accepted: [], points: new Map(Object.entries(points)) },
    }),
  );
  return entriesOf(pieceOf(rows), manifest);
}

describe('the runs on the axis of a trend', () => {
  const days = (imported: number, ofRuns: readonly Readonly<Record<string, SeriesPoint>>[], cases = [0], metric = 0) =>
    runsWithFigures(runsOf(imported, ...ofRuns), { cases, metric }).map(({ id }) => Number(id.slice(6, 8)));

  it('are the measured ones, and not those that were imported before them', () => {
    const foreign = Array.from({ length: 20 }, () => ({ '1.1': point(12) }));
    expect(days(20, [...foreign, { '0.0': point(5) }, { '0.0': point(6) }])).toEqual([21, 22]);
  });

  it('are the imported ones where an imported case is asked for', () => {
    expect(days(2, [{ '1.1': point(12) }, { '1.1': point(13) }, { '0.0': point(5) }], [1], 1)).toEqual([1, 2]);
  });

  it('are those of a benchmark that few of the imported runs have', () => {
    const foreign = Array.from({ length: 20 }, (_, at) => ({
      '1.1': point(12),
      ...(at % 7 === 0 ? { '2.1': point(3) } : {}),
    }));
    expect(days(20, foreign, [2], 1)).toEqual([1, 8, 15]);
  });

  it('are those with any of the lines, from the first that one of them has', () => {
    const ofRuns = [{ '2.0': point(1) }, { '0.0': point(5) }, {}, { '1.0': point(7) }, { '0.0': point(null, 0.1) }, {}];
    expect(days(0, ofRuns, [0, 1])).toEqual([2, 4, 5]);
  });

  it('are all where none has a figure', () => {
    expect(days(0, [{ '1.0': point(1) }, {}])).toEqual([1, 2]);
  });
});
