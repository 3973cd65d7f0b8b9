import { describe, expect, it } from 'vitest';
import { type CountDecision, countDecision } from '../../../src/core/comparison/counts.ts';
import { FAMILY_ERROR_RATE } from '../../../src/core/comparison/decision.ts';
import type { MetricLimit } from '../../../src/core/config/resolved.ts';
import type { MetricRecord } from '../../../src/core/record/run-record.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';

const REQUESTS = 200;
const SEED = 20261129;
const RUNS = 400;
/** Of an endpoint among four, as a service shares its error rate out. */
const RATE = (FAMILY_ERROR_RATE * 0.2) / 4;
const none: MetricLimit = { maxIncrease: { kind: 'absolute', value: 0 } };

type Pass = (random: Random, round: number) => number;

/** Calls of a pass beyond the two that each request sends. */
function passes(calls: readonly number[], perRequest = 2): MetricRecord {
  const samples = calls.map((extra, round) => ({
    ...{ round, trial: 0, pair: null, mode: 'solo' as const, startedNs: round, durationNs: 1 },
    ...{ value: perRequest + extra / REQUESTS, requests: REQUESTS },
  }));
  return { value: median(samples.map(({ value }) => value)), unit: '1/request', samples };
}

/** Of each request by itself. */
const ofRequests =
  (chance: number, statements = 1): Pass =>
  (random) => {
    if (chance > 0.5) return statements * (REQUESTS - ofRequests(1 - chance)(random, 0));
    let met = 0;
    // From one that sends more to the next one.
    for (let at = gap(random, chance); at < REQUESTS; at += 1 + gap(random, chance)) met += 1;
    return statements * met;
  };

function gap(random: Random, chance: number): number {
  return chance === 0 ? REQUESTS : Math.floor(Math.log(1 - random.next()) / Math.log1p(-chance));
}

function decided(was: Pass, is: Pass, random: Random, rounds = 16, rate = RATE): CountDecision {
  const side = (pass: Pass) => passes(Array.from({ length: rounds }, (_, round) => pass(random, round)));
  return countDecision({}, side(was), side(is), none, rate);
}

/** Of many runs, how often any of `endpoints` has each verdict. */
function verdicts(was: Pass, is: Pass, endpoints: number, runs = RUNS): Record<string, number> {
  const random = seededRandom(SEED);
  const found: Record<string, number> = { regression: 0, inconclusive: 0 };
  for (let run = 0; run < runs; run++) {
    const all = new Set(Array.from({ length: endpoints }, () => decided(was, is, random).verdict!));
    for (const verdict of all) found[verdict] = (found[verdict] ?? 0) + 1;
  }
  return found;
}

describe(`equal servers, of which some requests send more (seed ${SEED})`, () => {
  it.each([
    ['1 request in 100, one endpoint', ofRequests(1 / 100), 1],
    ['1 request in 100, four endpoints', ofRequests(1 / 100), 4],
    ['1 request in 1000, one endpoint', ofRequests(1 / 1000), 1],
    ['1 request in 1000, four endpoints', ofRequests(1 / 1000), 4],
    ['every second request', ofRequests(1 / 2), 4],
    ['99 requests in 100', ofRequests(99 / 100), 4],
    ['50 statements for 1 request in 100', ofRequests(1 / 100, 50), 4],
    ['up to 50 statements for 1 request in 100', clumps(1 / 100, 50), 4],
  ])('are red in next to no run and undecided in few: %s', (_, pass, endpoints) => {
    const { regression, inconclusive } = verdicts(pass, pass, endpoints);
    // 0.1 % of runs are meant at the most: more than 4 of these come in less than one of a thousand series.
    expect(regression).toBeLessThanOrEqual(4);
    expect(inconclusive).toBeLessThanOrEqual(0.025 * endpoints * RUNS);
  });

  it('are not red for a job at random every 10 s, of which a pass of 3 s meets three in ten', () => {
    const job: Pass = (random) => (random.next() < 0.3 ? 1 : 0);
    expect(verdicts(job, job, 4).regression).toBeLessThanOrEqual(4);
  });

  it('are not red for a timer in phase with the passes of the side that starts first, the one or the other by chance', () => {
    const random = seededRandom(SEED);
    let red = 0;
    for (let run = 0; run < RUNS; run++) {
      const isBaseline = Array.from({ length: 40 }, () => random.next() < 0.5);
      const [was, is] = [passes(isBaseline.map(Number)), passes(isBaseline.map((first) => Number(!first)))];
      if (countDecision({}, was, is, none, RATE).verdict === 'regression') red += 1;
    }
    expect(red).toBeLessThanOrEqual(4);
  });

  function clumps(chance: number, most: number): Pass {
    return (random) => {
      const met = ofRequests(chance)(random, 0);
      return Array.from({ length: met }, () => 1 + Math.floor(most * random.next())).reduce((sum, one) => sum + one, 0);
    };
  }
});

describe(`a change of what varies by itself (seed ${SEED})`, () => {
  it.each([
    ['from 1 request in 100 to 1 in 10', ofRequests(1 / 100), ofRequests(1 / 10)],
    ['from no request to 1 in 50', ofRequests(0), ofRequests(1 / 50)],
    ['from 50 statements for 1 request in 100 to 1 in 5', ofRequests(1 / 100, 50), ofRequests(1 / 5, 50)],
  ])('is found: %s', (_, was, is) => {
    expect(verdicts(was, is, 1, 300).regression).toBeGreaterThanOrEqual(297);
  });

  it('for the better is found as well', () => {
    const found = decided(ofRequests(1 / 10), ofRequests(1 / 100), seededRandom(SEED));
    expect(found).toMatchObject({ verdict: 'improvement', direction: 'better' });
  });

  it('has no verdict before eight passes of each side, and keeps that of the look at which it was decided', () => {
    const random = seededRandom(SEED);
    const [was, is] = [1 / 100, 1 / 10].map((chance) =>
      Array.from({ length: 20 }, () => ofRequests(chance)(random, 0)),
    ) as [number[], number[]];
    const at = (count: number, after: readonly number[] = is) =>
      countDecision({}, passes(was.slice(0, count)), passes(after.slice(0, count)), none, RATE).verdict;
    expect([2, 7, 8, 20].map((count) => at(count))).toEqual([
      ...['inconclusive', 'inconclusive'],
      ...['regression', 'regression'],
    ]);
    expect(at(20, [...is.slice(0, 8), ...new Array(12).fill(0)])).toBe('regression');
  });
});

describe('one query more in every request', () => {
  const more = (calls: readonly number[]) => passes(calls, 3);

  it.each([
    ['after one pass', [2], [1]],
    ['after two passes, whatever 1 request in 100 sends besides', [2, 0], [1, 3]],
    ['after twenty', new Array(20).fill(2), new Array(20).fill(1)],
  ])('is a regression %s', (_, was, is) => {
    expect(countDecision({}, passes(was), more(is), none, RATE)).toMatchObject({
      verdict: 'regression',
      direction: 'worse',
    });
  });

  it('is one where every request of the baseline sent one, but for 1 in 100 that found its answer kept', () => {
    expect(countDecision({}, passes([-2, -3]), more([0, 0]), none, RATE).verdict).toBe('regression');
  });

  it('is not taken for sure where passes of a side differ by much', () => {
    expect(countDecision({}, passes([0, 150]), more([150, 200]), none, RATE).verdict).toBe('inconclusive');
  });
});

describe('a limit above 0 of a count that varies', () => {
  const limit: MetricLimit = { maxIncrease: { kind: 'absolute', value: 0.05 } };
  const found = (extra: number) =>
    countDecision(
      {},
      passes([2, 0, 1, 3, 2, 1, 0, 2]),
      passes([2, 0, 1, 3, 2, 1, 0, 2].map((one) => one + extra)),
      limit,
    ).verdict;

  it('is broken by more than it, kept by less, and open in between', () => {
    expect([0, 20, 10].map(found)).toEqual(['no-change', 'regression', 'inconclusive']);
  });

  it('of a fall is held alike', () => {
    const falls: MetricLimit = { maxDecrease: { kind: 'absolute', value: 0 } };
    const random = seededRandom(SEED);
    const side = (chance: number) => passes(Array.from({ length: 8 }, () => ofRequests(chance)(random, 0)));
    expect(countDecision({}, side(1 / 10), side(1 / 100), falls, RATE).verdict).toBe('regression');
    expect(countDecision({}, side(1 / 10), side(1 / 10), falls, RATE).verdict).toBe('no-change');
  });
});
