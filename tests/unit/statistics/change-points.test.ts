import { describe, expect, it } from 'vitest';
import { changePointsOf } from '../../../src/core/statistics/change-points.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from '../../support/made-up/samples.ts';

/** Values of a level each, with a scatter of 1 %. */
function levels(parts: readonly { count: number; level: number }[], seed = 1): number[] {
  const random = seededRandom(seed);
  return parts.flatMap(({ count, level }) => Array.from({ length: count }, () => level + 0.01 * normal(random)));
}

describe('the change points of a series', () => {
  it('are where it went to another level and stayed there', () => {
    const values = levels([
      { count: 30, level: 9 },
      { count: 25, level: 8.8 },
      { count: 20, level: 9.1 },
    ]);
    expect(changePointsOf(values)).toEqual([
      { at: 30, change: expect.closeTo(-0.2, 1) },
      { at: 55, change: expect.closeTo(0.3, 1) },
    ]);
  });

  it('tell how far the levels are apart, by up to twenty values of each', () => {
    const values = [
      ...Array.from({ length: 30 }, (_, index) => (index < 10 ? 5 : 1) + 0.001 * (index % 2)),
      ...Array.from({ length: 10 }, (_, index) => 2 + 0.001 * (index % 2)),
    ];
    expect(changePointsOf(values).at(-1)).toEqual({ at: 30, change: expect.closeTo(1, 6) });
  });

  it('are seen after five values of the new level, and not after four', () => {
    const before = Array.from({ length: 20 }, (_, index) => 0.01 * (index % 3));
    const after = [0.3, 0.31, 0.32, 0.3, 0.31];
    expect(changePointsOf([...before, ...after.slice(0, 4)])).toEqual([]);
    expect(changePointsOf([...before, ...after]).map(({ at }) => at)).toEqual([20]);
  });

  it('need ten values of the level before', () => {
    const series = (count: number) => [
      ...Array.from({ length: count }, (_, index) => 0.01 * (index % 3)),
      ...Array.from({ length: 5 }, (_, index) => 0.5 + 0.01 * (index % 3)),
    ];
    expect(changePointsOf(series(9))).toEqual([]);
    expect(changePointsOf(series(10)).map(({ at }) => at)).toEqual([10]);
  });

  it('stay where they were found, whatever comes later', () => {
    const values = levels([
      { count: 25, level: 0 },
      { count: 40, level: 0.25 },
      { count: 40, level: 0 },
    ]);
    const whole = changePointsOf(values).map(({ at }) => at);
    expect(whole).toEqual([25, 65]);
    for (let count = 0; count <= values.length; count += 1) {
      const found = changePointsOf(values.slice(0, count)).map(({ at }) => at);
      expect(found).toEqual(whole.slice(0, found.length));
    }
  });

  it('are none in a single wild value, in two of them side by side, or in equal values', () => {
    const wild = levels([{ count: 60, level: 0 }]).map((value, index) => (index === 40 || index === 41 ? 3 : value));
    expect(changePointsOf(wild)).toEqual([]);
    expect(changePointsOf(Array.from({ length: 40 }, () => 4))).toEqual([]);
    expect(changePointsOf([])).toEqual([]);
  });

  it('are found beside a wild value', () => {
    const values = levels([
      { count: 30, level: 0 },
      { count: 20, level: -0.15 },
    ]).map((value, index) => (index === 12 ? 2 : value));
    expect(changePointsOf(values).map(({ at }) => at)).toEqual([30]);
  });

  it('are next to none where nothing changed', () => {
    const found = Array.from({ length: 40 }, (_, seed) => changePointsOf(levels([{ count: 100, level: 0 }], seed)));
    expect(found.flat().length).toBe(0);
  });

  it('of two levels without any scatter are apart by all that lies between them', () => {
    const values = [...Array.from({ length: 12 }, () => 1), ...Array.from({ length: 5 }, () => 2)];
    expect(changePointsOf(values)).toEqual([{ at: 12, change: 1 }]);
  });
});
