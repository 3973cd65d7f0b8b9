import { describe, expect, it } from 'vitest';
import { capacityKey } from '../../../src/app/measuring/rate.ts';
import { duetSeconds, learnSeconds } from '../../../src/app/measuring/side-by-side/duet-seconds.ts';
import type { RunningRound } from '../../../src/app/measuring/side-by-side/running-round.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { TrialMeasurement } from '../../../src/core/measurement/measurement.ts';
import { planOf } from '../../../src/core/plan/plan.ts';

const SPEC = `name: shop
services: {web: {build: ., port: 80}}
endpoints: {home: /}
load: {wrk: {threads: 1, connections: [4], keep-alive: on, timeout: 5s}}
`;
const [testCase] = planOf(readSpec(SPEC, 'wrkbench.yml'), { seed: 0 }).services[0]!.cases;

/** The parts of a round that the length of a duet depends on; `seen` are requests a second that a warm-up of it showed. */
function round(kept: Pick<RunningRound, 'longer' | 'bestCapacities'>, seen: number | null): RunningRound {
  const origin = 'http://127.0.0.1:80';
  const found = { case: testCase!, origin, requestsPerSecond: seen ?? 0, from: 'warm-up' as const };
  return {
    ...kept,
    capacities: new Map(seen === null ? [] : [[capacityKey(testCase!), found]]),
    ...{ rates: new Map(), lengths: { wrk: 0.5 }, longestSeconds: () => 15 },
  } as unknown as RunningRound;
}

describe('the length of a duet of a closed loop', () => {
  it('is as planned where nobody knows how much is answered, and no longer so once a warm-up shows it', () => {
    const kept = { longer: new Map(), bestCapacities: new Map() };
    expect(duetSeconds(testCase!, round(kept, null))).toBe(0.5);
    expect(duetSeconds(testCase!, round(kept, 13))).toBe(7.7);
  });

  it('stays in later rounds what the first that knew has found, so that they are alike', () => {
    const kept = { longer: new Map(), bestCapacities: new Map() };
    expect([13, 200, null].map((seen) => duetSeconds(testCase!, round(kept, seen)))).toEqual([7.7, 7.7, 7.7]);
  });

  it('is made shorter by what the first duet answered, where a brief warm-up had seen nearly nobody answered', () => {
    const lengthAfter = (seen: number | null, answered: [number, number]) => {
      const kept = { longer: new Map(), bestCapacities: new Map() };
      const running = round(kept, seen);
      const seconds = duetSeconds(testCase!, running);
      const trials = answered.map((requests) => ({ outcome: { requests } as TrialMeasurement['outcome'] }));
      learnSeconds(testCase!, trials, seconds, running);
      return duetSeconds(testCase!, running);
    };
    expect(lengthAfter(13, [924, 924])).toBe(4);
    expect(lengthAfter(13, [924, 299])).toBe(7.7);
    expect(lengthAfter(null, [924, 924])).toBe(0.5);
  });
});
