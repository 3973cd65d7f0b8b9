import { describe, expect, it } from 'vitest';
import { delayedAckMs } from '../../../../src/core/report/analysis/timer.ts';

const of = (p50?: number, p75?: number, p90?: number) => {
  const values = { 'latency-p50': p50, 'latency-p75': p75, 'latency-p90': p90 };
  const metrics = Object.entries(values).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, { value, unit: 'ms', samples: [] }]],
  );
  return delayedAckMs({ metrics: Object.fromEntries(metrics) });
};

describe('latencies of requests that wait for a delayed acknowledgement', () => {
  it.each([
    [41.03, 41.98, 42.06],
    [42.06, 43.04, 44.95],
    [40, 41, 41],
    [44, undefined, 44.2],
  ])('are %s, %s and %s', (p50, p75, p90) => {
    expect(of(p50, p75, p90)).toBe(p50);
  });

  it.each([
    ['shorter', 38.9, 39, 39.1],
    ['longer', 47, 47.1, 47.2],
    ['too far apart', 40, 43, 44.1],
    ['too far apart in between', 40, 45, 43],
    ['without a p90', 41, 41, undefined],
    ['without a p50', undefined, 41, 41],
  ])('are not %s', (_, p50, p75, p90) => {
    expect(of(p50, p75, p90)).toBeNull();
  });
});
