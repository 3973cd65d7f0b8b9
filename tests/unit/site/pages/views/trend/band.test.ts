import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { median } from '../../../../../../src/core/statistics/quantile.ts';
import { addedUp } from '../../../../../../src/site/pages/views/trend/added-up.ts';
import { bandOf } from '../../../../../../src/site/pages/views/trend/band.ts';

const none = Number.NaN;
const onOne = (count: number) => Array.from({ length: count }, () => 'a');

describe('the band of a trend', () => {
  it('begins with the sixth run, and rests on those before it', () => {
    const { middle, low, high } = bandOf([1, 2, 3, 4, 5, 100, 100], onOne(7));
    expect(middle).toEqual([none, none, none, none, none, 3, 3.5]);
    // Deviations 2, 1, 0, 1, 2: their median is 1.
    expect(low[5]).toBeCloseTo(3 - 2 * 1.4826, 10);
    expect(high[5]).toBeCloseTo(3 + 2 * 1.4826, 10);
  });

  it('forgets what is more than 20 runs ago, and steps over runs without a figure', () => {
    const values = [...Array(20).fill(10), none, ...Array(20).fill(20), 20];
    const { middle } = bandOf(values, onOne(values.length));
    expect(middle[20]).toBe(10);
    expect(middle[21]).toBe(10);
    expect(middle[41]).toBe(20);
  });

  it('is of runs on the same CPU model alone', () => {
    const values = [1, 9, 1, 9, 1, 9, 1, 9, 1, 9, 1, 9];
    const cpus = values.map((value) => (value === 1 ? 'slow' : 'fast'));
    const { middle, low, high } = bandOf(values, cpus);
    expect([middle[10], low[10], high[10]]).toEqual([1, 1, 1]);
    expect([middle[11], low[11], high[11]]).toEqual([9, 9, 9]);
  });

  it('is what sorting the runs before each one comes to', () => {
    const figure = fc.oneof(
      fc.integer({ min: 0, max: 9 }),
      fc.double({ min: -1e9, max: 1e9, noNaN: true }).map((value) => value + 0),
      fc.constant(none),
    );
    const runs = fc.array(fc.record({ value: figure, cpu: fc.constantFrom('a', 'b') }), { maxLength: 80 });
    fc.assert(
      fc.property(runs, (all) => {
        const { middle, low } = bandOf(
          all.map(({ value }) => value),
          all.map(({ cpu }) => cpu),
        );
        for (const [place, { cpu }] of all.entries()) {
          const before = all
            .slice(0, place)
            .flatMap((run) => (run.cpu === cpu && !Number.isNaN(run.value) ? [run.value] : []));
          const window = before.slice(-20);
          const expected = window.length < 5 ? none : median(window);
          const deviation = 1.4826 * median(window.map((each) => Math.abs(each - expected)));
          expect(middle[place]).toBe(expected);
          expect(low[place]).toBe(expected - 2 * deviation);
        }
      }),
    );
  });
});

describe('changes added up', () => {
  it('are multiplied, and go on after a run that was not compared', () => {
    const [first, second, third, fourth] = addedUp([0.1, none, -0.1, 0]);
    expect(first).toBeCloseTo(0.1, 10);
    expect(second).toBeNaN();
    expect(third).toBeCloseTo(-0.01, 10);
    expect(fourth).toBeCloseTo(-0.01, 10);
  });
});
