import { describe, expect, it } from 'vitest';
import { absoluteLimits, keepsLimits } from '../../../src/core/comparison/absolute-limits.ts';
import type { Acceptance } from '../../../src/core/comparison/comparison.ts';
import type { MetricLimit } from '../../../src/core/config/resolved.ts';
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
      accepted: [],
      unjudged: [],
      warnings: [],
    });
  });

  it('may be reached', () => {
    expect(limited({ throughput: { min: 24_000 } }, {})).toEqual({
      broken: [],
      accepted: [],
      unjudged: [],
      warnings: [],
    });
  });

  it('leave references and invalid cases out', () => {
    const metrics = { throughput: { min: 1e9 } };
    expect(limited(metrics, { service: 'nginx' }, { invalid: { candidate: 'x' } })).toEqual({
      broken: [],
      accepted: [],
      unjudged: [],
      warnings: [],
    });
  });

  it('of a p99 count the requests of the trial itself, without those of the generator’s lead-in', () => {
    const gate = { metrics: { 'latency-p99': { max: 1 } } };
    const cases: MadeUpCase[] = [{ generator: 'k6', only: 'candidate', levels: { throughput: 2_000 } }];
    const record = madeUpRecord({ scatter: 0, drift: 0, comparing: null, gate, cases });
    const alone = record.cases[0]!.metrics.throughput!.samples.find(({ mode }) => mode === 'solo')!;
    Object.assign(alone, { durationNs: 11.3e9, requests: 17_700 });
    expect(absoluteLimits(record).broken).toEqual([]);
    expect(absoluteLimits(record).unjudged[0]!.message).toContain('17,700 requests are too few');
  });

  it('of a p99 need 20,000 requests', () => {
    const metrics = { 'latency-p99': { max: 1 } };
    expect(limited(metrics, { generator: 'k6', levels: { throughput: 2_000 } }).broken).toHaveLength(1);
    expect(limited(metrics, { generator: 'k6', levels: { throughput: 500 } })).toEqual({
      broken: [],
      accepted: [],
      unjudged: [
        {
          caseKey: k6Case,
          metric: 'latency-p99',
          message:
            'Latency, p99: 5,000 requests are too few for a limit on it: 20,000 are needed, by a longer duration or a higher rate',
        },
      ],
      warnings: [],
    });
  });

  it('of a tail count the requests of the published figures alone, not of the short trials in turn', () => {
    const made = { mode: 'interleaved' as const, rounds: 20, gate: { metrics: { 'latency-p99': { max: 1 } } } };
    const record = madeUpRecord({ ...made, cases: [{ generator: 'k6', levels: { throughput: 500 } }] });
    expect(absoluteLimits(record).unjudged).toHaveLength(1);
  });

  it('of what a case lacks and another has are not judged', () => {
    const { unjudged } = limited(
      { 'memory-peak': { max: 2 ** 30 } },
      {},
      { connections: 1000, lacking: { candidate: ['memory-peak'] } },
    );
    expect(unjudged).toEqual([
      {
        caseKey: keyOf({ connections: 1000 }),
        metric: 'memory-peak',
        message: 'Memory, peak: it is limited, and was not measured here',
      },
    ]);
  });
});

describe('a broken limit that somebody accepts', () => {
  const made = { comparing: null, gate: { metrics: { throughput: { min: 30_000 } } }, scatter: 0, drift: 0 };
  const cases = ['ping', 'users'].map((endpoint) => ({ endpoint, only: 'candidate' as const }));
  const record = madeUpRecord({ ...made, cases });
  const keysOf = (accepted: Acceptance[], given = record) => {
    const limits = absoluteLimits(given, { accepted });
    return { broken: limits.broken.map(({ caseKey }) => caseKey), accepted: limits.accepted };
  };
  const [ping, users] = cases.map(({ endpoint }) => keyOf({ endpoint }));
  const message = 'Throughput: 24,000 req/s; limit at least 30,000 req/s';

  it('is none that fails, and says why it was accepted', () => {
    const reason = 'it signs now';
    const accepted = [{ caseKey: ping, metric: 'throughput', message, reason }];
    expect(keysOf([{ cases: '/ping', metric: null, reason }])).toEqual({ broken: [users], accepted });
    expect(keysOf([{ cases: '/ping', metric: 'throughput', reason }])).toEqual({ broken: [users], accepted });
    expect(keysOf([{ cases: '*', metric: null, reason }])).toMatchObject({
      broken: [],
      accepted: [{ reason }, { reason }],
    });
  });

  it('stays broken where another case, or another metric of it, is accepted', () => {
    const reason = 'it signs now';
    expect(keysOf([{ cases: '/ping', metric: 'cpu-per-request', reason }]).broken).toEqual([ping, users]);
    expect(keysOf([{ cases: '/other', metric: null, reason }]).broken).toEqual([ping, users]);
  });

  it('is so by what the record says where nobody else says it, as after `run --accept`', () => {
    const side = { recordId: null, sha: null, text: 'working tree' };
    const accepted = [{ cases: '/users', metric: null, reason: 'x' }];
    const unpaired = { wanted: 'auto', baseline: null, candidate: side, warnings: [], failed: false, accepted };
    expect(absoluteLimits({ ...record, unpaired }).broken.map(({ caseKey }) => caseKey)).toEqual([ping]);
    expect(keysOf([], { ...record, unpaired }).broken).toEqual([ping, users]);
  });
});

describe('a limit that no case of a run without a baseline can be held to', () => {
  const cautionsOf = (metrics: Record<string, MetricLimit>, ...cases: MadeUpCase[]) =>
    limited(metrics, ...cases).warnings.map(({ message }) => message);

  it('is told: it must not look like one that is kept', () => {
    expect(cautionsOf({ 'latency-p50': { max: 5 } }, {})).toEqual([
      'latency-p50 is limited, and no case of this run can be held to it: latency is judged with k6 at a fixed rate (load.k6).',
    ]);
    expect(cautionsOf({ 'queries-per-request': { max: 3 } }, {})).toEqual([
      'queries-per-request is limited, and no case of this run can be held to it.',
    ]);
    expect(cautionsOf({ 'syscalls-per-request': { max: 3 } }, {})).toEqual([
      'syscalls-per-request is limited, and no case of this run can be held to it: perf could not count them, and doctor says how it can.',
    ]);
  });

  it('is nothing where one can, and where no case is valid', () => {
    expect(cautionsOf({ 'latency-p50': { max: 5 } }, {}, { generator: 'k6' })).toEqual([]);
    expect(cautionsOf({ 'latency-p50': { max: 5 } }, { invalid: { candidate: 'x' } })).toEqual([]);
  });

  it('is told of a pattern that fits no case, or none which gates the metric', () => {
    const limit = { throughput: { min: 1 } };
    const gate = { metrics: {}, cases: { '/dbs/*': limit, '/health': limit, '/ping': limit } };
    const cases = [{}, { endpoint: 'health', generator: 'k6' as const }];
    const made = { comparing: null, gate, cases: cases.map((each) => ({ ...each, only: 'candidate' as const })) };
    expect(absoluteLimits(madeUpRecord(made)).warnings.map(({ message }) => message)).toEqual([
      'throughput is limited for `/dbs/*`, which fits no case of this run.',
      'throughput is limited for `/health`, and no case of this run that fits can be held to it: throughput is judged with wrk (load.wrk).',
    ]);
  });
});

describe('a run without a baseline', () => {
  const entry = { caseKey: k6Case, metric: 'latency-p99', message: 'x' };

  it('fails by a broken limit, and by one that could not be judged where that is asked for', () => {
    expect(keepsLimits({ broken: [], unjudged: [] }, true)).toBe(true);
    expect(keepsLimits({ broken: [entry], unjudged: [] }, false)).toBe(false);
    expect(keepsLimits({ broken: [], unjudged: [entry] }, false)).toBe(true);
    expect(keepsLimits({ broken: [], unjudged: [entry] }, true)).toBe(false);
  });
});
