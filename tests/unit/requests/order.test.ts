import { describe, expect, it } from 'vitest';
import { stratifiedOrder } from '../../../src/core/requests/order.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';

const orderOf = (strata: Parameters<typeof stratifiedOrder>[0], seed = 1) => [
  ...stratifiedOrder(strata, seededRandom(seed)),
];
const alike = (count: number) => Array.from({ length: count }, () => 1);
const timesOf = (order: number[], index: number) => order.filter((each) => each === index).length;

describe('the order of requests', () => {
  it('has each of them once where they weigh the same, shuffled', () => {
    const order = orderOf([{ weight: 1, weights: alike(1000) }]);
    expect([...order].sort((one, other) => one - other)).toEqual([...alike(1000).keys()]);
    expect(order.slice(0, 50)).not.toEqual([...alike(50).keys()]);
  });

  it('is a function of the seed', () => {
    const strata = [{ weight: 1, weights: alike(100) }];
    expect(orderOf(strata, 7)).toEqual(orderOf(strata, 7));
    expect(orderOf(strata, 7)).not.toEqual(orderOf(strata, 8));
  });

  it('has one as often as it weighs, in the least places that say so', () => {
    const order = orderOf([{ weight: 1, weights: [8, 2] }]);
    expect([timesOf(order, 0), timesOf(order, 1)]).toEqual([4, 1]);
    const parts = orderOf([{ weight: 1, weights: [0.3, 0.2] }]);
    expect([timesOf(parts, 0), timesOf(parts, 1)]).toEqual([3, 2]);
  });

  it('gives each stratum its part, whatever it has requests, and each of its requests as many places', () => {
    const order = orderOf([
      { weight: 8, weights: [1] },
      { weight: 2, weights: alike(1000) },
    ]);
    expect(order).toHaveLength(5000);
    expect(timesOf(order, 0)).toBe(4000);
    for (let index = 1; index <= 1000; index += 1) expect(timesOf(order, index)).toBe(1);
  });

  it('holds about as many of each in any part of it', () => {
    const order = orderOf([
      { weight: 8, weights: [1] },
      { weight: 2, weights: alike(1000) },
    ]);
    for (let begin = 0; begin + 200 <= order.length; begin += 200) {
      const rare = 200 - timesOf(order.slice(begin, begin + 200), 0);
      expect(Math.abs(rare - 40)).toBeLessThanOrEqual(2);
    }
  });

  it('has 100,000 places at most, and leaves out what would have less than one', () => {
    const order = orderOf([{ weight: 1, weights: [999_999, 1, 1_000_000] }]);
    expect(order).toHaveLength(100_000);
    expect(timesOf(order, 1)).toBe(0);
    expect(timesOf(order, 0)).toBe(50_000);
    expect(timesOf(order, 2)).toBe(50_000);
  });
});
