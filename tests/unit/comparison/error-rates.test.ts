import { describe, expect, it } from 'vitest';
import { comparedMetricsOf } from '../../../src/core/comparison/compared-metrics.ts';
import { ratiosErrorRate } from '../../../src/core/comparison/error-rates.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const gate = {
  metrics: {
    'cpu-per-request': { maxIncrease: { kind: 'ratio' as const, value: 0.05 } },
    'queries-per-request': { maxIncrease: { kind: 'absolute' as const, value: 0 } },
  },
};
const counting = (endpoint: string, calls: number[]): MadeUpCase => ({
  endpoint,
  counts: { baseline: { 'queries-per-request': calls }, candidate: { 'queries-per-request': calls.toReversed() } },
});

/** What the counts and the ratios of a service have of 0.005, with these cases. */
function shares(cases: MadeUpCase[]) {
  const all = comparedMetricsOf(madeUpRecord({ seed: 7, rounds: 8, gate, cases }) as never);
  const counts = all.filter(({ metric, judgedBy }) => metric.name === 'queries-per-request' && judgedBy === null);
  return { counts: counts.map(({ countErrorRate }) => countErrorRate), ratios: ratiosErrorRate(0.005, all) };
}

describe('the error rate of a service', () => {
  it('is all of its ratios’ where every count is exact', () => {
    expect(shares([counting('ping', [1, 1]), counting('users', [2, 2])])).toEqual({
      counts: [undefined, undefined],
      ratios: 0.005,
    });
  });

  it('is shared with the counts that vary, a fifth among them all, an endpoint of two cases once', () => {
    const twice = [counting('users', [2, 2.01]), { ...counting('users', [2, 2.01]), connections: 1000 }];
    expect(shares([counting('ping', [1, 1.02]), ...twice, counting('exact', [3, 3])])).toEqual({
      counts: [0.0005, 0.0005, 0.0005].map((rate) => expect.closeTo(rate, 12)),
      ratios: 0.004,
    });
  });
});
