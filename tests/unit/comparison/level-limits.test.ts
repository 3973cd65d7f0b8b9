import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import type { MetricLimit } from '../../../src/core/config/resolved.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const wrkCase = keyOf({});
const k6Case = keyOf({ generator: 'k6' });
const memory = { 'memory-peak': { max: 100 * 2 ** 20 } };

const gateOf = (metrics: Record<string, MetricLimit>, ...cases: MadeUpCase[]) =>
  comparisonOf(madeUpRecord({ scatter: 0, drift: 0, rounds: 10, gate: { metrics }, cases }));

describe('a limit of the level, beside a baseline', () => {
  it('of a metric that the candidate no longer has is invalid, whether or not a change is limited as well', () => {
    const { gate, cases } = gateOf(memory, { lacking: { candidate: ['memory-peak'] } });
    expect(cases[0]!.metrics['memory-peak']).toMatchObject({ verdict: 'invalid', threshold: null });
    expect(gate).toMatchObject({
      passed: false,
      invalid: [
        {
          caseKey: wrkCase,
          metric: 'memory-peak',
          message: 'Memory, peak: the baseline has it, the candidate has not',
        },
      ],
    });
  });

  it('of a metric that a stored candidate no longer has is invalid as well', () => {
    const [base, head] = ['a', 'b'].map((id) =>
      madeUpRecord({ id, comparing: null, gate: { metrics: memory }, cases: [{ only: 'candidate' }] }),
    );
    delete head!.cases[0]!.metrics['memory-peak'];
    expect(storedComparison(base!, head!).gate).toMatchObject({ passed: false, invalid: [{ metric: 'memory-peak' }] });
  });

  it('of a metric that neither side of a case has, and another case has, is open', () => {
    const both = ['memory-peak'];
    const lacking = { connections: 1000, lacking: { baseline: both, candidate: both } };
    const { gate, warnings } = gateOf(memory, {}, lacking);
    expect(gate).toMatchObject({
      passed: true,
      inconclusive: [
        {
          caseKey: keyOf(lacking),
          metric: 'memory-peak',
          message: 'Memory, peak: it is limited, and was not measured here',
        },
      ],
    });
    expect(warnings).toEqual([]);
  });

  it('of a metric that no case has is unused', () => {
    const both = ['memory-peak'];
    const { gate, warnings } = gateOf(memory, { lacking: { baseline: both, candidate: both } });
    expect(gate).toMatchObject({ passed: true, inconclusive: [] });
    expect(warnings.map(({ message }) => message)).toEqual([
      'memory-peak is limited, and no case of this run can be held to it.',
    ]);
  });

  const few: MadeUpCase = { generator: 'k6', levels: { throughput: 480, 'latency-p99': 900 } };
  const tooFew =
    'Latency, p99: 4,800 requests are too few for a limit on it: 20,000 are needed, by a longer duration or a higher rate';

  it('of a tail with too few requests is open, and fails where that is asked for', () => {
    const metrics = { 'latency-p99': { max: 50 } };
    const { gate, cases } = gateOf(metrics, few);
    expect(cases[0]!.metrics['latency-p99']).toMatchObject({ verdict: null, brokenLimit: null });
    expect(gate).toMatchObject({
      passed: true,
      regressions: [],
      inconclusive: [{ caseKey: k6Case, metric: 'latency-p99', message: tooFew }],
    });
    const record = madeUpRecord({ seed: 5, rounds: 10, gate: { metrics }, cases: [few] });
    expect(comparisonOf(record, { failOnInconclusive: true }).gate.passed).toBe(false);
  });

  it('of a tail is open beside a change that was decided from the duets', () => {
    const metrics = { 'latency-p99': { max: 50, maxIncrease: { kind: 'ratio' as const, value: 0.2 } } };
    const record = madeUpRecord({
      seed: 5,
      rounds: 10,
      gate: { metrics },
      cases: [{ generator: 'k6', levels: { throughput: 9_000 } }],
    });
    for (const { metrics: own } of record.cases) {
      for (const sample of own.throughput!.samples) if (sample.round === 0) sample.value = 480;
    }
    const { gate, cases } = comparisonOf(record);
    expect(cases[0]!.metrics['latency-p99']!.verdict).toBe('no-change');
    expect(gate.inconclusive).toEqual([{ caseKey: k6Case, metric: 'latency-p99', message: tooFew }]);
  });

  it('of a tail is told once where its change is open as well', () => {
    const metrics = { 'latency-p99': { max: 50, maxIncrease: { kind: 'ratio' as const, value: 0.2 } } };
    const { inconclusive } = gateOf(metrics, few).gate;
    expect(inconclusive).toHaveLength(1);
    expect(inconclusive[0]!.message).toContain('4,800 requests are too few for a limit on it');
  });
});
