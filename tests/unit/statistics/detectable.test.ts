import { describe, expect, it } from 'vitest';
import { detectableChange } from '../../../src/core/statistics/detectable.ts';

describe('the distance that is found in nine of ten cases', () => {
  // SciPy 1.17.1, noncentral t: golden.py beside this file prints them.
  it.each([
    [0.005, 4, 6.768743436413897],
    [0.005, 8, 4.9237345920356415],
    [0.005 / 40, 8, 8.421647271909059],
    [0.005 / 40, 13, 6.683021258757312],
  ])(
    'at level %d with %d degrees of freedom is within 0.2 %% of what SciPy has',
    (level, degreesOfFreedom, expected) => {
      const distance = detectableChange({ standardError: 0.01, degreesOfFreedom }, level);
      expect(Math.abs(distance / (0.01 * expected) - 1)).toBeLessThan(0.002);
    },
  );
});
