import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { bound, detectableBeyond, type RoundMean } from '../../../src/core/statistics/round-mean.ts';
import { skewnessFactor } from '../../../src/core/statistics/skewness.ts';
import { normal } from '../../support/made-up/samples.ts';

const known = (given: Partial<RoundMean> = {}): RoundMean => ({
  mean: 0.1,
  standardError: 0.01,
  degreesOfFreedom: 7,
  count: 8,
  skewness: 0,
  ...given,
});

describe('the end of an interval', () => {
  // Tables of Student's t: degrees of freedom, one-sided level, critical value.
  it.each([
    [7, 0.05, 1.8946],
    [7, 0.005, 3.4995],
    [11, 0.005, 3.1058],
    [19, 0.025, 2.093],
    [27, 0.005, 2.7707],
  ])('of symmetric values is that of Student with %d degrees of freedom at %d', (degreesOfFreedom, level, t) => {
    const own = known({ degreesOfFreedom });
    expect(bound(own, 1, level)).toBeCloseTo(0.1 - t * 0.01, 6);
    expect(bound(own, -1, level)).toBeCloseTo(0.1 + t * 0.01, 6);
  });

  it('lies farther out where the tail of the values is not: a mean that lacks rare low values is too high', () => {
    const [symmetric, skewed] = [known(), known({ skewness: -1 })];
    const [t, normalQuantile] = [3.4995, 2.5758];
    expect(bound(skewed, 1, 0.005)).toBeCloseTo(0.1 - t * skewnessFactor(-1, normalQuantile, 8) * 0.01, 5);
    expect(bound(skewed, -1, 0.005)).toBe(bound(symmetric, -1, 0.005));
  });

  it('lies farther out above as well where the tail points up', () => {
    const skewed = known({ skewness: 1 });
    expect(bound(skewed, 1, 0.005)).toBe(bound(known(), 1, 0.005));
    expect(bound(skewed, -1, 0.005)).toBeGreaterThan(bound(known(), -1, 0.005));
  });
});

describe('what another run like this one would find in nine of ten cases', () => {
  const meanOf = (count: number, truth: number, random: ReturnType<typeof seededRandom>): RoundMean => {
    const values = Array.from({ length: count }, () => truth + normal(random));
    const mean = values.reduce((sum, each) => sum + each, 0) / count;
    const variance = values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / (count - 1);
    return { mean, standardError: Math.sqrt(variance / count), degreesOfFreedom: count - 1, count, skewness: 0 };
  };

  it.each([8, 12, 28])('is found in 85 to 95 of 100 runs of %d rounds', (count) => {
    const random = seededRandom(20261122 + count);
    const [level, runs] = [0.005 / 10, 2000];
    let found = 0;
    for (let run = 0; run < runs; run++) {
      const told = detectableBeyond(meanOf(count, 0, random), level);
      if (bound(meanOf(count, told, random), 1, level) > 0) found += 1;
    }
    expect(found / runs).toBeGreaterThan(0.85);
    expect(found / runs).toBeLessThan(0.95);
  });

  it('is more at a stricter level, with fewer rounds and with skewed values', () => {
    const usual = detectableBeyond(known(), 0.005);
    expect(detectableBeyond(known(), 0.0005)).toBeGreaterThan(usual);
    expect(detectableBeyond(known({ degreesOfFreedom: 4 }), 0.005)).toBeGreaterThan(usual);
    expect(detectableBeyond(known({ skewness: -1 }), 0.005)).toBeGreaterThan(usual);
    expect(detectableBeyond(known({ standardError: 0.02 }), 0.005)).toBeCloseTo(2 * usual, 12);
  });

  it('is more the more variances scatter, and the less is known of what is allowed for', () => {
    const chance = { scatter: 1, independent: 1e9, sensitivity: 1.7, standardErrorShare: 1, degreesOfFreedom: 7 };
    const usual = detectableBeyond(known(), 0.005);
    expect(detectableBeyond(known({ chance }), 0.005)).toBeCloseTo(usual, 6);
    expect(detectableBeyond(known({ chance: { ...chance, scatter: 2 } }), 0.005)).toBeGreaterThan(1.05 * usual);
    expect(detectableBeyond(known({ chance: { ...chance, independent: 4 } }), 0.005)).toBeGreaterThan(1.02 * usual);
  });

  it('is less where a part of the standard error is allowed for whatever is seen', () => {
    const chance = { scatter: 1, independent: 1e9, sensitivity: 1.7, standardErrorShare: 1, degreesOfFreedom: 7 };
    const usual = detectableBeyond(known({ chance }), 0.005);
    expect(detectableBeyond(known({ chance: { ...chance, standardErrorShare: 0.5 } }), 0.005)).toBeLessThan(usual);
    expect(detectableBeyond(known({ chance: { ...chance, degreesOfFreedom: 20 } }), 0.005)).toBeLessThan(usual);
  });

  it('is 1.28 standard errors beyond the critical value where nothing else is chance', () => {
    const own = known({ degreesOfFreedom: 1e9 });
    expect(detectableBeyond(own, 0.005)).toBeCloseTo((2.5758 + 1.2816) * 0.01, 5);
  });

  it('is a figure even where next to nothing would be found', () => {
    expect(detectableBeyond(known({ degreesOfFreedom: 0.8 }), 0.005)).toBeCloseTo(8.0725, 3);
  });
});
