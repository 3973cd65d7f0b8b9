import { describe, expect, it } from 'vitest';
import {
  DUET_SECONDS,
  duetSeconds,
  duetsPerInstance,
  instanceSetUpSeconds,
  instancesWithin,
  plannedInstance,
} from '../../../src/core/plan/duets.ts';
import { instanceSeed } from '../../../src/core/plan/order.ts';
import { testCase } from '../support/slices.ts';
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

describe('duets of an instance', () => {
  it('are as many as make loading take about as long as bringing the instance up, four at most', () => {
    expect(duetsPerInstance(1, 8, 2.4)).toBe(3);
    expect(duetsPerInstance(1, 30, 2.4)).toBe(4);
    expect(duetsPerInstance(16, 12, 45)).toBe(1);
    expect(duetsPerInstance(0, 12, 0)).toBe(0);
  });

  it('last 2 s with wrk, and with k6 3 s after its lead-in, whatever the duration of slices alone is', () => {
    expect(duetSeconds(testCase(), DUET_SECONDS)).toBeCloseTo(2.4);
    expect(duetSeconds(k6('share'), DUET_SECONDS)).toBeCloseTo(4.65);
    expect(duetSeconds(k6('vus'), DUET_SECONDS)).toBeCloseTo(3.4);
  });

  it('wait for both sides, with their databases, and for each endpoint to be checked and warm', () => {
    const cases = [testCase(), testCase({ keepAlive: false }), testCase({ route: 'gateway' })];
    expect(instanceSetUpSeconds(cases, true, { kind: 'fixed', seconds: 1 })).toBeCloseTo(
      2 * (0.8 + 0.5 + 1.5) + 2 * 2 + 3,
    );
  });
});

describe('an instance', () => {
  const spec = specWith('{warm-up: 2s}');
  const setUpSeconds = 2 * (0.8 + 0.5) + 2 + 2;

  it('takes its set-up and all duets of all cases', () => {
    const { pairsEach, seconds } = plannedInstance([testCase()], spec, 'duet', 300);
    expect(pairsEach).toBe(3);
    expect(seconds).toBeCloseTo(setUpSeconds + 3 * 2.4);
  });

  it('takes the slices of both sides where they are loaded in turn, once', () => {
    const { pairsEach, seconds } = plannedInstance([testCase()], spec, 'interleaved', 300);
    expect(pairsEach).toBe(1);
    expect(seconds).toBeCloseTo(setUpSeconds + 2 * 2.4);
  });

  it('has so many duets, and so long ones, as let the budget show the smallest change', () => {
    const many = Array.from({ length: 8 }, (_, index) => testCase({ connections: index + 1 }));
    const planned = (budgetSeconds: number) => {
      const { lengths, pairsEach, seconds } = plannedInstance(many, spec, 'duet', budgetSeconds);
      return { wrkSeconds: lengths.wrk, pairsEach, instances: instancesWithin(budgetSeconds, seconds) };
    };
    expect(planned(20)).toEqual({ wrkSeconds: 1, pairsEach: 1, instances: 1 });
    expect(planned(60)).toEqual({ wrkSeconds: 1, pairsEach: 1, instances: 3 });
    expect(planned(600)).toEqual({ wrkSeconds: 2, pairsEach: 1, instances: 23 });
    expect(plannedInstance([testCase()], spec, 'duet', 30).pairsEach).toBe(1);
    expect(plannedInstance([testCase()], spec, 'duet', 300).pairsEach).toBe(3);
  });

  it.each([
    [300, 48, 6],
    [300, 50, 6],
    [300, 301, 1],
    [3600, 20, 40],
  ])('fits into %d s, at %d s each, %i times: once at least, and 40 times at most', (budget, each, times) => {
    expect(instancesWithin(budget, each)).toBe(times);
  });
});

describe('the seed of an instance', () => {
  it('is the same for the same instance, and another for each', () => {
    expect(instanceSeed(7, 'go', 1)).toBe(instanceSeed(7, 'go', 1));
    const seeds = [1, 2, 3].flatMap((instance) => ['go', 'node'].map((name) => instanceSeed(7, name, instance)));
    expect(new Set([...seeds, instanceSeed(8, 'go', 1)]).size).toBe(7);
  });
});
