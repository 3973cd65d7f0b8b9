import { expect, it } from 'vitest';
import { mostBelieved } from '../../../src/core/statistics/few-values.ts';

it('what 32 values show is believed up to the one limit, what 64 show up to the other, and in between in proportion', () => {
  const most = { ofFew: 2, ofEnough: 4 };
  const believed = [
    [8, 1],
    [8, 4],
    [16, 3],
    [8, 8],
    [28, 20],
  ].map(([count, series]) => mostBelieved(count!, series!, most));
  expect(believed).toEqual([2, 2, 3, 4, 4]);
});
