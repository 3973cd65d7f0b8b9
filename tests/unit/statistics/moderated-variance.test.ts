import { describe, expect, it } from 'vitest';
import { digamma } from '../../../src/core/statistics/digamma.ts';
import {
  mean,
  moderatedVariance,
  sampleVariance,
  usualVariance,
} from '../../../src/core/statistics/moderated-variance.ts';
import { studentQuantile, studentUpperTail } from '../../../src/core/statistics/student.ts';

describe('digamma', () => {
  // SciPy 1.17.1: golden.py beside this file prints them.
  it.each([
    [0.5, -1.9635100260214235],
    [1, -0.5772156649015329],
    [1.5, 0.03648997397857652],
    [2, 0.42278433509846713],
    [4.5, 1.388870926359529],
    [40, 3.6763273740348428],
  ])('of %d is what SciPy has', (x, expected) => {
    expect(digamma(x)).toBeCloseTo(expected, 11);
  });
});

describe('a variance moderated by its neighbours', () => {
  const samples = [
    [0.021, 0.034, 0.027, 0.019, 0.032],
    [0.004, -0.007, 0.009, -0.011, 0.002],
    [-0.003, 0.012, -0.008, 0.001, 0.006],
  ];
  const [own, ...neighbours] = samples.map((values) => sampleVariance(values)!);

  it('gives the t and the interval that NumPy and SciPy give by the same formula', () => {
    expect(usualVariance(neighbours)!.value).toBeCloseTo(8.348016140409374e-5, 15);
    const { value, degreesOfFreedom } = moderatedVariance(own!, neighbours);
    expect([value, degreesOfFreedom]).toEqual([expect.closeTo(6.339008070204688e-5, 15), 8]);
    const error = Math.sqrt(value / 5);
    expect(studentUpperTail(mean(samples[0]!) / error, 8) / 3.5617758122675614e-5).toBeCloseTo(1, 9);
    expect(mean(samples[0]!) - studentQuantile(0.995, 8) * error).toBeCloseTo(0.01465274012138293, 12);
  });

  it('is its own where there are no neighbours', () => {
    expect(moderatedVariance({ value: 3, degreesOfFreedom: 4 }, [])).toEqual({ value: 3, degreesOfFreedom: 4 });
  });

  it('is raised by noisier neighbours, and not lowered by quieter ones', () => {
    const noisy = { value: 100, degreesOfFreedom: 400 };
    const quiet = { value: 1, degreesOfFreedom: 400 };
    const degrees = { degreesOfFreedom: 404 };
    // exp(ln(200) - digamma(200)) = 1.0025: what so many degrees of freedom still need of correction.
    const raised = expect.closeTo((4 * 100.25 + 400) / 404, 4);
    expect(moderatedVariance(quiet, [noisy])).toEqual({ value: raised, ...degrees });
    expect(moderatedVariance(noisy, [quiet])).toEqual({ value: 100, ...degrees });
  });

  it.each([
    { own: 2, neighbours: [2, 2, 2], worth: 1, counted: 4, because: 'never for more than the data themselves' },
    { own: 9, neighbours: [2], worth: 1, counted: 11, because: 'never for more than they have together' },
    { own: 9, neighbours: [9, 9, 9], worth: 1, counted: 13, because: 'for 4 at most' },
    { own: 9, neighbours: [9, 9, 9], worth: 0.1, counted: 11.7, because: 'for as much as they are worth' },
    { own: 9, neighbours: [9, 9, 9], worth: 0, counted: 9, because: 'for nothing where they are worth nothing' },
  ])('with $own degrees of freedom beside $neighbours has $counted: neighbours count $because', (given) => {
    const known = (degreesOfFreedom: number) => ({ value: 1, degreesOfFreedom });
    const { degreesOfFreedom } = moderatedVariance(known(given.own), given.neighbours.map(known), given.worth);
    expect(degreesOfFreedom).toBeCloseTo(given.counted, 9);
  });

  it('does not exist for a single value', () => {
    expect(sampleVariance([1])).toBeNull();
    expect(usualVariance([])).toBeNull();
  });
});
