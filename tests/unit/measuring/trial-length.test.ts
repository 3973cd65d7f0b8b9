import { describe, expect, it } from 'vitest';
import {
  answeredSeconds,
  longerSeconds,
  longestTrialSeconds,
  pairsWithin,
  secondsAtRate,
  shortSeconds,
  timeoutInDuet,
} from '../../../src/app/measuring/trial-length.ts';
import type { TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import { healthyTrial } from '../support/trials.ts';

const answered = (requests: number, changes: Partial<TrialMeasurement> = {}): TrialMeasurement =>
  healthyTrial({ mode: 'duet', outcome: { ...healthyTrial().outcome!, requests }, ...changes });

describe('a duet of a closed loop', () => {
  it.each([
    ['as planned where each side answers 150 requests in that', 0.5, 600, 0.5],
    ['as planned where that is not known', 0.5, null, 0.5],
    ['as planned where a number of requests is sent', 0, 190, 0],
    ['long enough for 150 where they answer fewer', 0.5, 190, 1.6],
    ['4 s at the most for that', 0.5, 40, 4],
    ['no longer for that than answers may take', 0.5, 150, 1.8, 2],
    ['long enough for 50 all the same', 0.5, 20, 5, 2, 15],
    ['as long as the budget has for it', 0.5, 8, 11, 2, 11],
  ])('is %s', (_, planned, perSecond, seconds, timeoutSeconds?: number, longestSeconds?: number) => {
    expect(answeredSeconds(planned, perSecond, timeoutSeconds, longestSeconds)).toBe(seconds);
  });

  it('waits twice as long for an answer as a side by itself, where it is long enough to tell', () => {
    expect([1.8, 1.9, 12].map((seconds) => timeoutInDuet(2, seconds))).toEqual([2, 4, 4]);
  });

  it('is as long as it was where both sides answered, however little', () => {
    expect(longerSeconds([answered(1), answered(1000)], 0.5)).toBeNull();
  });

  it('is twice as long where a side answered nothing, whichever it was', () => {
    expect(longerSeconds([answered(0), answered(40)], 0.5)).toBe(1);
    expect(longerSeconds([answered(40), answered(0)], 0.5)).toBe(1);
    expect(longerSeconds([answered(0), answered(0)], 1)).toBe(2);
  });

  it('is never longer than 4 s, after which it stands', () => {
    expect(longerSeconds([answered(0), answered(40)], 3)).toBe(4);
    expect(longerSeconds([answered(0), answered(40)], 4)).toBeNull();
  });

  it('stands where a side fell over, where the generator left nothing, and where a number of requests is sent', () => {
    const testbedFailure = { code: 'exited', message: 'exited with status 1' };
    expect(longerSeconds([answered(0, { testbedFailure }), answered(40)], 0.5)).toBeNull();
    expect(longerSeconds([answered(0, { outcome: null }), answered(40)], 0.5)).toBeNull();
    expect(longerSeconds([answered(0), answered(40)], 0)).toBeNull();
  });
});

describe('a duet at a rate', () => {
  it('is as planned where that is enough for 50 requests, else as long as they take', () => {
    expect([600, 20, 6, 1].map((rate) => secondsAtRate(2.5, rate))).toEqual([2.5, 2.5, 8.3, 15]);
    expect(secondsAtRate(2.5, 6, 7)).toBe(7);
    expect(secondsAtRate(0, 6)).toBe(0);
  });
});

describe('a short trial of one side', () => {
  it('is as planned for a service that answers 50 requests in that', () => {
    expect([null, 5000, 90].map((perSecond) => shortSeconds(0.6, 30, perSecond))).toEqual([0.6, 0.6, 0.6]);
  });

  it('is longer for a slower one, and longer than a request takes, 4 s at the most', () => {
    expect(shortSeconds(0.6, 10, 20)).toBe(2.5);
    expect(shortSeconds(0.6, 100, 110)).toBe(1.4);
    expect(shortSeconds(0.6, 100, 20)).toBe(4);
  });
});

describe('the longest duet of a slow service', () => {
  it.each([
    ['half of what a round has for each, as long as nobody knows what else a round takes', 100, 5, null, 10],
    ['all that a round has besides its starts and warm-ups', 100, 5, 30, 14],
    ['15 s at the most', 100, 1, 30, 15],
    ['4 s of a large matrix', 100, 60, 30, 4],
  ])('is %s', (_, round, duets, others, seconds) => {
    expect(longestTrialSeconds(round, duets, others)).toBe(seconds);
  });

  it('leaves room for fewer of them in a round', () => {
    expect([0.5, 0.9, 1, 2, 12].map((seconds) => pairsWithin(4, 0.5, seconds))).toEqual([4, 4, 2, 1, 1]);
  });
});
