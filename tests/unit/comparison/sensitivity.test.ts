import { describe, expect, it } from 'vitest';
import type { Hypothesis } from '../../../src/core/comparison/hypothesis.ts';
import { seesTwiceEachLimit, usualThreshold } from '../../../src/core/comparison/sensitivity.ts';
import { metricNamed } from '../../../src/core/metrics/registry.ts';

/** Eight rounds with a standard deviation of 1, of which none says anything of the next. */
const EIGHT = [1.31, -1.31, 0.66, -0.66, 0.66, -0.66, 0.98, -0.98];

const hypothesis = (deviation: number, rest: Partial<Hypothesis> = {}, change = 0): Hypothesis => ({
  id: 'server/ping/* cpu-per-request',
  level: 'endpoint',
  metric: 'cpu-per-request',
  groups: [[{ values: EIGHT.map((off, index) => ({ round: index + 1, value: change + deviation * off })), weight: 1 }]],
  threshold: Math.log1p(0.03),
  share: 0.25,
  after: null,
  ...rest,
});
const sees = (hypotheses: readonly Hypothesis[], rounds = 8) =>
  seesTwiceEachLimit(hypotheses, new Set(hypotheses.map(({ id }) => id)), rounds);

describe('whether twice each limit would show', () => {
  it('depends on how much rounds scatter', () => {
    expect(sees([hypothesis(0.003)])).toBe(true);
    expect(sees([hypothesis(0.02)])).toBe(false);
  });

  it('does not depend on what changed, so that nothing is measured for longer because it is nearly red', () => {
    for (const change of [-0.1, 0, 0.03, 0.05, 0.3]) {
      expect(sees([hypothesis(0.003, {}, change)])).toBe(true);
      expect(sees([hypothesis(0.02, {}, change)])).toBe(false);
    }
  });

  it('is so of all that is waited for', () => {
    const noisy = hypothesis(0.05, { id: 'server/ping/* latency-p50', metric: 'latency-p50' });
    expect(sees([hypothesis(0.003), noisy])).toBe(false);
    expect(seesTwiceEachLimit([hypothesis(0.003), noisy], new Set(['server/ping/* cpu-per-request']), 8)).toBe(true);
    expect(seesTwiceEachLimit([noisy], new Set(), 8)).toBe(true);
  });

  it('is not asked of a case: it need not be decided', () => {
    expect(sees([hypothesis(0.02, { level: 'case' })])).toBe(true);
  });

  it('is never so before a verdict is', () => {
    expect(sees([hypothesis(0.0001)], 7)).toBe(false);
  });

  it('is measured by the default limit where the limit is 0', () => {
    expect(sees([hypothesis(0.003, { threshold: 0 })])).toBe(true);
    expect(sees([hypothesis(0.02, { threshold: 0 })])).toBe(false);
    expect(usualThreshold(metricNamed('cpu-per-request')!)).toBeCloseTo(Math.log(1.03), 12);
    expect(usualThreshold(metricNamed('throughput')!)).toBeCloseTo(-Math.log(0.95), 12);
  });
});
