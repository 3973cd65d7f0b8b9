import { describe, expect, it } from 'vitest';
import { comparedMetricsOf } from '../../../src/core/comparison/compared-metrics.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { gateHypotheses } from '../../../src/core/comparison/undecided.ts';
import type { CaseRecord, Comparing, RunRecord } from '../../../src/core/record/run-record.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

type Change = (record: CaseRecord) => CaseRecord;

const unchanged: Change = (record) => record;
const behindGateway: Change = (record) => ({
  ...record,
  route: 'gateway',
  key: record.key.replace('/direct/', '/gateway/'),
});
const marked =
  (variant: CaseRecord['variant']): Change =>
  (record) =>
    record.variant === variant
      ? { ...record, warnings: [{ code: 'errors-let-pass', message: '20 % failed; up to 50 % is let pass' }] }
      : record;

/** Fewer requests are answered, and each costs the service as much as before. */
const slower: MadeUpCase = { ratios: { throughput: 0.85 } };

function recordOf(change: Change, cases = [slower]): RunRecord & { comparing: Comparing } {
  const record = madeUpRecord({ seed: 5, rounds: 10, cases });
  return { ...record, cases: record.cases.map(change) } as RunRecord & { comparing: Comparing };
}

const redMetrics = (record: RunRecord) => comparisonOf(record).gate.regressions.map(({ metric }) => metric);

/** Metric → whether it is red only after another one, of what is judged by itself. */
const isAfter = (record: RunRecord & { comparing: Comparing }) =>
  Object.fromEntries(
    gateHypotheses(comparedMetricsOf(record))
      .filter(({ level }) => level === 'endpoint')
      .map(({ metric, after }) => [metric, after !== null]),
  );

describe('throughput and CPU per request of duets', () => {
  it('tell the same of what a service answers itself: throughput is not red by itself', () => {
    expect(redMetrics(recordOf(unchanged))).toEqual([]);
    expect(isAfter(recordOf(unchanged))).toMatchObject({ throughput: true, 'cpu-per-request': false });
  });

  it.each<[string, Change]>([
    ['behind a gateway', behindGateway],
    ["where the candidate's errors were let pass", marked('candidate')],
    ["where the baseline's errors were let pass", marked('baseline')],
  ])('are told apart %s', (_, change) => {
    expect(redMetrics(recordOf(change))).toEqual(['throughput']);
    expect(isAfter(recordOf(change))).toMatchObject({ throughput: false, 'cpu-per-request': false });
  });

  it('are told apart for an endpoint one of whose cases has the gateway in the way', () => {
    const some: Change = (record) => (record.connections === 1000 ? behindGateway(record) : record);
    const cases = [slower, { ...slower, connections: 1000 }];
    expect(isAfter(recordOf(some, cases))).toMatchObject({ throughput: false, 'cpu-per-request': false });
    expect(isAfter(recordOf(unchanged, cases))).toMatchObject({ throughput: true, 'cpu-per-request': false });
  });
});
