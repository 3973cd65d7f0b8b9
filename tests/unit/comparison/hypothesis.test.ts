import { describe, expect, it } from 'vitest';
import { type CaseSeries, roundValues } from '../../../src/core/comparison/hypothesis.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';

/** A case: its value in each round from 1, null where it was not measured. */
const series = (values: (number | null)[], weight = 1): CaseSeries => ({
  weight,
  values: values.flatMap((value, index) => (value === null ? [] : [{ round: index + 1, value }])),
});

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
