import { describe, expect, it } from 'vitest';
import { trigamma } from '../../../src/core/statistics/digamma.ts';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';
import { varianceScatter } from '../../../src/core/statistics/variance-scatter.ts';
import { normal } from '../../support/made-up/samples.ts';

const seriesOf = (count: number, value: (random: Random) => number) => {
  const random = seededRandom(20261122);
  return Array.from({ length: 400 }, () => Array.from({ length: count }, () => value(random)));
};

describe('how much variances scatter', () => {
  it.each([8, 10, 28])('is 1 of %d normal values', (count) => {
    expect(varianceScatter(seriesOf(count, normal), 400)).toBeGreaterThan(0.85);
    expect(varianceScatter(seriesOf(count, normal), 400)).toBeLessThan(1.15);
  });

  it('is more where one value of ten is far off, and less where there are but two values', () => {
    const rare = seriesOf(12, (random) => normal(random) * (random.next() < 0.1 ? 8 : 1));
    const two = seriesOf(24, (random) => (random.next() < 0.5 ? -1 : 1) + 0.2 * normal(random));
    expect(varianceScatter(rare, 400)).toBeGreaterThan(1.8);
    expect(varianceScatter(two, 400)).toBeLessThan(0.6);
  });

  it('is believed the less the fewer independent series there are', () => {
    const rare = seriesOf(12, (random) => normal(random) * (random.next() < 0.1 ? 8 : 1));
    const whole = varianceScatter(rare, 1e9) - 1;
    expect(varianceScatter(rare, 4) - 1).toBeCloseTo(whole / 2, 6);
    expect(varianceScatter(rare, 1)).toBe(1);
  });

  it('is that of normal values where nothing is known, and has its bounds', () => {
    expect(varianceScatter([], 1)).toBe(1);
    expect(varianceScatter([[1, -1, 1, -1]], 1e9)).toBe(1);
    expect(varianceScatter([[0, 0, 0, 0, 0, 0, 0, 0]], 1e9)).toBe(1);
    expect(varianceScatter([[1e-9, 1, -1e-9, -1, 0, 1]], 1e9)).toBeCloseTo(4, 6);
    expect(varianceScatter([[1, 1, -1, -1, 0, 0]], 1e9)).toBeCloseTo(0.25, 6);
  });
});

describe('the trigamma function', () => {
  // Abramowitz and Stegun, tables 6.1 and 6.4.
  it.each([
    [0.5, Math.PI ** 2 / 2],
    [1, Math.PI ** 2 / 6],
    [2, Math.PI ** 2 / 6 - 1],
    [25, 0.0408106632572],
  ])('of %d is %d', (x, expected) => {
    expect(trigamma(x)).toBeCloseTo(expected, 9);
  });
});
