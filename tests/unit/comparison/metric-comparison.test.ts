import { describe, expect, it } from 'vitest';
import { type ComparedMetric, hypothesisId } from '../../../src/core/comparison/compared-metric.ts';
import { comparedMetricsOf } from '../../../src/core/comparison/compared-metrics.ts';
import type { Decision } from '../../../src/core/comparison/decision.ts';
import { metricComparison } from '../../../src/core/comparison/metric-comparison.ts';
import type { Limit } from '../../../src/core/config/resolved.ts';
import type { Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import { keyOf } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

type ComparingRecord = RunRecord & { comparing: Comparing };

const ratio = (value: number): Limit => ({ kind: 'ratio', value });

/** CPU per request, or throughput, of a service with one case. */
function comparedMetric(metric = 'cpu-per-request', limit: Limit = ratio(0.03)): ComparedMetric {
  const metrics = { [metric]: metric === 'throughput' ? { maxDecrease: limit } : { maxIncrease: limit } };
  const record = madeUpRecord({ rounds: 8, gate: { metrics }, cases: [{}] }) as ComparingRecord;
  return comparedMetricsOf(record).find((each) => hypothesisId(each) === `${keyOf({})} ${metric}`)!;
}

const decision = (given: Partial<Decision> = {}): Decision => ({
  id: 'x',
  estimate: 0.01,
  interval: [-0.02, 0.04],
  adjusted: [-0.03, 0.05],
  minimumDetectable: 0.1,
  verdict: 'inconclusive',
  leansToRed: false,
  rounds: 8,
  decidedAt: null,
  ...given,
});

const verdict = (of: ComparedMetric, given: Partial<Decision> = {}) =>
  metricComparison(of, decision(given), true).verdict;

describe('what a comparison of a metric says', () => {
  it('is what was decided', () => {
    for (const decided of ['regression', 'improvement', 'no-change', 'inconclusive'] as const) {
      expect(verdict(comparedMetric(), { verdict: decided })).toBe(decided);
    }
  });

  it('is turned back for a metric that is better higher', () => {
    const found = metricComparison(comparedMetric('throughput', ratio(0.05)), decision(), true);
    expect(found.change).toBeCloseTo(Math.expm1(-0.01), 12);
    expect(found.interval).toEqual([Math.expm1(-0.04), Math.expm1(0.02)]);
    expect(found.minimumDetectable).toBeCloseTo(1 - Math.exp(-0.1), 12);
  });
});

describe('what was not measured', () => {
  /** With an interval that says nothing. */
  const wide = (minimumDetectable: number) => ({ minimumDetectable, adjusted: [-5, 5] as [number, number] });

  it('is what has not come to a look', () => {
    expect(verdict(comparedMetric(), { adjusted: null, minimumDetectable: null })).toBe('not-measured');
  });

  it('is what would not have shown ten times the limit', () => {
    expect(verdict(comparedMetric(), wide(Math.log(1.29)))).toBe('inconclusive');
    expect(verdict(comparedMetric(), wide(Math.log(1.31)))).toBe('not-measured');
  });

  it('at a limit of 0 is what would not have shown half as much again', () => {
    expect(verdict(comparedMetric('cpu-per-request', ratio(0)), wide(Math.log(1.49)))).toBe('inconclusive');
    expect(verdict(comparedMetric('cpu-per-request', ratio(0)), wide(Math.log(1.51)))).toBe('not-measured');
  });

  it('is a fall that would have to be almost all there is, whatever the limit', () => {
    const of = comparedMetric('throughput', ratio(0.2));
    expect(verdict(of, wide(-Math.log(1 - 0.85)))).toBe('inconclusive');
    expect(verdict(of, wide(-Math.log(1 - 0.95)))).toBe('not-measured');
    const without = metricComparison(of, decision(wide(Number.POSITIVE_INFINITY)), true);
    expect(without).toMatchObject({ verdict: 'not-measured', minimumDetectable: null });
  });

  it('is not what an interval excludes ten times the limit of, whatever another run would show', () => {
    expect(verdict(comparedMetric(), { minimumDetectable: 2, adjusted: [-1, Math.log(1.29)] })).toBe('inconclusive');
    expect(verdict(comparedMetric(), { minimumDetectable: 2, adjusted: [-1, Math.log(1.31)] })).toBe('not-measured');
    const of = comparedMetric('throughput', ratio(0.05));
    expect(verdict(of, { minimumDetectable: 2, adjusted: [-1, -Math.log(1 - 0.49)] })).toBe('inconclusive');
    expect(verdict(of, { minimumDetectable: 2, adjusted: [-1, -Math.log(1 - 0.51)] })).toBe('not-measured');
  });

  it('is not what was decided, however little it would have shown', () => {
    expect(verdict(comparedMetric(), { verdict: 'regression', minimumDetectable: 2 })).toBe('regression');
    expect(verdict(comparedMetric(), { verdict: 'no-change', minimumDetectable: 2 })).toBe('no-change');
  });

  it('is not what is limited by a quantity, of which a share is not known', () => {
    const of = comparedMetric('cpu-per-request', { kind: 'absolute', value: 5 });
    expect(verdict(of, { minimumDetectable: 2 })).toBe('inconclusive');
  });

  it('is what nothing was paired of, and not what has no ratio', () => {
    const none = { ...comparedMetric(), ratios: null };
    expect(metricComparison({ ...none, pairs: [] }, null, true).verdict).toBe('not-measured');
    expect(metricComparison({ ...none, pairs: [1, 2, 3] }, null, true).verdict).toBe('inconclusive');
  });
});

describe('a case of an endpoint that is judged as a whole', () => {
  const member = { ...comparedMetric(), judgedBy: 'go/ping/*' };

  it('says nothing where it is open, nor where too little of it was measured', () => {
    expect(verdict(member)).toBeNull();
    expect(verdict(member, { adjusted: null, minimumDetectable: null })).toBeNull();
  });

  it.each(['regression', 'improvement', 'no-change'] as const)('says %s where it shows it by itself', (decided) => {
    expect(verdict(member, { verdict: decided })).toBe(decided);
  });
});
