import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import type { Question } from '../../../src/core/comparison/question.ts';
import { undecidedCases } from '../../../src/core/comparison/undecided.ts';
import { overCases } from '../../../src/core/comparison/whole-service.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { seededRandom } from '../../../src/core/statistics/random.ts';
import { varianceWithinInstances } from '../../../src/core/statistics/within-instances.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';
import { normal } from '../../support/made-up/samples.ts';

const CONNECTIONS = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048];
/** Twelve cases whose memory scatters by a tenth from instance to instance, as that of a garbage collector does. */
const cases = (ratio: (connections: number) => number = () => 1): MadeUpCase[] =>
  CONNECTIONS.map((connections) => ({ connections, ratios: { 'memory-peak': ratio(connections) } }));
const onlyMemory = { metrics: { 'memory-peak': { maxIncrease: { kind: 'ratio' as const, value: 0.1 } } } };
const recordOf = (made: Partial<MadeUpRecord>) =>
  madeUpRecord({ seed: 3, instances: 10, scatter: 0.1, gate: onlyMemory, cases: cases(), ...made }) as RunRecord & {
    comparing: Comparing;
  };
const memoryOf = (made: Partial<MadeUpRecord>) => {
  const { services, cases: compared, gate } = comparisonOf(recordOf(made));
  return { services, verdicts: compared.map(({ metrics }) => metrics['memory-peak']!.verdict), gate };
};

describe('the memory of a service', () => {
  it('is decided over all of its cases, where none of them is by itself', () => {
    const { services, verdicts, gate } = memoryOf({});
    expect(services.map(({ key, endpoint, service }) => [key, service, endpoint])).toEqual([['go/*', 'go', '*']]);
    const { verdict, change, evidence, threshold } = services[0]!.metrics['memory-peak']!;
    expect(verdict).toBe('no-change');
    expect(Math.abs(change!)).toBeLessThan(0.03);
    expect(threshold).toEqual({ kind: 'ratio', value: 0.1 });
    expect(evidence).toMatchObject({
      mode: 'duet',
      instances: 10,
      note: 'over all 12 cases of the service, which one process serves',
    });
    expect(verdicts).toContain(null);
    expect(verdicts).not.toContain('inconclusive');
    expect(gate).toMatchObject({ passed: true, regressions: [], inconclusive: [] });
  });

  it('is a regression where the process takes more in every case, and names the service', () => {
    const { services, gate } = memoryOf({ cases: cases(() => 1.3) });
    expect(services[0]!.metrics['memory-peak']!.verdict).toBe('regression');
    expect(services[0]!.explanation).toMatchObject({ cpuUs: null, statements: [] });
    const [of] = gate.regressions;
    expect(of).toMatchObject({ caseKey: 'go/*', metric: 'memory-peak' });
    expect(gate.passed).toBe(false);
  });

  it('does not hide a single case that takes twice the memory', () => {
    const { services, gate } = memoryOf({ cases: cases((connections) => (connections === 8 ? 2.5 : 1)) });
    expect(services[0]!.metrics['memory-peak']!.verdict).toBe('no-change');
    expect(gate.regressions.map(({ caseKey }) => caseKey)).toEqual(['go/ping/direct/wrk/keep-alive/8']);
  });

  it('can be accepted by the name of the service', () => {
    const record = recordOf({ cases: cases(() => 1.3) });
    const { gate } = comparisonOf(record, { accepted: [{ cases: 'go', metric: 'memory-peak', reason: 'it caches' }] });
    expect(gate.regressions).toEqual([]);
    expect(gate.accepted.map(({ caseKey, reason }) => [caseKey, reason])).toContainEqual(['go/*', 'it caches']);
  });

  it('wants another instance of every case while it is open, and none when it is decided', () => {
    const look = (instances: number) => undecidedCases(recordOf({ instances }), { instances, final: false }).size;
    expect(look(3)).toBe(12);
    expect(look(10)).toBe(0);
  });

  it('is that of a case where there is one only, and is not asked where nothing limits it', () => {
    const one = memoryOf({ cases: cases().slice(0, 1) });
    expect(one.services).toEqual([]);
    expect(one.verdicts).toEqual(['no-change']);
    expect(memoryOf({ gate: { metrics: {} } }).services).toEqual([]);
    const only = { '*/8': { 'memory-peak': onlyMemory.metrics['memory-peak'] } };
    expect(memoryOf({ gate: { metrics: {}, cases: only } }).services).toEqual([]);
  });

  it('leaves out an instance that holds fewer than half of the cases', () => {
    const record = recordOf({});
    for (const { key, metrics } of record.cases) {
      if (CONNECTIONS.slice(0, 7).some((connections) => key.endsWith(`/${connections}`))) {
        metrics['memory-peak']!.samples = metrics['memory-peak']!.samples.filter(({ instance }) => instance < 5);
      }
    }
    expect(comparisonOf(record).services[0]!.metrics['memory-peak']!.evidence.instances).toBe(4);
  });
});

describe('the memory of a service whose cases have several limits', () => {
  const ratio = (value: number) => ({ 'memory-peak': { maxIncrease: { kind: 'ratio' as const, value } } });
  const endpoints: MadeUpCase[] = ['ping', 'db-users'].flatMap((endpoint) =>
    CONNECTIONS.slice(0, 6).map((connections) => ({ endpoint, connections })),
  );
  const worse = (endpoint: string, by: number) =>
    endpoints.map((each) => (each.endpoint === endpoint ? { ...each, ratios: { 'memory-peak': by } } : each));
  const made = (gate: NonNullable<MadeUpRecord['gate']>, all: MadeUpCase[], instances = 10) =>
    recordOf({ instances, gate, cases: all });

  it('is asked for each limit by itself, so that a tighter one is not lost in a looser one', () => {
    const gate = { metrics: ratio(0.5), cases: { '/db/*': ratio(0.05) } };
    const { services, gate: result } = comparisonOf(made(gate, worse('db-users', 1.25)));
    const verdicts = services.map(({ key, metrics }) => [key, metrics['memory-peak']!.verdict]);
    expect(verdicts).toEqual([
      ['go/*@50%', 'no-change'],
      ['go/*@5%', 'regression'],
    ]);
    expect(result.regressions.map(({ caseKey }) => caseKey)).toContain('go/*@5%');
    expect(services[1]!.metrics['memory-peak']!.evidence.note).toBe(
      'over the 6 cases of the service with this limit, which one process serves',
    );
  });

  it('is not red for cases that may take more', () => {
    const gate = { metrics: ratio(0.1), cases: { '*': ratio(0.5) } };
    const { services, gate: result } = comparisonOf(made(gate, worse('db-users', 1.2)));
    expect(services.map(({ key }) => key)).toEqual(['go/*']);
    expect(result.regressions).toEqual([]);
  });

  it('names what is open, and wants another instance of just those cases', () => {
    const gate = { metrics: ratio(0.5), cases: { '/db/*': ratio(0.05) } };
    const record = made(gate, worse('db-users', 1.06), 7);
    expect(comparisonOf(record).gate.inconclusive.map(({ caseKey }) => caseKey)).toEqual(['go/*@5%']);
    const open = [...undecidedCases(record, { instances: 7, final: false })];
    expect(open.map((key) => key.split('/')[1])).toEqual(new Array(6).fill('db-users'));
  });

  it('is that of a case where it is the only one with its limit', () => {
    const gate = { metrics: ratio(0.5), cases: { '*/32': ratio(0.05) } };
    const { services, cases: compared } = comparisonOf(made(gate, endpoints.slice(0, 6), 5));
    expect(services.map(({ key }) => key)).toEqual(['go/*@50%']);
    expect(compared.at(-1)!.metrics['memory-peak']!.verdict).toBe('inconclusive');
  });
});

describe('how the cases of a service scatter', () => {
  const random = seededRandom(20261121);
  const questionsOf = (cases: number, instances: number, scatter: number): Question[] =>
    Array.from({ length: cases }, (_, index) => ({
      id: `${index}`,
      group: 'memory',
      threshold: 0,
      logRatios: Array.from({ length: instances }, (__, at) => ({
        instance: at + 1,
        value: 0.1 * (index % 5) + scatter * normal(random),
      })),
    }));
  const within = (questions: Question[]) =>
    varianceWithinInstances(overCases(questions).map(({ pairs = [] }) => pairs));

  it('leaves out by what they differ in every instance alike', () => {
    expect(within(questionsOf(12, 5, 0))!.value).toBeLessThan(1e-20);
  });

  it('is that of each case about itself', () => {
    const ratio = within(questionsOf(12, 40, 0.1))!.value / (0.1 ** 2 / 12);
    expect(Math.abs(Math.log(ratio))).toBeLessThan(Math.log(1.4));
  });

  it('is the same at an earlier look, whatever came after it', () => {
    const questions = questionsOf(6, 10, 0.1);
    const until = (last: number) =>
      questions.map((each) => ({ ...each, logRatios: each.logRatios.filter(({ instance }) => instance <= last) }));
    expect(overCases(until(5))).toEqual(overCases(questions).slice(0, 5));
  });

  it('does not hide a change that every instance tells alike, though half of the cases take more than the others', () => {
    const { services } = memoryOf({
      instances: 5,
      scatter: 0.01,
      cases: cases((connections) => (connections > 32 ? 1.6 : 1.09)),
    });
    expect(services[0]!.metrics['memory-peak']!.verdict).toBe('regression');
  });
});
