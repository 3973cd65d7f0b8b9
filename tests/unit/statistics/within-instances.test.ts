import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { varianceWithinInstances } from '../../../src/core/statistics/within-instances.ts';

const SEED = 11;

/** Instances of `m` pairs each that scatter by 0.03 within. */
function instances(count: number, m: number): number[][] {
  const random = seededRandom(SEED);
  const normal = () => Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
  return Array.from({ length: count }, () => Array.from({ length: m }, () => 0.03 * normal()));
}

describe('what the pairs of an instance make its estimate scatter', () => {
  it.each([2, 3, 4])('is w²/m, with %d pairs an instance', (m) => {
    const { value, degreesOfFreedom } = varianceWithinInstances(instances(4000, m))!;
    expect(Math.sqrt(value) / (0.03 / Math.sqrt(m))).toBeCloseTo(1, 1);
    expect(degreesOfFreedom).toBe(4000 * (m - 1));
  });

  it('does not follow one wild pair', () => {
    const [first, ...others] = instances(8, 3);
    const wild = [[first![0]!, first![1]!, 0.9], ...others];
    expect(varianceWithinInstances(wild)!.value).toBeLessThan(4 * varianceWithinInstances([first!, ...others])!.value);
  });

  it('is not known from fewer than six degrees of freedom, or where an instance has one pair', () => {
    expect(varianceWithinInstances(instances(5, 2))).toBeNull();
    expect(varianceWithinInstances([...instances(8, 2), [0.01]])).toBeNull();
    expect(varianceWithinInstances([])).toBeNull();
  });
});
