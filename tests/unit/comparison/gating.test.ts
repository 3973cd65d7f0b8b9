import { describe, expect, it } from 'vitest';
import {
  basisOf,
  cpuShareTolerance,
  type EndpointLoad,
  endpointLoads,
  gatedOn,
  isFixedRate,
  isGatingLoop,
} from '../../../src/core/comparison/gating.ts';
import { metrics } from '../../../src/core/metrics/registry.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';
import { specWith } from '../plan/fixtures.ts';

const metric = (name: string) => metrics.find((each) => each.name === name)!;
const wrk = { generator: 'wrk', key: 'go/ping/direct/wrk/keep-alive-off/100' } as const;
const k6 = { generator: 'k6', key: 'go/ping/direct/k6/keep-alive-off/100@60%' } as const;
const vus = { generator: 'k6', key: 'go/ping/direct/k6/keep-alive-off/100@vus' } as const;
const ab = { generator: 'ab', key: 'go/ping/direct/ab/keep-alive-off/128' } as const;
const h2load = { generator: 'h2load', key: 'go/ping/direct/h2load/keep-alive/50@60%' } as const;
const max = { generator: 'h2load', key: 'go/ping/direct/h2load/keep-alive/50@max' } as const;

const both: EndpointLoad = { closedLoop: true, fixedRate: true, sendsStatements: false };

/** Generators whose cases gate a metric. */
function gatedBy(name: string, load: EndpointLoad = both): string[] {
  const cases = { wrk, k6, vus, ab, h2load, max };
  return Object.entries(cases).flatMap(([kind, each]) => (gatedOn(metric(name), each, load) === null ? [] : [kind]));
}

describe('the cases that gate a metric', () => {
  it.each([
    ['throughput', ['wrk', 'max']],
    ['latency-p50', ['k6', 'h2load']],
    ['latency-p90', ['k6', 'h2load']],
    ['latency-p99', ['k6', 'h2load']],
    ['cpu-per-request', ['wrk', 'k6', 'h2load', 'max']],
    ['database-cpu-per-request', ['wrk', 'k6', 'h2load', 'max']],
    ['memory-peak', ['wrk', 'k6', 'vus', 'ab', 'h2load', 'max']],
    ['memory-settled', ['wrk', 'k6', 'vus', 'ab', 'h2load', 'max']],
    ['queries-per-request', ['wrk', 'k6', 'vus', 'ab', 'h2load', 'max']],
    ['bytes-per-response', ['wrk', 'k6', 'vus', 'ab', 'h2load', 'max']],
  ])('of %s are those of %j', (name, generators) => {
    expect(gatedBy(name)).toEqual(generators);
  });

  it('of CPU per request are both where a database stands behind, too', () => {
    expect(gatedBy('cpu-per-request', { ...both, sendsStatements: true })).toEqual(['wrk', 'k6', 'h2load', 'max']);
  });

  it('of CPU per request are what there is, with a word, where the better generator is not in the plan', () => {
    expect(
      gatedOn(metric('cpu-per-request'), wrk, { closedLoop: true, fixedRate: false, sendsStatements: true }),
    ).toEqual({
      note: 'measured under saturation, where a database batches unevenly: a case of k6 at a fixed rate would show smaller changes',
    });
    expect(
      gatedOn(metric('cpu-per-request'), k6, { closedLoop: false, fixedRate: true, sendsStatements: false }),
    ).toEqual({
      note: 'measured with k6 at a fixed rate: a case of wrk would show smaller changes',
    });
  });

  it('of CPU per request are those of h2load with a word on h2load, which alone asks for HTTP/2', () => {
    const alone = { closedLoop: false, fixedRate: false };
    expect(gatedOn(metric('cpu-per-request'), max, { ...alone, closedLoop: true, sendsStatements: true })).toEqual({
      note: 'measured under saturation, where a database batches unevenly: a case of h2load at a fixed rate would show smaller changes',
    });
    expect(gatedOn(metric('cpu-per-request'), h2load, { ...alone, fixedRate: true, sendsStatements: false })).toEqual({
      note: 'measured with h2load at a fixed rate: a case of h2load in a closed loop would show smaller changes',
    });
  });
});

describe('a closed loop and a fixed rate', () => {
  /** Metrics that the only case of a spec with this load gates. */
  function gatedIn(load: string): string[] {
    const spec = specWith(`{${load}, warm-up: 2s}`);
    const [only] = planOf({ ...spec, endpoints: spec.endpoints.slice(0, 1) }, { seed: 1 }).services[0]!.cases;
    const kind = { closedLoop: isGatingLoop(only!), fixedRate: isFixedRate(only!), sendsStatements: false };
    return metrics.flatMap((each) => (gatedOn(each, only!, kind) === null ? [] : [each.name]));
  }

  it.each([
    ['wrk: {connections: 50, keep-alive: on}', true, false],
    ['h2load: {rate: max}', true, false],
    ['k6: {rate: vus, keep-alive: on}', false, false],
    ['ab: {keep-alive: off}', false, false],
    ['h2load: {rate: 60%}', false, true],
    ['h2load: {rate: 2000/s}', false, true],
    ['k6: {rate: 60%, keep-alive: on}', false, true],
    ['k6: {rate: 0.5/s, keep-alive: on}', false, true],
  ])('are told apart from the spec on: %s', (load, throughput, latency) => {
    const gated = gatedIn(load);
    expect([gated.includes('throughput'), gated.includes('latency-p50')]).toEqual([throughput, latency]);
  });
});

describe('what an endpoint is loaded with', () => {
  const loads = (cases: MadeUpCase[]) => Object.fromEntries(endpointLoads(madeUpRecord({ cases }).cases));

  it('is of all its cases on one route', () => {
    expect(loads([{}, { generator: 'k6' }, { endpoint: 'health', generator: 'k6' }])).toEqual({
      'go/ping/direct': { closedLoop: true, fixedRate: true, sendsStatements: false },
      'go/health/direct': { closedLoop: false, fixedRate: true, sendsStatements: false },
    });
  });

  it('is not what is valid on neither side, so that the other generator stands in', () => {
    const both = { baseline: 'x', candidate: 'x' };
    expect(loads([{}, { generator: 'k6', invalid: both }])['go/ping/direct']).toMatchObject({
      closedLoop: true,
      fixedRate: false,
    });
    expect(loads([{ invalid: both }, { generator: 'k6' }])['go/ping/direct']).toMatchObject({
      closedLoop: false,
      fixedRate: true,
    });
    expect(loads([{}, { generator: 'k6', invalid: { baseline: 'x' } }])['go/ping/direct']!.fixedRate).toBe(true);
  });

  it('involves a database where a request of either side sends a statement', () => {
    const counts = { baseline: { 'queries-per-request': 0 }, candidate: { 'queries-per-request': 1 } };
    const statements = {
      candidate: [{ query: 'SELECT 1', callsPerRequest: 1, rowsPerRequest: 1, msPerRequest: 0.01 }],
    };
    expect(loads([{ counts }])['go/ping/direct']!.sendsStatements).toBe(true);
    expect(loads([{ statements }])['go/ping/direct']!.sendsStatements).toBe(true);
  });

  it('involves none where it could and does not', () => {
    const counts = { baseline: { 'queries-per-request': 0 }, candidate: { 'queries-per-request': 0 } };
    expect(loads([{ counts, statements: { baseline: [], candidate: [] } }])['go/ping/direct']!.sendsStatements).toBe(
      false,
    );
  });
});

describe('what a gated metric is judged from', () => {
  function basis(
    name: string,
    made: MadeUpCase = {},
    mode: 'duet' | 'interleaved' = 'duet',
    limit: number | null = 0.05,
  ) {
    const [baseline, candidate] = madeUpRecord({ cases: [made], mode }).cases;
    expect(baseline!.key).toBe(keyOf(made));
    return basisOf(metric(name), mode, baseline!, candidate!, limit);
  }

  it('is duets while both sides fill the CPU and get half of it', () => {
    expect(basis('throughput')).toEqual({ mode: 'duet', samples: ['duet'], note: null });
    expect(basis('throughput', { candidateCpuShare: 0.506, busyShare: 0.951 }).mode).toBe('duet');
  });

  it('is duets of sides whose shares make half of the limit at most, or half a point', () => {
    expect([0.05, 0.1, 0.04, 0.01, 0, null].map(cpuShareTolerance)).toEqual([
      0.00625, 0.0125, 0.005, 0.005, 0.005, 0.00625,
    ]);
    const mode = (candidateCpuShare: number, limit: number) =>
      basis('throughput', { candidateCpuShare }, 'duet', limit).mode;
    expect([mode(0.51, 0.05), mode(0.51, 0.1), mode(0.49, 0.1), mode(0.48, 0.1)]).toEqual([
      'interleaved',
      'duet',
      'duet',
      'interleaved',
    ]);
  });

  it('is duets where an uneven share may be chance: beyond the tolerance by no more than a standard error', () => {
    const mode = (candidateCpuShare: number, cpuShareError: number) =>
      basis('throughput', { candidateCpuShare, cpuShareError }).mode;
    expect([mode(0.509, 0.003), mode(0.491, 0.003), mode(0.51, 0.003), mode(0.49, 0.003)]).toEqual([
      'duet',
      'duet',
      'interleaved',
      'interleaved',
    ]);
  });

  it('is trials alone for throughput where a side waits or gets more than its half', () => {
    expect(basis('throughput', { busyShare: 0.8 })).toEqual({
      mode: 'interleaved',
      samples: ['solo'],
      note: 'from trials in turn: in duets only 80.0 % of the CPU was used, so a side waited',
    });
    expect(basis('throughput', { candidateCpuShare: 0.46 })).toEqual({
      mode: 'interleaved',
      samples: ['solo'],
      note: 'from trials in turn: in duets the candidate got 46.0 % of the CPU, not half of it',
    });
  });

  it('is duets for CPU and latency whether or not the sides compete', () => {
    expect(basis('cpu-per-request', { busyShare: 0.4 }).samples).toEqual(['duet']);
    expect(basis('latency-p50', { generator: 'k6', busyShare: 0.6 }).samples).toEqual(['duet']);
  });

  it('is CPU time with background threads at the usual, where both sides’ differ by half of the limit or half a percent at most', () => {
    const [baseline, candidate] = madeUpRecord({ cases: [{}] }).cases;
    const isUsed = (name: string, apart: number, limit: number | null) =>
      basisOf(metric(name), 'duet', baseline!, candidate!, limit, { usual: 1, share: 0.1, apart }).background !==
      undefined;
    const within = [0.015, -0.015, 0.0151, -0.0151].map((apart) => isUsed('cpu-per-request', apart, 0.03));
    expect(within).toEqual([true, true, false, false]);
    expect([0.005, 0.0051].map((apart) => isUsed('cpu-per-request', apart, 0))).toEqual([true, false]);
    expect([0.005, 0.0051].map((apart) => isUsed('cpu-per-request', apart, null))).toEqual([true, false]);
    expect([0.025, 0.0251].map((apart) => isUsed('throughput', apart, 0.05))).toEqual([true, false]);
  });

  it('is every pair of trials for memory, and the pass without load for counts', () => {
    expect(basis('memory-peak')).toEqual({ mode: 'duet', samples: ['duet', 'solo'], note: null });
    expect(basis('queries-per-request')).toEqual({ mode: 'exact', samples: ['solo'], note: null });
  });

  it('is trials alone for everything where no duets are possible', () => {
    expect(basis('throughput', {}, 'interleaved')).toEqual({ mode: 'interleaved', samples: ['solo'], note: null });
    expect(basis('memory-peak', {}, 'interleaved').mode).toBe('interleaved');
    expect(basis('rows-per-request', {}, 'interleaved').mode).toBe('exact');
  });
});
