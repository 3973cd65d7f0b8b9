import { describe, expect, it } from 'vitest';
import {
  commonRounds as commonOf,
  independentSeries as independentOf,
} from '../../../src/core/statistics/independent-series.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from '../../support/made-up/samples.ts';

/** From round 1; null where it was not measured. */
const rounds = (values: readonly (number | null)[]) =>
  values.flatMap((value, index) => (value === null ? [] : [{ round: index + 1, value }]));
const commonRounds = (series: readonly (readonly (number | null)[])[]) => commonOf(series.map(rounds));
const independentSeries = (series: readonly (readonly (number | null)[])[]) => independentOf(series.map(rounds));

describe('how many independent series several are worth', () => {
  const [one, other] = [
    [1, 1, -1, -1],
    [1, -1, 1, -1],
  ];

  it('is all of them where they have nothing in common', () => {
    expect(independentSeries([one!, other!])).toBe(2);
  });

  it('is one where they are alike, however much each scatters', () => {
    expect(independentSeries([one!, one!.map((value) => 10 * value), one!])).toBeCloseTo(1, 12);
  });

  it('leaves out those without any scatter', () => {
    expect(independentSeries([one!, other!, [0, 0, 0, 0]])).toBe(2);
    expect(independentSeries([])).toBe(1);
  });

  it('counts a series that ended sooner by what the others have in common', () => {
    expect(independentSeries([one!, other!, [1, -1]])).toBe(3);
    expect(independentSeries([one!, one!, [1, -1]])).toBeCloseTo(1, 12);
  });

  it('is told by the rounds that half of them have, of which each has a mean of its own', () => {
    // Beyond the fourth round only one goes on.
    expect(independentSeries([[...one!, 7, 7, 7, -21], one!, one!])).toBeCloseTo(1, 12);
    expect(independentSeries([[...one!, 7, 7, 7, -21], other!])).toBe(2);
  });
});

describe('what several series have in common', () => {
  it('is their mean correlation', () => {
    const steps = [1, 1, -1, -1];
    const others = [1, -1, 1, -1];
    expect(commonRounds([steps, others])).toEqual({ correlation: 0, chance: 1 / Math.sqrt(3), pairs: 1 });
    expect(commonRounds([steps, steps, steps])?.correlation).toBeCloseTo(1, 12);
    expect(commonRounds([steps, steps.map((value) => -value)])?.correlation).toBeCloseTo(-1, 12);
    // One pair of three is alike.
    expect(commonRounds([steps, steps, others])?.correlation).toBeCloseTo(1 / 3, 12);
  });

  it('is of the rounds that both have, wherever one of them was not measured', () => {
    const steps = [3, 1, -2, 2, -1, -3];
    const others = [-1, 2, -2, 1, 3, -3];
    const without = (at: number, values: readonly number[]) =>
      values.map((each, index) => (index === at ? null : each));
    // By position all of what comes after the gap would stand against another round.
    expect(commonRounds([steps, without(1, steps)])!.correlation).toBeGreaterThan(0.98);
    expect(commonRounds([without(3, steps), without(1, steps)])!.correlation).toBeGreaterThan(0.9);
    const [whole, missing] = [commonRounds([steps, steps, others])!, commonRounds([steps, steps, without(0, others)])!];
    expect(missing.chance).toBeGreaterThan(whole.chance);
    expect(missing.pairs).toBe(whole.pairs);
  });

  it('is of what began late as well, and nothing where no two rounds are shared', () => {
    const late = (values: readonly number[]) => [null, null, ...values];
    expect(commonRounds([late([1, 1, -1, -1]), late([2, 2, -2, -2])])?.correlation).toBeCloseTo(1, 12);
    expect(commonRounds([[5, -5, 1, 1, -1, -1], late([1, 1, -1, -1])])!.correlation).toBeGreaterThan(0);
    expect(
      commonRounds([
        [1, null, -1, null, 0, 2],
        [null, 1, null, -1, null, 2],
      ]),
    ).toBeNull();
  });

  it('is nothing of a single series, and of what does not scatter', () => {
    expect(commonRounds([[1, -1]])).toBeNull();
    expect(commonRounds([])).toBeNull();
    expect(
      commonRounds([
        [0, 0],
        [0, 0],
      ]),
    ).toBeNull();
  });

  it('scatters by chance as it says, of independent series', () => {
    const random = seededRandom(20261124);
    const found = Array.from(
      { length: 2000 },
      () => commonRounds(Array.from({ length: 10 }, () => Array.from({ length: 8 }, () => normal(random))))!,
    );
    const deviation = Math.sqrt(found.reduce((sum, { correlation }) => sum + correlation ** 2, 0) / found.length);
    expect(deviation / found[0]!.chance).toBeGreaterThan(0.9);
    expect(deviation / found[0]!.chance).toBeLessThan(1.1);
  });
});
