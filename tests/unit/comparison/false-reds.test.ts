import { expect, it } from 'vitest';
import { decisionsOn, FAMILY_ERROR_RATE } from '../../../src/core/comparison/decision.ts';
import { type Candidate, familyOf } from '../../../src/core/comparison/family.ts';
import type { CaseSeries } from '../../../src/core/comparison/hypothesis.ts';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from '../../support/made-up/samples.ts';

const MATRICES = 300;
const ROUNDS = 8;

/** CPU per request of 4 endpoints with 4 cases each, of which nothing changed, held to a limit of 0. */
function matrix(random: Random): Candidate[] {
  const deviation = () => 0.01 * (0.5 + random.next());
  const series = (): CaseSeries => {
    const own = deviation();
    return {
      weight: 1,
      values: Array.from({ length: ROUNDS }, (_, index) => ({ round: index + 1, value: own * normal(random) })),
    };
  };
  const endpoints = Array.from({ length: 4 }, () => Array.from({ length: 4 }, series));
  const candidate = (id: string, level: Candidate['level'], groups: CaseSeries[][]): Candidate => ({
    id,
    level,
    metric: 'cpu-per-request',
    groups,
    threshold: 0,
    sameData: null,
  });
  return [
    candidate('go/*', 'service', endpoints),
    ...endpoints.map((cases, index) => candidate(`go/${index}/*`, 'endpoint', [cases])),
    ...endpoints.flat().map((own, index) => candidate(`${index}`, 'case', [[own]])),
  ];
}

/** How many of `trials` are exceeded by chance in one of a thousand, each with this probability. */
function mostByChance(trials: number, probability: number): number {
  let term = (1 - probability) ** trials;
  let below = term;
  let count = 0;
  while (below < 0.999) {
    term *= ((trials - count) / (count + 1)) * (probability / (1 - probability));
    count += 1;
    below += term;
  }
  return count;
}

/** CPU per request of one endpoint with one case, of which nothing changed, held to a limit of 0. */
function singleCase(random: Random): Candidate[] {
  const series = {
    weight: 1,
    values: Array.from({ length: ROUNDS }, (_, index) => ({ round: index + 1, value: 0.01 * normal(random) })),
  };
  const groups = [[series]];
  return [{ id: 'one', level: 'endpoint', metric: 'cpu-per-request', groups, threshold: 0, sameData: null }];
}

/** CPU per request of an endpoint of three cases, of which one scatters more, weighs more and begins in the seventh of twelve rounds. */
function lateCase(random: Random): Candidate[] {
  const series = (deviation: number, weight: number, first: number): CaseSeries => ({
    weight,
    values: Array.from({ length: 13 - first }, (_, at) => ({ round: first + at, value: deviation * normal(random) })),
  });
  const groups = [[series(0.01, 1, 1), series(0.03, 1.4, 7), series(0.01, 1, 1)]];
  return [{ id: 'one', level: 'endpoint', metric: 'cpu-per-request', groups, threshold: 0, sameData: null }];
}

/** At a tenth, where 300 matrices can show that there are too many. */
it.each([FAMILY_ERROR_RATE, 0.1])('an error rate of %d over a matrix of 16 equal cases holds', (errorRate) => {
  const random = seededRandom(20261122);
  let red = 0;
  for (let run = 0; run < MATRICES; run++) {
    const decisions = decisionsOn(familyOf(matrix(random)), { rounds: ROUNDS, final: true }, errorRate);
    if (decisions.some(({ verdict }) => verdict === 'regression')) red += 1;
  }
  expect(red).toBeLessThanOrEqual(mostByChance(MATRICES, errorRate));
});

it.each([FAMILY_ERROR_RATE, 0.1])(
  'an error rate of %d holds where a case is missing from half of the rounds',
  (errorRate) => {
    const random = seededRandom(20261128);
    const decided = Array.from({ length: 1000 }, () =>
      decisionsOn(familyOf(lateCase(random)), { rounds: 12, final: true }, errorRate),
    );
    const red = decided.filter(([one]) => one!.verdict === 'regression').length;
    expect(red).toBeLessThanOrEqual(mostByChance(1000, errorRate));
  },
);

it.each([FAMILY_ERROR_RATE, 0.1])('an error rate of %d over specs of one case holds', (errorRate) => {
  const random = seededRandom(20261127);
  const decided = Array.from({ length: 1000 }, () =>
    decisionsOn(familyOf(singleCase(random)), { rounds: ROUNDS, final: true }, errorRate),
  );
  const red = decided.filter(([one]) => one!.verdict === 'regression').length;
  expect(red).toBeLessThanOrEqual(mostByChance(1000, errorRate));
});

/** Of a demo, in which the change was +55 %: by chance each round has much of the one before. */
const FALLING = [0.461, 0.515, 0.512, 0.474, 0.397, 0.421, 0.393, 0.369];

it('rounds of one case that fall by chance do not make an interval that tells nothing', () => {
  const values = FALLING.map((value, index) => ({ round: index + 1, value }));
  const groups = [[{ weight: 1, values }]];
  const one: Candidate = {
    id: 'one',
    level: 'endpoint',
    metric: 'cpu-per-request',
    groups,
    threshold: 0.03,
    sameData: null,
  };
  const [decision] = decisionsOn(familyOf([one]), { rounds: ROUNDS, final: false }, FAMILY_ERROR_RATE);
  const [low, high] = decision!.adjusted!.map(Math.expm1) as [number, number];
  expect([decision!.verdict, low.toFixed(2), high.toFixed(2)]).toEqual(['regression', '0.30', '0.76']);
});
