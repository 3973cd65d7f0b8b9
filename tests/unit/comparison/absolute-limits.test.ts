import { describe, expect, it } from 'vitest';
import { absoluteLimits } from '../../../src/core/comparison/absolute-limits.ts';
import type { MetricLimit } from '../../../src/core/spec/resolved.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const k6Case = keyOf({ generator: 'k6' });

function limited(metrics: Record<string, MetricLimit>, ...cases: MadeUpCase[]) {
  const candidates = cases.map((each) => ({ only: 'candidate' as const, ...each }));
  return absoluteLimits(madeUpRecord({ scatter: 0, drift: 0, comparing: null, gate: { metrics }, cases: candidates }));
}

describe('absolute limits of a run without a baseline', () => {
  it('are held against published figures, each on the cases that gate its metric', () => {
    const metrics = { 'latency-p50': { max: 0.4 }, throughput: { min: 30_000 } };
    expect(limited(metrics, {}, { generator: 'k6', levels: { 'latency-p50': 0.5 } })).toEqual({
      broken: [
        {
          caseKey: keyOf({}),
          metric: 'throughput',
          message: 'Throughput: 24,000 req/s; limit at least 30,000 req/s',
        },
        { caseKey: k6Case, metric: 'latency-p50', message: 'Latency, p50: 500 µs; limit at most 400 µs' },
      ],
      unjudged: [],
    });
  });

  it('may be reached', () => {
    expect(limited({ throughput: { min: 24_000 } }, {})).toEqual({ broken: [], unjudged: [] });
  });

  it('leave references and invalid cases out', () => {
    const metrics = { throughput: { min: 1e9 } };
    expect(limited(metrics, { service: 'nginx' }, { invalid: { candidate: 'x' } })).toEqual({
      broken: [],
      unjudged: [],
    });
  });

  it('of a p99 count the requests of the slice itself, without those of the generator’s lead-in', () => {
    const gate = { metrics: { 'latency-p99': { max: 1 } } };
    const cases: MadeUpCase[] = [{ generator: 'k6', only: 'candidate', levels: { throughput: 2_000 } }];
    const record = madeUpRecord({ scatter: 0, drift: 0, comparing: null, gate, cases });
    const alone = record.cases[0]!.metrics.throughput!.samples.find(({ mode }) => mode === 'alone')!;
    Object.assign(alone, { durationNs: 11.3e9, requests: 17_700 });
    expect(absoluteLimits(record).broken).toEqual([]);
    expect(absoluteLimits(record).unjudged[0]!.message).toContain('17,700 requests are too few');
  });

  it('of a p99 need 20,000 requests', () => {
    const metrics = { 'latency-p99': { max: 1 } };
    expect(limited(metrics, { generator: 'k6', levels: { throughput: 2_000 } }).broken).toHaveLength(1);
    expect(limited(metrics, { generator: 'k6', levels: { throughput: 500 } })).toEqual({
      broken: [],
      unjudged: [
        {
          caseKey: k6Case,
          metric: 'latency-p99',
          message:
            'Latency, p99: 5,000 requests are too few for a limit on it: 20,000 are needed, by a longer duration or a higher rate',
        },
      ],
    });
  });
});
