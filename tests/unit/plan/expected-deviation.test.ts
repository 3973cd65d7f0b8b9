import { describe, expect, it } from 'vitest';
import {
  type CaseDeviations,
  expectedDeviations,
  type JudgedLoad,
  roundDeviation,
} from '../../../src/core/plan/expected-deviation.ts';
import { NOISE_PROFILE, type NoiseProfileRow } from '../../../src/core/plan/noise-profile.ts';

const recorded: NoiseProfileRow[] = [
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'keep-alive', 100, 0.01, 0],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'keep-alive', 1000, 0.02, 0],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'keep-alive-off', 100, 0.03, 0],
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

describe('how a case is expected to scatter', () => {
  it.each<[string, Partial<JudgedLoad>, number]>([
    ['the same load', {}, 0.01],
    ['connections that are nearer by their ratio', { connections: 400 }, 0.02],
    ['connections opened for each request, before their number', { keepAlive: false, connections: 1000 }, 0.03],
    ['the same generator, before the endpoint', { asksDatabase: true }, 0.01],
    ['the only load that was recorded', { metric: 'throughput', pairing: 'interleaved', generator: 'ab' }, 0.05],
  ])('is as of %s', (_, changes, between) => {
    expect(expectedDeviations({ ...load, ...changes }, recorded)).toEqual({ between, within: 0 });
  });

  it('is told from start to start, and from trial to trial', () => {
    const k6: JudgedLoad = { ...load, generator: 'k6', asksDatabase: true };
    expect(expectedDeviations(k6, recorded)).toEqual({ between: 0.03, within: 0.08 });
  });

  it('is not known of a metric that was not recorded, or not so', () => {
    expect(expectedDeviations({ ...load, metric: 'latency-p75' }, recorded)).toBeNull();
    expect(expectedDeviations({ ...load, metric: 'throughput' }, recorded)).toBeNull();
  });

  it('is recorded of every metric that is limited by default, in both pairings', () => {
    for (const metric of ['throughput', 'latency-p50', 'cpu-per-request', 'memory-peak']) {
      for (const pairing of ['duet', 'interleaved'] as const) {
        const { between, within } = expectedDeviations({ ...load, metric, pairing })!;
        expect(between + within).toBeGreaterThan(0);
      }
    }
    expect(NOISE_PROFILE.every(([, , , , , , between, within]) => between + within < 1)).toBe(true);
  });
});

describe('the deviation of a round', () => {
  const same = (count: number, of: CaseDeviations) => Array.from({ length: count }, () => of);
  const one = { pairs: 1, endpoints: 1, ofProcess: false };
  const noisy: CaseDeviations = { between: 0.03, within: 0.08 };

  it('is of one case both of its parts', () => {
    expect(roundDeviation([noisy], one)).toBeCloseTo(Math.hypot(0.03, 0.08), 12);
  });

  it('is less with more trials, but for what differs from start to start', () => {
    expect(roundDeviation([noisy], { ...one, pairs: 4 })).toBeCloseTo(Math.hypot(0.03, 0.04), 12);
  });

  it('is less of more cases together, but for what they share', () => {
    expect(roundDeviation(same(16, noisy), one)).toBeCloseTo(Math.hypot(0.03, 0.02), 12);
  });

  it('goes by the cases that are known best: one that scatters tells little more', () => {
    const both = roundDeviation(
      [
        { between: 0, within: 0.01 },
        { between: 0, within: 1 },
      ],
      one,
    );
    expect(both).toBeCloseTo(0.01, 5);
    expect(both).toBeLessThan(0.01);
  });

  it('is a tenth more of several endpoints, which have the same say however they scatter', () => {
    const alone = roundDeviation(same(16, noisy), one);
    expect(roundDeviation(same(16, noisy), { ...one, endpoints: 4 })).toBeCloseTo(1.1 * alone, 12);
  });

  it('is of a process a tenth of the variance of its cases, and more of few of them', () => {
    const ofProcess = { ...one, ofProcess: true };
    const variance = 0.03 ** 2 + 0.08 ** 2;
    expect(roundDeviation(same(20, noisy), ofProcess) ** 2).toBeCloseTo(variance / 10, 12);
    expect(roundDeviation(same(400, noisy), ofProcess) ** 2).toBeCloseTo(variance / 10, 12);
    expect(roundDeviation(same(8, noisy), ofProcess) ** 2).toBeCloseTo(variance / 4, 12);
    expect(roundDeviation(same(2, noisy), ofProcess) ** 2).toBeCloseTo(variance / 2, 12);
  });

  it('is of what starts differ by no more than of the case that shows least of it', () => {
    const steady: CaseDeviations = { between: 0.01, within: 0.08 };
    expect(roundDeviation([noisy, steady], one)).toBeCloseTo(Math.hypot(0.01, 0.08 / Math.SQRT2), 12);
  });
});
