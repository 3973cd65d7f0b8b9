import { describe, expect, it } from 'vitest';
import type { CaseSeries, Hypothesis } from '../../../src/core/comparison/hypothesis.ts';
import { roundsTogether } from '../../../src/core/comparison/rounds-together.ts';
import { sampleVariance } from '../../../src/core/statistics/moderated-variance.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from '../../support/made-up/samples.ts';

/** A case: its value in each round from 1, null where it was not measured. */
const series = (values: (number | null)[], weight = 1): CaseSeries => ({
  weight,
  values: values.flatMap((value, index) => (value === null ? [] : [{ round: index + 1, value }])),
});

const roundValues = (hypothesis: Pick<Hypothesis, 'groups'>, upToRound: number) =>
  roundsTogether(hypothesis, upToRound).rounds.map(({ value }) => value);

const close = (values: number[]) => values.map((value) => expect.closeTo(value, 12));

describe('what a round tells of an endpoint', () => {
  it('is the mean over its cases', () => {
    expect(roundValues({ groups: [[series([0.04, 0.06]), series([0.06, 0.04])]] }, 2)).toEqual(close([0.05, 0.05]));
  });

  it('is the mean by weight, where a case has less to say', () => {
    expect(roundValues({ groups: [[series([0.04, 0.08]), series([0.1, 0.1], 0.5)]] }, 2)).toEqual(
      close([(0.04 + 0.05) / 1.5, (0.08 + 0.05) / 1.5]),
    );
  });

  it('is the value of its case where there is one only, whatever its weight', () => {
    expect(roundValues({ groups: [[series([0.01, null, 0.03], 0.2)]] }, 3)).toEqual([0.01, 0.03]);
  });
});

describe('what a round tells of a service', () => {
  it('is the mean over endpoints, each with the same say however many cases it has', () => {
    const many = [series([0.1, 0.1]), series([0.1, 0.1]), series([0.1, 0.1])];
    expect(roundValues({ groups: [many, [series([0, 0.02])]] }, 2)).toEqual(close([0.05, 0.06]));
  });

  it('does not need the same cases of every endpoint', () => {
    const [ping, users] = [[series([0.2, 0.2], 0.2)], [series([0, 0]), series([0.1, 0.1], 0.25)]];
    expect(roundValues({ groups: [ping, users] }, 2)).toEqual(close([0.11, 0.11]));
  });
});

describe('a case that is missing from a round', () => {
  it('takes nothing with it by which it differs from the others in all rounds alike', () => {
    const [one, other, far] = [series([0, 0, 0, 0]), series([0, 0, 0, 0]), series([0.9, null, 0.9, 0.9])];
    expect(roundValues({ groups: [[one, other, far]] }, 4)).toEqual(close([0.3, 0.3, 0.3, 0.3]));
  });

  it('leaves out the round where the others have less than half of the weight', () => {
    const groups = (heavy: number) => [[series([0.1, 0.1, 0.1]), series([0.1, null, 0.1], heavy)]];
    expect(roundValues({ groups: groups(1) }, 3)).toHaveLength(3);
    expect(roundValues({ groups: groups(1.5) }, 3)).toHaveLength(2);
  });

  it('of all rounds is none of them', () => {
    expect(roundValues({ groups: [[series([0.1, 0.2]), series([null, null], 5)]] }, 2)).toEqual([0.1, 0.2]);
    expect(roundValues({ groups: [] }, 2)).toEqual([]);
    expect(roundValues({ groups: [[], [series([null])]] }, 2)).toEqual([]);
  });
});

describe('how well the mean of the rounds is known', () => {
  const steady = [1, -1, 1, -1, 1, -1, 1, -1];
  const from = (first: number, values: readonly number[]) => values.map((each, at) => (at + 1 < first ? null : each));

  it('is by all of them where each holds all cases, whatever these weigh', () => {
    const groups = [[series(steady), series(steady, 0.3)], [series(steady)]];
    expect(roundsTogether({ groups }, 8)).toMatchObject({ worth: 8, degreesOfFreedom: 7 });
    expect(roundsTogether({ groups }, 6)).toMatchObject({ worth: 6, degreesOfFreedom: 5 });
  });

  it('is by the rounds of a case where it is alone', () => {
    const groups = [[series(from(3, steady)), series([null])]];
    expect(roundsTogether({ groups }, 8)).toMatchObject({ worth: 6, degreesOfFreedom: 5 });
    expect(roundsTogether({ groups: [] }, 8)).toEqual({ rounds: [], worth: 0, degreesOfFreedom: -1 });
  });

  it('is by fewer where a case is missing from some, which then add nothing of it', () => {
    // Each is missing from another one: both means are of seven, and so is that of both.
    const groups = [[series([null, -1, 1, -1, 1, -1, 1, -1]), series([1, -1, 1, -1, 1, -1, 1, null])]];
    const { worth, degreesOfFreedom } = roundsTogether({ groups }, 8);
    expect(worth).toBeLessThan(8);
    expect(worth).toBeGreaterThan(6.5);
    expect(degreesOfFreedom).toBe(7);
  });

  it('is told by the one that scatters most, in the rounds that it has', () => {
    const long = [...steady, ...steady];
    const late = from(9, long).map((each) => (each === null ? null : 100 * each));
    const { worth, degreesOfFreedom } = roundsTogether({ groups: [[series(long), series(late)]] }, 16);
    // Half of the rounds hold nothing of it, so that all together scatter by half of what those do that do.
    expect(worth).toBeCloseTo((8 * 7) / 15, 1);
    expect(degreesOfFreedom).toBeCloseTo(7, 2);
  });

  it('is without a case that has too few rounds to be judged by itself, as long as others have enough', () => {
    const [five, six] = [4, 3].map((first) => series(from(first, [9, 8, 9, 8, 9, 8, 9, 8])));
    const alone = roundsTogether({ groups: [[series(steady)]] }, 8);
    expect(roundsTogether({ groups: [[series(steady), five!]] }, 8)).toEqual(alone);
    expect(roundsTogether({ groups: [[series(steady), six!]] }, 8).rounds[0]!.value).toBeGreaterThan(4);
    expect(roundsTogether({ groups: [[series(steady), five!]] }, 5).rounds[0]!.value).toBeGreaterThan(4);
  });

  it('is of a single round of a case as if it scattered as much as the others', () => {
    const [three, four] = [3, 4].map((first) =>
      roundsTogether({ groups: [[series(steady), series(from(first, steady))]] }, 4),
    );
    expect(three!.worth).toBeGreaterThan(four!.worth);
    expect(four!.worth).toBeGreaterThan(1);
  });

  it('is no better than its fewest rounds say where nothing scatters at all', () => {
    const groups = [[series([0, 0, 0, 0]), series([null, null, 0, 0])]];
    expect(roundsTogether({ groups }, 4)).toMatchObject({ worth: 2, degreesOfFreedom: 1 });
  });

  it.each([
    ['have nothing in common', 0],
    ['have half in common', 0.5],
    ['go up and down together', 1],
  ])('is known no better than it is, of cases that %s', (_, common) => {
    const random = seededRandom(20261127);
    // Of three cases one begins late, scatters more and weighs more; one ends early.
    const runs = Array.from({ length: 4000 }, () => {
      const shared = Array.from({ length: 12 }, () => normal(random));
      const own = (deviation: number, first: number, last: number) =>
        shared.map((each, at) => {
          const value = deviation * (Math.sqrt(common) * each + Math.sqrt(1 - common) * normal(random));
          return at + 1 < first || at + 1 > last ? null : value;
        });
      const group = [series(own(1, 1, 12)), series(own(3, 7, 12), 1.5), series(own(1, 1, 8))];
      const { rounds, worth } = roundsTogether({ groups: [group] }, 12);
      const values = rounds.map(({ value }) => value);
      const mean = values.reduce((sum, each) => sum + each, 0) / values.length;
      return {
        square: mean ** 2,
        told: sampleVariance(values)!.value / worth,
        plain: sampleVariance(values)!.value / 12,
      };
    });
    const usual = (of: (run: (typeof runs)[number]) => number) => runs.reduce((sum, run) => sum + of(run), 0);
    const [told, plain] = [usual(({ told }) => told), usual(({ plain }) => plain)].map(
      (sum) => sum / usual(({ square }) => square),
    );
    expect(told).toBeGreaterThan(0.95);
    expect(told).toBeLessThan(1.6);
    expect(plain).toBeLessThan(0.75);
  });
});

describe('an earlier look', () => {
  it('is unchanged by what came after it', () => {
    const random = seededRandom(5);
    const values = () => Array.from({ length: 20 }, () => (random.next() < 0.2 ? null : random.next() / 10));
    const groups = [
      [series(values()), series(values(), 0.3)],
      [series(values()), series(values()), series(values())],
    ];
    const until = (last: number) =>
      groups.map((group) => group.map((own) => ({ ...own, values: own.values.filter(({ round }) => round <= last) })));
    for (const rounds of [8, 12, 16]) {
      expect(roundValues({ groups }, rounds)).toEqual(roundValues({ groups: until(rounds) }, 20));
    }
  });

  it('leaves out what is no number', () => {
    expect(roundValues({ groups: [[series([0.1, Number.NaN, Number.NEGATIVE_INFINITY, 0.2])]] }, 4)).toEqual([
      0.1, 0.2,
    ]);
  });
});
