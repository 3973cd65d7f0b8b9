import { describe, expect, it } from 'vitest';
import { AUTO_WARM_UP } from '../../../src/core/config/load.ts';
import {
  DUET_SECONDS,
  duetLengths,
  duetSeconds,
  duetsPerRound,
  mostWarmUpSeconds,
  plannedRound,
  roundSetUpSeconds,
  roundsWithin,
  SHORT_DUET_SECONDS,
} from '../../../src/core/plan/duets.ts';
import { roundSeed } from '../../../src/core/plan/plan.ts';
import { testCase } from '../support/trials.ts';
import { specWith } from './fixtures.ts';

const k6 = (arrival: 'share' | 'vus') =>
  testCase({
    generator: 'k6',
    load: {
      generator: 'k6',
      arrival: arrival === 'share' ? { kind: 'share', shareOfCapacity: 0.6 } : { kind: 'vus' },
      durationSeconds: 10,
      timeoutSeconds: 2,
      script: null,
    },
  });

describe('duets of a round', () => {
  it('are as many as make loading take about as long as bringing both sides up, four at most', () => {
    expect(duetsPerRound(1, 4, 1.25)).toBe(3);
    expect(duetsPerRound(1, 30, 1.25)).toBe(4);
    expect(duetsPerRound(16, 4, 20)).toBe(1);
    expect(duetsPerRound(0, 4, 0)).toBe(0);
  });

  it('last 0.5 s with wrk, and with k6 2.5 s after its lead-in of 0.3 s, whatever the duration of trials alone is', () => {
    expect(duetSeconds(testCase(), DUET_SECONDS)).toBeCloseTo(0.5 + 0.1 + 0.15);
    expect(duetSeconds(k6('share'), DUET_SECONDS)).toBeCloseTo(0.3 + 2.5 + 0.3 + 0.15);
    expect(duetSeconds(k6('vus'), DUET_SECONDS)).toBeCloseTo(2.5 + 0.3 + 0.15);
  });

  it('wait for both sides, with their databases, and for each endpoint to be asked once and warm', () => {
    const cases = [testCase(), testCase({ keepAlive: false }), testCase({ route: 'gateway' })];
    // Two endpoints, since a route counts: the ways of opening connections are warmed up as one.
    expect(roundSetUpSeconds(cases, false, { kind: 'fixed', seconds: 1 })).toBeCloseTo(1.2 + 2 * (2 * 0.02 + 1));
    expect(roundSetUpSeconds(cases, true, { kind: 'fixed', seconds: 1 })).toBeCloseTo(1.7 + 2 * (2 * 0.02 + 1));
  });
});

describe('the warm-up of a round', () => {
  it('is the shorter for each endpoint the more there are, since they warm the same server up', () => {
    expect([1, 2, 3, 4, 8, 12].map(mostWarmUpSeconds)).toEqual([1.5, 1, 2 / 3, 0.5, 0.5, 0.5]);
  });

  it('is planned so', () => {
    const twelve = Array.from({ length: 12 }, (_, index) =>
      testCase({ endpoint: { ...testCase().endpoint, name: `${index}` } }),
    );
    const auto = { kind: 'auto' as const, ...AUTO_WARM_UP };
    expect(roundSetUpSeconds(twelve.slice(0, 4), false, auto)).toBeCloseTo(1.2 + 4 * (2 * 0.02 + 0.5));
    expect(roundSetUpSeconds(twelve, false, auto)).toBeCloseTo(1.2 + 12 * (2 * 0.02 + 0.5));
  });
});

describe('a round', () => {
  const spec = specWith('{warm-up: 2s}');
  const setUpSeconds = 1.2 + 0.04 + 2;

  it('takes its set-up and all duets of all cases', () => {
    const { pairsEach, seconds } = plannedRound([testCase()], spec, 'duet');
    expect(pairsEach).toBe(4);
    expect(seconds).toBeCloseTo(setUpSeconds + 4 * 0.75);
  });

  it('takes the trials of both sides where they are loaded in turn, once', () => {
    const { pairsEach, seconds } = plannedRound([testCase()], spec, 'interleaved');
    expect(pairsEach).toBe(1);
    expect(seconds).toBeCloseTo(setUpSeconds + 2 * 0.75);
  });

  it('loads each case of a large matrix once, for as long as those of a small one', () => {
    const many = Array.from({ length: 8 }, (_, index) => testCase({ connections: index + 1 }));
    const { lengths, pairsEach, seconds } = plannedRound(many, spec, 'duet');
    expect({ lengths, pairsEach }).toEqual({ lengths: DUET_SECONDS, pairsEach: 1 });
    expect(seconds).toBeCloseTo(setUpSeconds + 8 * 0.75);
  });

  it('has short trials where ten rounds of longer ones would take more than 12 minutes, however many cases are left', () => {
    const large = Array.from({ length: 100 }, (_, index) => testCase({ connections: index + 1 }));
    expect(plannedRound(large, spec, 'duet').lengths).toEqual(SHORT_DUET_SECONDS);
    const lengths = duetLengths(large, spec);
    expect(plannedRound(large.slice(0, 2), spec, 'duet', lengths).lengths).toEqual(SHORT_DUET_SECONDS);
  });

  it.each([
    [300, 37, 8],
    [300, 38, 7],
    [300, 301, 1],
    [3600, 20, 60],
  ])('fits into %d s, at %d s each, %i times: once at least, and 60 times at most', (budget, each, times) => {
    expect(roundsWithin(budget, each)).toBe(times);
  });
});

describe('the seed of a round', () => {
  it('is the same for the same round, and another for each', () => {
    expect(roundSeed(7, 'go', 1)).toBe(roundSeed(7, 'go', 1));
    const seeds = [1, 2, 3].flatMap((round) => ['go', 'node'].map((name) => roundSeed(7, name, round)));
    expect(new Set([...seeds, roundSeed(8, 'go', 1)]).size).toBe(7);
  });
});
