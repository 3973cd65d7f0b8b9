import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { randomFromState, seededRandom, shuffled } from '../../../src/core/statistics/random.ts';

describe('xoshiro128**', () => {
  it('gives the numbers of the reference implementation, version 1.1, for the state 1, 2, 3, 4', () => {
    const random = randomFromState([1, 2, 3, 4]);
    expect(Array.from({ length: 10 }, () => random.uint32())).toEqual([
      11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597, 4258142804,
    ]);
  });

  it('gives the same numbers for the same seed, and others for a neighbour', () => {
    const numbers = (seed: number) => {
      const random = seededRandom(seed);
      return Array.from({ length: 8 }, () => random.uint32());
    };
    expect(numbers(42)).toEqual(numbers(42));
    expect(numbers(42).filter((value, index) => value === numbers(43)[index])).toEqual([]);
    expect(numbers(0).every((value) => value === 0)).toBe(false);
  });
});

describe('numbers from 0 to 1', () => {
  it('have the mean and the variance of the uniform distribution', () => {
    const random = seededRandom(1);
    const numbers = Array.from({ length: 100_000 }, () => random.next());
    const mean = numbers.reduce((sum, value) => sum + value, 0) / numbers.length;
    const variance = numbers.reduce((sum, value) => sum + (value - mean) ** 2, 0) / numbers.length;
    // Five standard errors.
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.0046);
    expect(Math.abs(variance - 1 / 12)).toBeLessThan(0.0012);
    expect(Math.min(...numbers.slice(0, 1000))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...numbers.slice(0, 1000))).toBeLessThan(1);
  });
});

describe('numbers below a limit', () => {
  it('are whole, and each as likely as the other', () => {
    const random = seededRandom(3);
    const counts = [0, 0, 0, 0, 0, 0, 0];
    for (let draw = 0; draw < 70_000; draw++) counts[random.below(7)]!++;
    // 10,000 expected, five standard deviations are 463.
    expect(counts.every((times) => Math.abs(times - 10_000) < 463)).toBe(true);
  });

  it.each([0, -1, 1.5, 2 ** 32 + 1, Number.NaN])('below %d there is none', (limit) => {
    expect(() => seededRandom(1).below(limit)).toThrow(RangeError);
  });

  it('draws again what a remainder would favour', () => {
    // With a limit of 3 x 2^30 every fourth number is thrown away; none may reach the limit.
    const random = seededRandom(9);
    for (let draw = 0; draw < 1000; draw++) expect(random.below(3 * 2 ** 30)).toBeLessThan(3 * 2 ** 30);
  });
});

describe('shuffling', () => {
  it('keeps every item, and leaves the list as it is', () => {
    fc.assert(
      fc.property(fc.array(fc.nat()), fc.nat(), (items, seed) => {
        const before = [...items];
        const after = shuffled(items, seededRandom(seed));
        expect(items).toEqual(before);
        expect([...after].sort((a, b) => a - b)).toEqual([...before].sort((a, b) => a - b));
      }),
      { seed: 17 },
    );
  });

  it('makes every order as likely', () => {
    const random = seededRandom(5);
    const counts = new Map<string, number>();
    for (let draw = 0; draw < 24_000; draw++) {
      const order = shuffled(['a', 'b', 'c', 'd'], random).join('');
      counts.set(order, (counts.get(order) ?? 0) + 1);
    }
    expect(counts.size).toBe(24);
    // 1000 expected, five standard deviations are 155.
    expect([...counts.values()].every((times) => Math.abs(times - 1000) < 155)).toBe(true);
  });
});
