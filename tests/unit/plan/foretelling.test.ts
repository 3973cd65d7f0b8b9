import { describe, expect, it } from 'vitest';
import { answersTo, type Question } from '../../../src/core/comparison/decision.ts';
import { serviceErrorRate } from '../../../src/core/comparison/undecided.ts';
import type { Deviation } from '../../../src/core/plan/deviations.ts';
import { type Foretelling, foretoldOf } from '../../../src/core/plan/foretelling.ts';
import { foretellingJson } from '../../../src/core/plan/foretelling-json.ts';
import { planOf } from '../../../src/core/plan/plan.ts';
import type { ResolvedSpec } from '../../../src/core/spec/resolved.ts';
import { median } from '../../../src/core/statistics/quantile.ts';
import { type Random, seededRandom } from '../../../src/core/statistics/random.ts';
import { specOfServices, specWith } from './fixtures.ts';

const deviations: Deviation[] = [
  ['throughput', 'wrk', 'duet', 'no database', 'any', 'any', 0.002, 0.008],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'any', 'any', 0, 0.01],
  ['cpu-per-request', 'k6', 'duet', 'database', 'any', 'any', 0.01, 0.01],
  ['latency-p50', 'k6', 'duet', 'database', 'any', 'any', 0, 0.006],
  ['memory-peak', 'wrk', 'duet', 'no database', 'any', 'any', 0.03, 0],
];
const foretold = (spec: ResolvedSpec, known = {}) =>
  foretoldOf(spec, planOf(spec, { seed: 1 }), { deviations, ...known });
const asked = ({ questions }: Foretelling) =>
  questions
    .filter(({ together }) => together === null)
    .map((question) => `${question.case.key} ${question.metric.name}`)
    .sort();

const BOTH = '{wrk: {connections: 100, keep-alive: on}, k6: {keep-alive: on}, warm-up: 2s}';

describe('what a budget is enough for', () => {
  it('is divided evenly among the services that are compared', () => {
    const spec = specOfServices(3, '{wrk: {connections: 100, keep-alive: on}, warm-up: 2s}');
    spec.services[2]!.role = 'reference';
    const told = foretold(spec).map(({ budgetSeconds, instance, instances }) => ({
      budgetSeconds,
      instance,
      instances,
    }));
    const instance = { lengths: { wrk: 2, k6: 3, ab: 0 }, pairsEach: 2, seconds: expect.closeTo(6.6 + 2 * 2.4) };
    expect(told).toEqual([
      { budgetSeconds: 150, instance, instances: 13 },
      { budgetSeconds: 150, instance, instances: 13 },
    ]);
  });

  it('is spent on slices in turn where the spec wants them', () => {
    const [told] = foretold(specWith('{wrk: {connections: 100, keep-alive: on}}', 'gate: {pairing: interleaved}\n'));
    expect(told).toMatchObject({ pairing: 'interleaved', instance: { pairsEach: 1 } });
  });
});

describe('what is foretold', () => {
  it('is what the gate asks: of each metric the cases that it is judged on', () => {
    const [told] = foretold(specWith(BOTH, 'database: {}\n'));
    expect(asked(told!)).toEqual(
      ['db-ping', 'ping'].flatMap((endpoint) => [
        `go/${endpoint}/direct/k6/keep-alive/100@60% cpu-per-request`,
        `go/${endpoint}/direct/k6/keep-alive/100@60% latency-p50`,
        `go/${endpoint}/direct/wrk/keep-alive/100 throughput`,
      ]),
    );
    const memory = told!.questions.filter(({ together }) => together !== null);
    expect(memory.map(({ metric, together }) => [metric.name, together])).toEqual([['memory-peak', 4]]);
    expect(told!.exact.map(({ metric }) => metric.name)).toEqual(['queries-per-request']);
  });

  it('asks of the memory of a service for each limit, as a comparison does', () => {
    const gate = 'gate: {cases: {"/db/*": {memory-peak: {max-increase: 5%}}}}\n';
    const [told] = foretold(specWith('{wrk: {connections: [100, 1000], keep-alive: on}}', gate));
    const memory = told!.questions.filter(({ metric }) => metric.name === 'memory-peak');
    expect(memory.map(({ key, together, limit }) => [key, together, limit.value]).sort()).toEqual([
      ['go/*@10%', 2, 0.1],
      ['go/*@5%', 2, 0.05],
    ]);
    const one = foretold(specWith('{wrk: {connections: 100, keep-alive: on}}', gate))[0]!;
    expect(asked(one).filter((id) => id.endsWith('memory-peak'))).toHaveLength(2);
  });

  it('is nothing of a tail for which the rate sends too few requests, and says how many it takes', () => {
    const tail: Deviation = ['latency-p99', 'k6', 'duet', 'no database', 'any', 'any', 0.06, 0.18];
    const tailAt = (rate: string) => {
      const spec = specWith(`{k6: {rate: ${rate}, keep-alive: on}}`, 'gate: {latency-p99: {max-increase: 20%}}\n');
      spec.endpoints = spec.endpoints.slice(0, 1);
      const [told] = foretold(spec, { deviations: [...deviations, tail] });
      expect(told!.instance).toMatchObject({ lengths: { k6: 3 }, pairsEach: 2 });
      return told!.questions.find(({ metric }) => metric.name === 'latency-p99')!;
    };
    expect(tailAt('1000/s')).toMatchObject({
      beyond: null,
      note: '20,000 requests an instance are needed, 3,334/s of each side: at 1,000/s undecided',
    });
    for (const rate of ['4000/s', '60%']) {
      expect(tailAt(rate).note).toBe('20,000 requests an instance are needed, 3,334/s of each side; else undecided');
      expect(tailAt(rate).beyond).toBeGreaterThan(0);
    }
  });

  it('takes every endpoint of a spec with a database to ask it, unless more is known', () => {
    const cpuOf = (spec: ResolvedSpec, known = {}) =>
      asked(foretold(spec, known)[0]!).filter((id) => id.endsWith('cpu-per-request'));
    expect(cpuOf(specWith(BOTH))).toEqual([
      'go/db-ping/direct/wrk/keep-alive/100 cpu-per-request',
      'go/ping/direct/wrk/keep-alive/100 cpu-per-request',
    ]);
    const known = { asksDatabase: (endpoint: string) => endpoint === 'db-ping' };
    expect(cpuOf(specWith(BOTH, 'database: {}\n'), known)).toEqual([
      'go/db-ping/direct/k6/keep-alive/100@60% cpu-per-request',
      'go/ping/direct/wrk/keep-alive/100 cpu-per-request',
    ]);
  });

  it('goes by the limit of the case; one that is off asks nothing', () => {
    const gate = `gate:
  cpu-per-request: {max-increase: 2us}
  throughput: off
  memory-peak: off
  cases: {"/db/*": {cpu-per-request: {max-increase: 25%}}}
`;
    const [told] = foretold(specWith('{wrk: {connections: 100, keep-alive: on}}', gate));
    const limits = told!.questions.map((question) => [question.case.endpoint.name, question.limit, question.threshold]);
    expect(limits.sort()).toEqual([
      ['db-ping', { kind: 'ratio', value: 0.25 }, Math.log1p(0.25)],
      ['ping', { kind: 'absolute', value: 2 }, null],
    ]);
  });

  it('is nothing without a service to compare, and of metrics that were not recorded', () => {
    const spec = specWith(BOTH, 'gate: {latency-p75: {max-increase: 5%}}\n');
    const p75 = foretold(spec)[0]!.questions.filter(({ metric }) => metric.name === 'latency-p75');
    expect(p75.map(({ deviation, beyond }) => ({ deviation, beyond }))).toEqual([
      { deviation: null, beyond: null },
      { deviation: null, beyond: null },
    ]);
    spec.services[0]!.role = 'reference';
    expect(foretold(spec)).toEqual([]);
  });

  it('needs two instances', () => {
    const [told] = foretold(specWith(BOTH, 'gate: {budget: 20s}\n'));
    expect(told!.instances).toBe(1);
    expect(told!.questions.map(({ beyond }) => beyond)).toEqual(told!.questions.map(() => null));
  });

  it.each([
    ['one case', '{wrk: {connections: 100, keep-alive: on}}', ''],
    ['a matrix with a database', BOTH, 'database: {}\ngate: {budget: 10m}\n'],
    ['no limit but 0', BOTH, 'gate: {cpu-per-request: {max-increase: 0%}, throughput: {max-decrease: 0%}}\n'],
  ])('agrees with what is found within a factor of 1.5: %s', (_, load, more) => {
    const spec = specWith(load, more);
    const [told] = foretold(spec);
    const factors = foundOf(told!, spec, seededRandom(20261120)).map((found, index) => {
      const { threshold, beyond } = told!.questions[index]!;
      return Math.abs(Math.log((found - threshold!) / beyond!));
    });
    expect(Math.max(...factors)).toBeLessThan(Math.log(1.5));
  });
});

describe('for a program', () => {
  const spec = specWith(
    '{wrk: {connections: 100, keep-alive: on}, warm-up: 2s}',
    'gate: {memory-peak: off, budget: 90s}\n',
  );
  spec.endpoints = spec.endpoints.slice(0, 1);

  it('has each change as a share of the baseline, as a comparison has it', () => {
    expect(foretellingJson(spec, foretold(spec))).toMatchObject({
      budgetSeconds: 90,
      services: [
        {
          service: 'go',
          pairing: 'duet',
          budgetSeconds: 90,
          instances: 10,
          secondsPerInstance: 9,
          pairsPerInstance: 1,
          duetSeconds: { wrk: 2, k6: 3, ab: 0 },
          changes: [
            {
              case: 'go/ping/direct/wrk/keep-alive/100',
              metric: 'throughput',
              limit: { kind: 'ratio', value: 0.05 },
              minimumDetectable: 0.06409,
              beyondLimit: 0.01409,
              note: null,
            },
            {
              case: 'go/ping/direct/wrk/keep-alive/100',
              metric: 'cpu-per-request',
              limit: { kind: 'ratio', value: 0.03 },
              minimumDetectable: 0.04883,
              beyondLimit: 0.01883,
              note: null,
            },
          ],
          exact: [],
        },
      ],
    });
  });

  it('is nothing where no side by side is measured', () => {
    for (const baseline of ['none', 'stored']) {
      expect(foretellingJson({ ...spec, gate: { ...spec.gate, baseline } }, foretold(spec))).toBeNull();
    }
  });
});

/** The median over some matrices with changes at their limits, so that each stays open to the end; for each question. */
function foundOf({ questions, instances }: Foretelling, spec: ResolvedSpec, random: Random): number[] {
  const matrices = Array.from({ length: 31 }, () => {
    const drawn = questions.map((question, index): Question => {
      const threshold = question.threshold!;
      return {
        id: `${index}`,
        group: `${question.metric.name} ${question.case.generator}`,
        threshold,
        logRatios: Array.from({ length: instances }, (_, at) => ({
          instance: at + 1,
          value: threshold + question.deviation! * normal(random),
        })),
      };
    });
    const answers = answersTo(drawn, { instances, final: true }, serviceErrorRate({ spec }));
    return answers.map(({ minimumDetectable }) => minimumDetectable!);
  });
  return questions.map((_, index) => median(matrices.map((found) => found[index]!)));
}

/** The sum of twelve uniform numbers is all but normal, with a variance of 1. */
function normal(random: Random): number {
  return Array.from({ length: 12 }, () => random.next() - 0.5).reduce((sum, each) => sum + each);
}
