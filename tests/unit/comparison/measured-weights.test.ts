import { describe, expect, it } from 'vitest';
import type { CaseSeries, Hypothesis } from '../../../src/core/comparison/hypothesis.ts';
import { measuredWeights } from '../../../src/core/comparison/measured-weights.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { normal } from '../../support/made-up/samples.ts';

const SEED = 20261130;
const random = seededRandom(SEED);
const ENDPOINTS = ['a', 'b', 'c', 'd', 'e', 'f'];
/** What a closed loop and a fixed rate count for beforehand. */
const BEFOREHAND = { wrk: 1, k6: 4 };

type Load = keyof typeof BEFOREHAND;

function series(endpoint: string, load: Load, deviation: number, rounds = 8): CaseSeries {
  const values = Array.from({ length: rounds }, (_, index) => ({
    round: index + 1,
    value: deviation * normal(random),
  }));
  return { values, weight: BEFOREHAND[load], like: { endpoint, load } };
}

function hypothesis(id: string, groups: CaseSeries[][], more: Partial<Hypothesis> = {}): Hypothesis {
  const rest = { level: 'endpoint', metric: 'cpu-per-request', threshold: 0.03, share: 1, after: null } as const;
  return { id, groups, ...rest, ...more };
}

/** An endpoint each with a case of wrk and one of k6 that scatter so. */
const endpoints = (wrk: number, k6: number, names = ENDPOINTS) =>
  names.map((name) => hypothesis(name, [[series(name, 'wrk', wrk), series(name, 'k6', k6)]]));

/** How many times as much as the case of wrk that of k6 counts in the first endpoint. */
function ratioIn(all: readonly Hypothesis[], upToRound = 8): number {
  const [[[wrk, k6]]] = measuredWeights(all, upToRound) as [[[CaseSeries, CaseSeries]]];
  return k6.weight / wrk.weight;
}

describe(`what a case counts for in its endpoint (seed ${SEED})`, () => {
  it('stays what it was beforehand where loads scatter as was expected', () => {
    expect(ratioIn(endpoints(0.04, 0.02))).toBeGreaterThan(4 / 1.6);
    expect(ratioIn(endpoints(0.04, 0.02))).toBeLessThan(4 * 1.6);
  });

  it('is about the reciprocal of its variance where the other endpoints agree on something else', () => {
    // Variances as 1 to 36, of which five endpoints with eight rounds each tell.
    const ratio = ratioIn(endpoints(0.01, 0.06));
    expect(ratio).toBeGreaterThan(1 / 100);
    expect(ratio).toBeLessThan(1 / 12);
  });

  it('is told by other endpoints alone: what its own rounds scatter by changes nothing', () => {
    const others = endpoints(0.01, 0.06).slice(1);
    const [quiet, wild] = [0.001, 1].map((k6) =>
      ratioIn([hypothesis('a', [[series('a', 'wrk', 0.01), series('a', 'k6', k6)]]), ...others]),
    );
    expect(quiet).toBe(wild);
  });

  it('is the same in the service', () => {
    const each = endpoints(0.01, 0.06);
    const service = hypothesis(
      'service',
      each.map(({ groups }) => [...groups[0]!]),
      { level: 'service' },
    );
    const weights = measuredWeights([service, ...each], 8);
    expect(weights[0]).toEqual(weights.slice(1).map(([group]) => group));
  });

  it('is that of beforehand with two endpoints, of which the other one may be an exception', () => {
    expect(ratioIn(endpoints(0.01, 0.06, ['a', 'b']))).toBe(4);
    expect(ratioIn(endpoints(0.01, 0.06, ['a', 'b', 'c']))).not.toBe(4);
  });

  it('is that of beforehand before four rounds, and knows nothing of later ones', () => {
    const all = endpoints(0.01, 0.06);
    expect(ratioIn(all, 3)).toBe(4);
    expect(ratioIn(all, 4)).not.toBe(ratioIn(all, 8));
  });

  it('is told by the same metric alone', () => {
    const [first, ...others] = endpoints(0.01, 0.06);
    expect(ratioIn([first!, ...others.map((own) => ({ ...own, metric: 'throughput' }))])).toBe(4);
  });

  it('is told by the same load alone', () => {
    const [first, ...others] = endpoints(0.01, 0.06);
    const moved = others.map(({ groups, ...own }) => ({
      ...own,
      groups: groups.map((group) => group.map((each) => ({ ...each, like: { ...each.like!, load: 'other' } }))),
    }));
    expect(ratioIn([first!, ...moved])).toBe(4);
  });

  it('is that of beforehand where its limit is a mean of unlike limits by it', () => {
    const [first, ...others] = endpoints(0.01, 0.06);
    expect(ratioIn([{ ...first!, keepsWeights: true }, ...others])).toBe(4);
  });
});
