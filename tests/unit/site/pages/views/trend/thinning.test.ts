import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linePoints, type Point, thinned } from '../../../../../../src/site/pages/views/trend/thinning.ts';

const point = (place: number, y: number): Point => ({ x: place, y, place });

describe('points of a line', () => {
  it('leave out runs without a figure, and have a gap where the CPU is another one', () => {
    const points = linePoints([5, Number.NaN, 6, 7, 8], (place) => place * 10, ['a', 'a', 'a', 'b', 'b']);
    expect(points).toEqual([
      { x: 0, y: 5, place: 0 },
      { x: 20, y: 6, place: 2 },
      { x: 30, y: Number.NaN, place: 3 },
      { x: 30, y: 7, place: 3 },
      { x: 40, y: 8, place: 4 },
    ]);
  });
});

describe('thinned points', () => {
  it('are all of them where there is room', () => {
    const few = [point(0, 1), point(1, 2), point(2, 3)];
    expect(thinned(few, 800)).toEqual(few);
    expect(thinned([], 800)).toEqual([]);
  });

  it('are the first, lowest, highest and last of each pixel column, in their order', () => {
    const points = [3, 9, 4, 1, 5, 6, 2, 7].map((y, place) => point(place, y));
    expect(thinned(points, 1).map(({ y }) => y)).toEqual([3, 9, 1, 7]);
  });

  it('keep what a chart shows: its ends, its lowest and highest points, and its gaps', () => {
    const lines = fc.array(
      fc.oneof({ weight: 9, arbitrary: fc.integer({ min: -50, max: 50 }) }, fc.constant(Number.NaN)),
      {
        minLength: 200,
        maxLength: 2000,
      },
    );
    fc.assert(
      fc.property(lines, fc.integer({ min: 10, max: 60 }), (values, columns) => {
        const points = values.map((y, place) => point(place, y));
        const kept = thinned(points, columns);
        const gaps = points.filter(({ y }) => Number.isNaN(y));
        // Four points of each stretch: a column is one, and one more with each gap in it, which stays itself.
        expect(kept.length).toBeLessThanOrEqual(4 * (columns + gaps.length) + gaps.length);
        expect(kept.filter(({ y }) => Number.isNaN(y))).toEqual(gaps);
        expect([kept[0], kept.at(-1)]).toEqual([points[0], points.at(-1)]);
        const [before, after] = [points, kept].map((all) => all.map(({ y }) => y).filter((y) => !Number.isNaN(y)));
        expect([Math.min(...after!), Math.max(...after!)]).toEqual([Math.min(...before!), Math.max(...before!)]);
        expect(kept.map(({ place }) => place)).toEqual(kept.map(({ place }) => place).sort((a, b) => a - b));
      }),
      { numRuns: 40 },
    );
  });
});
