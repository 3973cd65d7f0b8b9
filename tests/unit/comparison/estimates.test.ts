import { describe, expect, it } from 'vitest';
import { estimatesOf } from '../../../src/core/comparison/estimates.ts';
import type { Hypothesis, Level } from '../../../src/core/comparison/hypothesis.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from '../../support/made-up/samples.ts';

function hypothesis(id: string, values: readonly number[], level: Level = 'endpoint'): Hypothesis {
  const own = { weight: 1, values: values.map((value, index) => ({ round: index + 1, value })) };
  return { id, level, metric: 'cpu-per-request', groups: [[own]], threshold: 0.03, share: 1, after: null };
}

/** Symmetric about 0 in any two of them, and each unlike the one before it: neither skewed nor hanging together. */
const STEADY = [0.01, -0.01, 0.02, -0.02, 0.01, -0.01, 0.02, -0.02];

const scattered = (seed: number, count: number, rho = 0) => {
  const random = seededRandom(seed);
  let value = normal(random);
  return Array.from({ length: count }, () => {
    const now = value;
    value = rho * value + Math.sqrt(1 - rho ** 2) * normal(random);
    return 0.01 * now;
  });
};

describe('what is known of a hypothesis', () => {
  it('is the mean of its rounds, and Student with their own scatter', () => {
    const values = STEADY.map((each) => each + 0.05);
    const [found] = estimatesOf([hypothesis('a', values)], 8);
    expect(found).toMatchObject({
      count: 8,
      mean: expect.closeTo(0.05, 12),
      standardError: expect.closeTo(Math.sqrt((4 * 0.01 ** 2 + 4 * 0.02 ** 2) / 7 / 8), 9),
      degreesOfFreedom: expect.closeTo(7, 9),
      skewness: expect.closeTo(0, 9),
    });
  });

  it('is raised towards the scatter of other endpoints and better known by it, never lowered', () => {
    const noisy = [scattered(1, 10), scattered(2, 10), scattered(3, 10)].map((own) => own.map((each) => 10 * each));
    const quiet = scattered(4, 10);
    const among = estimatesOf(
      [quiet, ...noisy].map((own, index) => hypothesis(`${index}`, own)),
      10,
    );
    const [alone] = estimatesOf([hypothesis('0', quiet)], 10);
    const [noisyAlone] = estimatesOf([hypothesis('1', noisy[0]!)], 10);
    const raised = (one: (typeof among)[number], other: (typeof among)[number] | undefined) =>
      one.standardError / other!.standardError;
    expect(raised(among[0]!, alone)).toBeGreaterThan(3);
    expect(raised(among[1]!, noisyAlone)).toBeGreaterThan(0.95);
    expect(among[0]!.degreesOfFreedom).toBeGreaterThan(alone!.degreesOfFreedom + 3);
  });

  it('is no better known beside endpoints that go up and down with it, nor for a service of one endpoint', () => {
    const values = scattered(5, 10);
    const degrees = (own: readonly number[][], level: Level) =>
      estimatesOf(
        own.map((each, index) => hypothesis(`${index}`, each, level)),
        10,
      )[0]!.degreesOfFreedom;
    const alike = [1, 2, 3].map((factor) => values.map((each) => factor * each));
    expect(degrees(alike, 'endpoint')).toBeLessThanOrEqual(degrees([values], 'endpoint'));
    const others = [values, scattered(6, 10), scattered(7, 10)];
    expect(degrees(others, 'case')).toBeGreaterThan(degrees(others, 'service') + 2);
  });

  describe('of a service of four endpoints', () => {
    const endpointsOf = (own: readonly number[][]): Hypothesis => ({
      ...hypothesis('service', [], 'service'),
      groups: own.map((values) => hypothesis('', values).groups[0]!),
    });
    const cases = [1, 2, 3, 4].map((seed) => scattered(seed, 10));
    const common = scattered(5, 10).map((each) => 4 * each);
    const estimateOf = (own: readonly number[][]) => estimatesOf([endpointsOf(own)], 10)[0]!;
    const meanOf = (own: readonly number[][]) =>
      own[0]!.map((_, at) => own.reduce((sum, values) => sum + values[at]! / own.length, 0));

    it('is better known by its endpoints, where these have nothing in common', () => {
      const [alone] = estimatesOf([hypothesis('service', meanOf(cases), 'service')], 10);
      const found = estimateOf(cases);
      expect(found.degreesOfFreedom).toBeGreaterThan(alone!.degreesOfFreedom + 0.5);
      expect(found.standardError).toBeGreaterThanOrEqual(alone!.standardError * 0.999);
    });

    it('is not, where all go up and down together', () => {
      const shaken = cases.map((values) => values.map((each, at) => each / 4 + common[at]!));
      const [alone] = estimatesOf([hypothesis('service', meanOf(shaken), 'service')], 10);
      expect(estimateOf(shaken).degreesOfFreedom).toBeLessThan(alone!.degreesOfFreedom + 0.2);
    });
  });

  it('is never surer than a machine can be', () => {
    const [same] = estimatesOf([hypothesis('a', [0, 0, 0, 0, 0, 0, 0, 0])], 8);
    expect(same!.standardError).toBeCloseTo(5e-4 / Math.sqrt(8), 12);
  });

  it('rests on the rounds up to the look alone', () => {
    const values = scattered(3, 20, 0.4);
    const [early] = estimatesOf([hypothesis('a', values)], 8);
    const [only] = estimatesOf([hypothesis('a', values.slice(0, 8))], 20);
    expect({ ...early, hypothesis: null }).toEqual({ ...only, hypothesis: null });
  });

  it('is nothing without a round, and no scatter with one', () => {
    const [none, single] = estimatesOf([hypothesis('none', []), hypothesis('single', [0.1])], 8);
    expect(none).toMatchObject({ count: 0, mean: Number.NaN, standardError: Number.NaN });
    expect(single).toMatchObject({ count: 1, mean: 0.1, standardError: Number.NaN, degreesOfFreedom: 0 });
  });
});

describe('rounds that hang together', () => {
  const independent = Array.from({ length: 12 }, (_, index) => hypothesis(`${index}`, scattered(index + 1, 16)));
  const drifting = Array.from({ length: 12 }, (_, index) => hypothesis(`${index}`, scattered(index + 1, 16, 0.7)));
  /** By how much the standard error is greater than s / sqrt(n). */
  const inflation = (hypotheses: Hypothesis[]) => {
    const [{ standardError, mean }, values] = [
      estimatesOf(hypotheses, 16)[0]!,
      hypotheses[0]!.groups[0]![0]!.values.map(({ value }) => value),
    ];
    const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 15;
    return standardError / Math.sqrt(variance / 16);
  };

  it('make the standard error larger and its degrees of freedom fewer', () => {
    expect(inflation(drifting)).toBeGreaterThan(1.7);
    expect(estimatesOf(drifting, 16)[0]!.degreesOfFreedom).toBeLessThan(13);
  });

  it('cost next to nothing where they do not', () => {
    expect(inflation(independent)).toBeLessThan(1.1);
    expect(estimatesOf(independent, 16)[0]!.degreesOfFreedom).toBeGreaterThan(14);
  });

  it('are taken for such where all cases go up and down together, which few rounds do not show', () => {
    const common = scattered(9, 16);
    const shaken = Array.from({ length: 8 }, (_, index) =>
      hypothesis(
        `${index}`,
        scattered(index + 20, 16).map((each, at) => each / 2 + common[at]!),
        'case',
      ),
    );
    expect(inflation(shaken)).toBeGreaterThan(1.5);
    // One process keeps the memory of all of its cases.
    const memory = shaken.map((each) => ({ ...each, metric: 'memory-peak' }));
    expect(inflation(memory)).toBeLessThan(1.2);
  });

  it('are found in the cases even where the hypothesis is of an endpoint that shows it less', () => {
    const random = seededRandom(4);
    const noise = Array.from({ length: 16 }, () => 0.05 * normal(random));
    const groups = drifting.flatMap(({ groups: [own] }) => own!);
    const endpoint: Hypothesis = {
      ...hypothesis('endpoint', []),
      groups: [
        groups.map((own) => ({
          ...own,
          values: own.values.map((each, at) => ({ ...each, value: each.value + noise[at]! / 12 })),
        })),
      ],
    };
    expect(estimatesOf([endpoint], 16)[0]!.degreesOfFreedom).toBeLessThan(14);
  });
});

describe('values that are skewed', () => {
  it('are so for all hypotheses of their level, and for no other', () => {
    const skewed = Array.from({ length: 6 }, (_, index) => {
      const random = seededRandom(index + 50);
      return hypothesis(
        `${index}`,
        Array.from({ length: 16 }, () => 0.01 * Math.log(1 - random.next())),
        'case',
      );
    });
    const [endpoint, ...cases] = estimatesOf([hypothesis('endpoint', STEADY), ...skewed], 16);
    expect(new Set(cases.map(({ skewness }) => skewness)).size).toBe(1);
    expect(cases[0]!.skewness).toBeLessThan(-1);
    expect(endpoint!.skewness).toBeCloseTo(0, 9);
  });
});
