import { describe, expect, it } from 'vitest';
import type { Hypothesis, Level } from '../../../src/core/comparison/hypothesis.ts';
import { type Seen, variancesOf } from '../../../src/core/comparison/variances.ts';

/** Two patterns over eight rounds that have nothing in common, each with a variance of 8/7 times the square of its size. */
const [ONE, OTHER] = [
  [1, 1, 1, 1, -1, -1, -1, -1],
  [1, -1, 1, -1, 1, -1, 1, -1],
];
const sized = (pattern: readonly number[], size: number) => pattern.map((each) => size * each);

const rounds = (own: readonly number[]) => own.map((value, index) => ({ round: index + 1, value }));

function seen(id: string, level: Level, groups: readonly (readonly number[])[], values = groups[0]!): Seen {
  const hypothesis: Hypothesis = {
    ...{ id, level, metric: 'cpu-per-request', threshold: 0.03, share: 1, after: null },
    groups: groups.map((own) => [{ weight: 1, values: rounds(own) }]),
  };
  return { hypothesis, groups: hypothesis.groups, values, residuals: rounds(values), ofCases: groups.map(rounds) };
}

const meanOf = (groups: readonly (readonly number[])[]) =>
  groups[0]!.map((_, at) => groups.reduce((sum, own) => sum + own[at]! / groups.length, 0));
const found = (all: readonly Seen[]) => [...variancesOf(all, 8).values()];

describe('the variance of the rounds of a hypothesis', () => {
  it('is its own where there is nothing beside it', () => {
    const [own] = found([seen('a', 'endpoint', [sized(ONE!, 0.01)])]);
    expect(own).toEqual({ value: expect.closeTo((8 / 7) * 0.01 ** 2, 12), degreesOfFreedom: 7 });
  });

  it('is never less than a machine repeats by', () => {
    expect(found([seen('a', 'endpoint', [sized(ONE!, 0)])])[0]!.value).toBe(5e-4 ** 2);
  });

  it('is none with fewer than two rounds', () => {
    expect(found([seen('a', 'endpoint', [[0.01]])])).toEqual([]);
  });

  it('is raised towards that of another endpoint, and never lowered', () => {
    const [quiet, noisy] = found([
      seen('a', 'endpoint', [sized(ONE!, 0.01)]),
      seen('b', 'endpoint', [sized(OTHER!, 0.03)]),
    ]);
    expect(quiet!.value).toBeGreaterThan((8 / 7) * 0.01 ** 2);
    expect(noisy!.value).toBeCloseTo((8 / 7) * 0.03 ** 2, 12);
    expect(quiet!.degreesOfFreedom).toBeGreaterThan(7);
  });

  it('has nothing to do with another metric or level', () => {
    const other = seen('b', 'case', [sized(OTHER!, 0.03)]);
    const [own] = found([seen('a', 'endpoint', [sized(ONE!, 0.01)]), other]);
    expect(own).toEqual({ value: expect.closeTo((8 / 7) * 0.01 ** 2, 12), degreesOfFreedom: 7 });
  });
});

describe('that of a service', () => {
  it('is better known by its endpoints, the less these have in common', () => {
    const degrees = (groups: readonly (readonly number[])[]) =>
      found([seen('service', 'service', groups, meanOf(groups))])[0]!.degreesOfFreedom;
    const apart = [sized(ONE!, 0.01), sized(OTHER!, 0.01), sized(ONE!, -0.01), sized(OTHER!, -0.01)];
    const alike = [sized(ONE!, 0.01), sized(ONE!, 0.02), sized(ONE!, 0.01), sized(ONE!, 0.02)];
    expect(degrees(apart)).toBeGreaterThan(7.5);
    expect(degrees(apart)).toBeLessThan(11);
    expect(degrees(alike)).toBeCloseTo(7, 9);
  });

  it('is raised to what a mean over its endpoints scatters by, where its own rounds happen to agree', () => {
    const groups = [sized(ONE!, 0.01), sized(OTHER!, 0.01), sized(ONE!, -0.01), sized(OTHER!, -0.01)];
    const [own] = found([seen('service', 'service', groups, meanOf(groups))]);
    // The mean of these is 0 in every round.
    expect(own!.value).toBeGreaterThan(5e-4 ** 2);
    expect(own!.value).toBeLessThan(((8 / 7) * 0.01 ** 2) / 4);
  });

  it('is its own where it has a single endpoint', () => {
    const [own] = found([seen('service', 'service', [sized(ONE!, 0.01)])]);
    expect(own).toEqual({ value: expect.closeTo((8 / 7) * 0.01 ** 2, 12), degreesOfFreedom: 7 });
  });
});
