import { describe, expect, it } from 'vitest';
import { decisionsOn } from '../../../src/core/comparison/decision.ts';
import { serviceErrorRate } from '../../../src/core/comparison/error-rates.ts';
import type { Hypothesis } from '../../../src/core/comparison/hypothesis.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { type Detectability, detectabilityOf } from '../../../src/core/plan/detectability.ts';
import { detectabilityJson } from '../../../src/core/plan/detectability-json.ts';
import type { NoiseProfileRow } from '../../../src/core/plan/noise-profile.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';
import { comparingRun, smallSpec } from '../support/comparing.ts';
import { specOfServices, specWith } from './fixtures.ts';

const noiseProfile: NoiseProfileRow[] = [
  ['throughput', 'wrk', 'duet', 'no database', 'any', 'any', 0.002, 0.008],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'any', 'any', 0, 0.01],
  ['cpu-per-request', 'k6', 'duet', 'database', 'any', 'any', 0.01, 0.01],
  ['latency-p50', 'k6', 'duet', 'database', 'any', 'any', 0, 0.006],
  ['memory-peak', 'wrk', 'duet', 'no database', 'any', 'any', 0.03, 0],
];
const detected = (spec: ResolvedSpec, known = {}, budgetSeconds = 300) =>
  detectabilityOf(spec, planOf(spec, { seed: 1 }), budgetSeconds, { noiseProfile, ...known });
/** `throughput`: what of it is judged, by level. */
const judged = ({ units }: Detectability, metric: string) =>
  units.flatMap((unit) => (unit.metric.name === metric ? [`${unit.level} ${unit.key}`] : [])).sort();

const WRK = '{wrk: {connections: 100, keep-alive: on}, warm-up: 2s}';
const BOTH = '{wrk: {connections: 100, keep-alive: on}, k6: {keep-alive: on}, warm-up: 2s}';

describe('what a budget is enough for', () => {
  it('is divided evenly among the services that are compared', () => {
    const spec = specOfServices(3, WRK);
    spec.services[2]!.role = 'reference';
    const found = detected(spec).map(({ budgetSeconds, round, rounds }) => ({ budgetSeconds, round, rounds }));
    const seconds = expect.closeTo(1.2 + 2.04 + 4 * 0.75);
    const round = { lengths: { wrk: 0.5, k6: 2.5, ab: 0, h2load: 3 }, pairsEach: 4, seconds };
    expect(found).toEqual([
      { budgetSeconds: 150, round, rounds: 24 },
      { budgetSeconds: 150, round, rounds: 24 },
    ]);
  });

  it('is spent on trials in turn where the spec wants them', () => {
    const [found] = detected(specWith(WRK, 'gate: {pairing: interleaved}\n'));
    expect(found).toMatchObject({ pairing: 'interleaved', round: { pairsEach: 1 } });
  });
});

describe('what is judged', () => {
  const GRID = '{wrk: {connections: [100, 1000], keep-alive: on}, warm-up: 2s}';

  it('is the service, each of its endpoints, and each case of an endpoint that has several', () => {
    expect(judged(detected(specWith(GRID))[0]!, 'throughput')).toEqual([
      'case go/db-ping/direct/wrk/keep-alive/100',
      'case go/db-ping/direct/wrk/keep-alive/1000',
      'case go/ping/direct/wrk/keep-alive/100',
      'case go/ping/direct/wrk/keep-alive/1000',
      'endpoint go/db-ping/*',
      'endpoint go/ping/*',
      'service go/*',
    ]);
  });

  it('is the only case of an endpoint as that endpoint, and the only endpoint as the service', () => {
    expect(judged(detected(specWith(WRK))[0]!, 'throughput')).toEqual([
      'endpoint go/db-ping/direct/wrk/keep-alive/100',
      'endpoint go/ping/direct/wrk/keep-alive/100',
      'service go/*',
    ]);
    const spec = specWith(WRK);
    spec.endpoints = spec.endpoints.slice(0, 1);
    expect(judged(detected(spec)[0]!, 'throughput')).toEqual(['endpoint go/ping/direct/wrk/keep-alive/100']);
  });

  it('is of memory the process and each case: endpoints have none of their own', () => {
    expect(judged(detected(specWith(WRK))[0]!, 'memory-peak')).toEqual([
      'case go/db-ping/direct/wrk/keep-alive/100',
      'case go/ping/direct/wrk/keep-alive/100',
      'service go/*',
    ]);
  });

  it('is of each metric the cases that gate it', () => {
    const [found] = detected(specWith(BOTH, 'database: {}\n'));
    const k6 = ['db-ping', 'ping'].map((name) => `endpoint go/${name}/direct/k6/keep-alive/100@60%`);
    expect(judged(found!, 'latency-p50')).toEqual([...k6, 'service go/*']);
    expect(judged(found!, 'cpu-per-request')).toEqual([
      'case go/db-ping/direct/k6/keep-alive/100@60%',
      'case go/db-ping/direct/wrk/keep-alive/100',
      'case go/ping/direct/k6/keep-alive/100@60%',
      'case go/ping/direct/wrk/keep-alive/100',
      'endpoint go/db-ping/*',
      'endpoint go/ping/*',
      'service go/*',
    ]);
    expect(judged(found!, 'throughput')).toHaveLength(3);
    expect(found!.exact.map(({ metric }) => metric.name)).toEqual(['queries-per-request']);
  });

  it('is of h2load the throughput of a closed loop, and the latency of a fixed rate', () => {
    const ofRate = (rate: string) => detected(specWith(`{h2load: {rate: ${rate}}, warm-up: 2s}`))[0]!;
    const names = (found: Detectability) => [...new Set(found.units.map(({ metric }) => metric.name))];
    expect(names(ofRate('max'))).toEqual(['throughput', 'cpu-per-request', 'memory-peak']);
    expect(names(ofRate('60%'))).toEqual(['latency-p50', 'cpu-per-request', 'memory-peak']);
    const cpuNote = (rate: string) => ofRate(rate).units.find(({ metric }) => metric.name === 'cpu-per-request')!.note;
    expect(cpuNote('max')).toBeNull();
    expect(cpuNote('60%')).toContain('measured with h2load at a fixed rate');
  });

  it('is held to one limit each, as a comparison does', () => {
    const gate = 'gate: {cases: {"/db/*": {memory-peak: {max-increase: 5%}}}}\n';
    const memory = detected(specWith(GRID, gate))[0]!.units.filter(({ metric }) => metric.name === 'memory-peak');
    const ofService = memory.filter(({ level }) => level === 'service');
    expect(ofService.map(({ key, limit }) => [key, limit.value]).sort()).toEqual([
      ['go/*@10%', 0.1],
      ['go/*@5%', 0.05],
    ]);
  });

  it('is what a comparison judges', async () => {
    const spec = smallSpec([{}, { name: 'users', path: '/users' }]);
    spec.load.wrk!.connections = [10, 100];
    const limit = { maxIncrease: { kind: 'ratio' as const, value: 0.05 } };
    spec.gate.metrics = { throughput: { maxDecrease: limit.maxIncrease } };
    const { comparison } = await comparingRun({ candidate: spec, budgetSeconds: 1 });
    const found = [...comparison.services, ...comparison.endpoints, ...comparison.cases].flatMap(({ key, metrics }) =>
      metrics.throughput?.threshold ? [key] : [],
    );
    const [planned] = detected(spec);
    expect(planned!.units.map(({ key }) => key).sort()).toEqual(found.sort());
    expect(found).toHaveLength(7);
  });

  it('takes every endpoint of a spec with a database to ask it, unless more is known', () => {
    const cpuOf = (spec: ResolvedSpec, known = {}) => judged(detected(spec, known)[0]!, 'cpu-per-request').slice(0, -1);
    expect(cpuOf(specWith(BOTH))).toEqual([
      'case go/db-ping/direct/k6/keep-alive/100@60%',
      'case go/db-ping/direct/wrk/keep-alive/100',
      'case go/ping/direct/k6/keep-alive/100@60%',
      'case go/ping/direct/wrk/keep-alive/100',
      'endpoint go/db-ping/*',
      'endpoint go/ping/*',
    ]);
    const known = { asksDatabase: (endpoint: string) => endpoint === 'db-ping' };
    expect(cpuOf(specWith(BOTH, 'database: {}\n'), known)).toEqual([
      'case go/db-ping/direct/k6/keep-alive/100@60%',
      'case go/db-ping/direct/wrk/keep-alive/100',
      'case go/ping/direct/k6/keep-alive/100@60%',
      'case go/ping/direct/wrk/keep-alive/100',
      'endpoint go/db-ping/*',
      'endpoint go/ping/*',
    ]);
  });

  it('goes by the limit of the case; one that is off is not judged', () => {
    const gate = `gate:
  cpu-per-request: {max-increase: 2us}
  throughput: off
  memory-peak: off
  cases: {"/db/*": {cpu-per-request: {max-increase: 25%}}}
`;
    const [found] = detected(specWith(WRK, gate));
    const limits = found!.units.map(({ key, limit, threshold }) => [key, limit, threshold]);
    expect(limits.sort()).toEqual([
      ['go/db-ping/direct/wrk/keep-alive/100', { kind: 'ratio', value: 0.25 }, Math.log1p(0.25)],
      ['go/ping/direct/wrk/keep-alive/100', { kind: 'absolute', value: 2 }, null],
    ]);
  });

  it('is nothing without a service to compare', () => {
    const spec = specWith(BOTH);
    spec.services[0]!.role = 'reference';
    expect(detected(spec)).toEqual([]);
  });
});

describe('what is detected', () => {
  it('is less with more levels: of the error rate endpoints get half, the service and all cases a quarter each', () => {
    const [found] = detected(
      specWith('{wrk: {connections: [100, 1000], keep-alive: on}}', 'gate: {memory-peak: off}\n'),
    );
    const shares = (level: string) => found!.units.filter((unit) => unit.level === level).map(({ share }) => share);
    // Throughput and CPU per request of the same duets say the same and share.
    expect(shares('service')).toEqual([0.25, 0.25]);
    expect(shares('endpoint')).toEqual([0.25, 0.25, 0.25, 0.25]);
    expect(shares('case')).toEqual(Array(8).fill(0.0625));
  });

  it('is paid for by throughput and CPU per request each where a gateway is in the way of one', () => {
    const more = 'gate: {memory-peak: off}\ngateway: nginx\n';
    const [found] = detected(specWith('{wrk: {connections: 100, keep-alive: on}}', more));
    const shares = (level: string, route = '') =>
      found!.units.filter(({ key, ...unit }) => unit.level === level && key.includes(route)).map(({ share }) => share);
    expect(shares('service')).toEqual([0.125, 0.125]);
    expect(shares('endpoint')).toEqual([0.125, 0.125, 0.125, 0.125]);
    // Two cases whose two metrics share, and two whose metrics do not.
    expect([shares('case', '/direct/'), shares('case', '/gateway/')]).toEqual([
      Array(4).fill(0.25 / 6),
      Array(4).fill(0.25 / 6),
    ]);
  });

  it('is more of a service than of an endpoint, and more of that than of a case', () => {
    const [found] = detected(specWith('{wrk: {connections: [100, 1000], keep-alive: on}}'));
    const beyond = (level: string) =>
      Math.max(
        ...found!.units.flatMap((unit) =>
          unit.level === level && unit.metric.name === 'cpu-per-request' ? [unit.beyond!] : [],
        ),
      );
    expect(beyond('service')).toBeLessThan(beyond('endpoint'));
    expect(beyond('endpoint')).toBeLessThan(beyond('case'));
  });

  it('is nothing with fewer than eight rounds', () => {
    const beyond = (rounds: number) => detected(specWith(BOTH), { rounds })[0]!.units.map((unit) => unit.beyond);
    expect(new Set(beyond(7))).toEqual(new Set([null]));
    expect(beyond(8).filter((each) => each !== null)).not.toEqual([]);
  });

  it('is nothing of metrics that were not recorded', () => {
    const spec = specWith(BOTH, 'gate: {latency-p75: {max-increase: 5%}}\n');
    const p75 = detected(spec)[0]!.units.filter(({ metric }) => metric.name === 'latency-p75');
    expect(p75.map(({ deviation, beyond }) => [deviation, beyond])).toEqual(Array(3).fill([null, null]));
  });

  it('is nothing of a tail for which the rate sends too few requests, and says how many it takes', () => {
    const tail: NoiseProfileRow = ['latency-p99', 'k6', 'duet', 'no database', 'any', 'any', 0.06, 0.18];
    const tailAt = (rate: string) => {
      const spec = specWith(
        `{k6: {rate: ${rate}, keep-alive: on}, warm-up: 2s}`,
        'gate: {latency-p99: {max-increase: 20%}}\n',
      );
      spec.endpoints = spec.endpoints.slice(0, 1);
      const [found] = detected(spec, { noiseProfile: [...noiseProfile, tail] });
      expect(found!.round).toMatchObject({ lengths: { k6: 2.5 }, pairsEach: 1 });
      return found!.units.find(({ metric }) => metric.name === 'latency-p99')!;
    };
    expect(tailAt('300/s')).toMatchObject({
      beyond: null,
      note: '1,000 requests per round are needed, 400/s of each side: at 300/s undecided',
    });
    for (const rate of ['500/s', '60%']) {
      expect(tailAt(rate).note).toBe('1,000 requests per round are needed, 400/s of each side; else undecided');
      expect(tailAt(rate).beyond).toBeGreaterThan(0);
    }
  });

  it.each([
    ['one case', WRK, '', 300],
    ['a matrix with a database', BOTH, 'database: {}\n', 600],
    ['no limit but 0', BOTH, 'gate: {cpu-per-request: {max-increase: 0%}, throughput: {max-decrease: 0%}}\n', 300],
  ])('is found to be so within a factor of 1.5: %s', (_, load, more, budgetSeconds) => {
    const spec = specWith(load, more);
    const [planned] = detected(spec, {}, budgetSeconds);
    const factors = foundOf(planned!, spec, seededRandom(20261120)).map((found, index) => {
      const { threshold, beyond } = planned!.units[index]!;
      return Math.abs(Math.log((found - threshold!) / beyond!));
    });
    expect(factors.length).toBeGreaterThan(5);
    expect(Math.max(...factors)).toBeLessThan(Math.log(1.5));
  });
});

describe('for a program', () => {
  const spec = specWith(WRK, 'gate: {memory-peak: off, budget: 90s}\n');
  spec.endpoints = spec.endpoints.slice(0, 1);
  const plan = planOf(spec, { seed: 1 });

  it('has each change as a share of the baseline, as a comparison has it', () => {
    const key = 'go/ping/direct/wrk/keep-alive/100';
    expect(detectabilityJson(spec, plan, detected(spec, {}, 90))).toMatchObject({
      budgetSeconds: 90,
      // The job, short trials of both sides, the first round's learning, one start more.
      pullRequestSeconds: Math.round(30 + 2 * 0.85 + 7 + 3.24 + 90),
      services: [
        {
          service: 'go',
          pairing: 'duet',
          budgetSeconds: 90,
          rounds: 14,
          secondsPerRound: 6.24,
          trialsPerRound: 4,
          trialSeconds: { wrk: 0.5, k6: 2.5, ab: 0 },
          changes: [
            { key, level: 'endpoint', metric: 'throughput', limit: { kind: 'ratio', value: 0.05 }, note: null },
            { key, level: 'endpoint', metric: 'cpu-per-request', limit: { kind: 'ratio', value: 0.03 }, note: null },
          ],
          exact: [],
        },
      ],
    });
    const [throughput, cpu] = detectabilityJson(spec, plan, detected(spec, {}, 90))!.services[0]!.changes;
    expect([throughput!.minimumDetectable, throughput!.beyondLimit]).toEqual([0.05737, 0.007366]);
    expect([cpu!.minimumDetectable, cpu!.beyondLimit]).toEqual([0.039, 0.009003]);
  });

  it('is nothing where no side by side is measured', () => {
    for (const baseline of ['none', 'stored']) {
      expect(detectabilityJson({ ...spec, gate: { ...spec.gate, baseline } }, plan, detected(spec))).toBeNull();
    }
  });
});

/** The median over some matrices with changes at their limits, so that each stays open to the end; for each unit. */
function foundOf({ units, rounds }: Detectability, spec: ResolvedSpec, random: Random): number[] {
  const matrices = Array.from({ length: 31 }, () => {
    const hypotheses = units.map((unit, index): Hypothesis => {
      const values = Array.from({ length: rounds }, (_, at) => ({
        round: at + 1,
        value: unit.threshold! + unit.deviation! * normal(random),
      }));
      return {
        id: `${index}`,
        ...{ level: unit.level, metric: unit.metric.name, groups: [[{ values, weight: 1 }]] },
        ...{ threshold: unit.threshold!, share: unit.share, after: null },
      };
    });
    const decisions = decisionsOn(hypotheses, { rounds, final: true }, serviceErrorRate({ spec }));
    return decisions.map(({ minimumDetectable }) => minimumDetectable!);
  });
  return units.map((_, index) => median(matrices.map((found) => found[index]!)));
}

/** The sum of twelve uniform numbers is all but normal, with a variance of 1. */
function normal(random: Random): number {
  return Array.from({ length: 12 }, () => random.next() - 0.5).reduce((sum, each) => sum + each);
}
