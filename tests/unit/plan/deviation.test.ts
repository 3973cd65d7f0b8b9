import { describe, expect, it } from 'vitest';
import { expectedDeviation, type InstanceData, type JudgedLoad } from '../../../src/core/plan/deviation.ts';
import { DEVIATIONS, type Deviation } from '../../../src/core/plan/deviations.ts';

const recorded: Deviation[] = [
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'keep-alive', 100, 0.01, 0],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'keep-alive', 1000, 0.02, 0],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'close', 100, 0.03, 0],
  ['cpu-per-request', 'k6', 'duet', 'database', 'any', 'any', 0.03, 0.08],
  ['throughput', 'wrk', 'interleaved', 'no database', 'any', 'any', 0.05, 0],
];
const load: JudgedLoad = {
  metric: 'cpu-per-request',
  generator: 'wrk',
  pairing: 'duet',
  asksDatabase: false,
  keepAlive: true,
  connections: 100,
};

const one: InstanceData = { pairs: 1, length: 1, together: 1 };

describe('the deviation to expect of an instance', () => {
  it('is less with more pairs, but for what differs from start to start', () => {
    const k6: JudgedLoad = { ...load, generator: 'k6', asksDatabase: true };
    expect(expectedDeviation(k6, one, recorded)).toBeCloseTo(Math.hypot(0.03, 0.08), 12);
    expect(expectedDeviation(k6, { ...one, pairs: 4 }, recorded)).toBeCloseTo(0.05, 12);
  });

  it('is more of shorter duets, by as much as they are shorter', () => {
    const k6: JudgedLoad = { ...load, generator: 'k6', asksDatabase: true };
    expect(expectedDeviation(k6, { ...one, pairs: 4, length: 0.5 }, recorded)).toBeCloseTo(Math.hypot(0.03, 0.08), 12);
  });

  it('is less of the median of many cases, but for what they share', () => {
    const k6: JudgedLoad = { ...load, generator: 'k6', asksDatabase: true };
    const ofMedian = Math.hypot(0.03, 0.08 * Math.sqrt(Math.PI / 2 / 16));
    expect(expectedDeviation(k6, { ...one, together: 16 }, recorded)).toBeCloseTo(ofMedian, 12);
  });

  it.each<[string, Partial<JudgedLoad>, number]>([
    ['the same load', {}, 0.01],
    ['connections that are nearer by their ratio', { connections: 400 }, 0.02],
    ['connections opened for each request, before their number', { keepAlive: false, connections: 1000 }, 0.03],
    ['the same generator, before the endpoint', { asksDatabase: true }, 0.01],
    ['the only load that was recorded', { metric: 'throughput', pairing: 'interleaved', generator: 'ab' }, 0.05],
  ])('is that of %s', (_, changes, deviation) => {
    expect(expectedDeviation({ ...load, ...changes }, one, recorded)).toBe(deviation);
  });

  it('is not known of a metric that was not recorded, or not so', () => {
    expect(expectedDeviation({ ...load, metric: 'latency-p75' }, one, recorded)).toBeNull();
    expect(expectedDeviation({ ...load, metric: 'throughput' }, one, recorded)).toBeNull();
  });

  it('is recorded of every metric that is limited by default, in both pairings', () => {
    for (const metric of ['throughput', 'latency-p50', 'cpu-per-request', 'memory-peak']) {
      for (const pairing of ['duet', 'interleaved'] as const) {
        expect(expectedDeviation({ ...load, metric, pairing }, one)).toBeGreaterThan(0);
      }
    }
    expect(DEVIATIONS.every(([, , , , , , between, within]) => between + within < 1)).toBe(true);
  });
});
