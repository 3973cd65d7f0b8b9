import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { linearAxis, logarithmicAxis } from '../../../../src/core/report/analysis/axis.ts';

describe('a linear axis', () => {
  it('goes from 0 in round steps', () => {
    expect(linearAxis([2407, 800])).toEqual({
      extent: [0, 2500],
      logarithmic: false,
      ticks: [0, 500, 1000, 1500, 2000, 2500],
    });
    expect(linearAxis([])).toEqual({ extent: [0, 1], logarithmic: false, ticks: [0] });
  });

  it('holds every value, with two to seven ticks', () => {
    fc.assert(
      fc.property(fc.array(fc.double({ min: 1e-9, max: 1e12, noNaN: true }), { minLength: 1 }), (values) => {
        const { extent, ticks } = linearAxis(values);
        expect(extent[1]).toBeGreaterThanOrEqual(Math.max(...values) * (1 - 1e-9));
        expect(ticks.length).toBeGreaterThanOrEqual(2);
        expect(ticks.length).toBeLessThanOrEqual(7);
      }),
    );
  });
});

describe('a logarithmic axis', () => {
  it('has a tick at each power of ten, and at 3 where these are few', () => {
    expect(logarithmicAxis([2333, 569_924]).ticks).toEqual([3000, 10_000, 30_000, 100_000, 300_000]);
    expect(logarithmicAxis([0.1, 9000]).ticks).toEqual([0.1, 1, 10, 100, 1000, 10_000]);
    expect(logarithmicAxis([41, 44]).ticks).toEqual([50]);
  });

  it('holds every value above 0, and none where there is none', () => {
    expect(logarithmicAxis([0, -1, Number.NaN])).toEqual({ extent: [1, 10], logarithmic: true, ticks: [1, 10] });
    const { extent } = logarithmicAxis([0.5, 80]);
    expect(extent[0]).toBeLessThan(0.5);
    expect(extent[1]).toBeGreaterThan(80);
  });
});
