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
