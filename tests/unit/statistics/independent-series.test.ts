import { describe, expect, it } from 'vitest';
import { independentSeries } from '../../../src/core/statistics/independent-series.ts';

describe('how many independent series several are worth', () => {
  const [one, other] = [
    [1, 1, -1, -1],
    [1, -1, 1, -1],
  ];

  it('is all of them where they have nothing in common', () => {
    expect(independentSeries([one!, other!], 4)).toBe(2);
  });

  it('is one where they are alike, however much each scatters', () => {
    expect(independentSeries([one!, one!.map((value) => 10 * value), one!], 4)).toBeCloseTo(1, 12);
  });

  it('leaves out series of another length and those without any scatter', () => {
    expect(independentSeries([one!, other!, [1, -1], [0, 0, 0, 0]], 4)).toBe(2);
    expect(independentSeries([], 4)).toBe(1);
  });
});
