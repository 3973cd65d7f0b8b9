import { describe, expect, it } from 'vitest';
import { winsorised } from '../../../src/core/statistics/winsorising.ts';

describe('wild values', () => {
  it('are pulled in to four deviations from the median, on either side', () => {
    const { values, pulledIn } = winsorised([-3, -2, -1, 0, 1, 2, 50]);
    // Median 0, median absolute deviation 2: 4 x 1.4826 x (1 + 1/7) x 2.
    expect(values).toEqual([-3, -2, -1, 0, 1, 2, expect.closeTo(13.555, 3)]);
    expect(pulledIn).toBe(1);
    expect(winsorised([-50, -2, -1, 0, 1, 2, 50])).toMatchObject({ pulledIn: 2 });
  });

  it('are none among values of a usual scatter', () => {
    const values = [0.3, -1.1, 0.8, 2.1, -0.4, -0.2, 1.3, -1.9];
    expect(winsorised(values)).toEqual({ values, pulledIn: 0 });
  });

  it('are no third of the values, and none where most values are equal', () => {
    const twoLevels = [0, 0.01, 0.02, 0.01, 0.4, 0.41, 0.4];
    expect(winsorised(twoLevels)).toEqual({ values: twoLevels, pulledIn: 0 });
    const equal = [0, 0, 0, 0, 0, 0, 0.4];
    expect(winsorised(equal)).toEqual({ values: equal, pulledIn: 0 });
  });

  it('cannot be told among fewer than seven', () => {
    expect(winsorised([0, 0, 1, 2, 2, 500])).toEqual({ values: [0, 0, 1, 2, 2, 500], pulledIn: 0 });
  });
});
