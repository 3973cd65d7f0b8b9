import { describe, expect, it } from 'vitest';
import { looksUpTo, plannedInstances } from '../../../src/core/comparison/looks.ts';

describe('planned looks', () => {
  it('come at 5 instances, and then at some 1.4 times as many as the time before', () => {
    expect(plannedInstances(200)).toEqual([5, 7, 10, 14, 20, 28, 40, 56, 80, 112, 160]);
    expect(plannedInstances(4)).toEqual([]);
  });

  it('spend a quarter of what is left each', () => {
    expect(looksUpTo(12, false)).toEqual([
      { instances: 5, share: 0.25 },
      { instances: 7, share: 0.1875 },
      { instances: 10, share: 0.140625 },
    ]);
  });

  it('end with one that spends all that is left, wherever the budget ends', () => {
    expect(looksUpTo(3, true)).toEqual([{ instances: 3, share: 1 }]);
    expect(looksUpTo(6, true)).toEqual([
      { instances: 5, share: 0.25 },
      { instances: 6, share: 0.75 },
    ]);
  });

  it('do not pay twice for the same data: a last look at a planned time has what was spent there as well', () => {
    expect(looksUpTo(7, true)).toEqual([
      { instances: 5, share: 0.25 },
      { instances: 7, share: 0.1875 },
      { instances: 7, share: 0.75 },
    ]);
  });
});
