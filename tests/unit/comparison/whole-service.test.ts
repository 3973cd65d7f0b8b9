import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { undecidedCases } from '../../../src/core/comparison/undecided.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

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
