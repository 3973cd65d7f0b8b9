import { describe, expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import type { RunRecord } from '../../../src/core/record/run-record.ts';
import type { MadeUpCase } from '../../support/made-up/case-record.ts';
import { type MadeUpRecord, madeUpRecord } from '../../support/made-up/run-record.ts';

const costsTwiceAsMuch = { throughput: 0.5, 'cpu-per-request': 2, 'latency-p50': 2 };
const ab: MadeUpCase = { generator: 'ab', levels: { 'cpu-per-request': 60 }, ratios: costsTwiceAsMuch };

const recordOf = (cases: MadeUpCase[], made: Partial<MadeUpRecord> = {}) =>
  madeUpRecord({ seed: 5, rounds: 10, cases, ...made });
const warned = (record: RunRecord) => comparisonOf(record).warnings.map(({ message }) => message);

const unjudged = (services: string) =>
  `Neither throughput nor CPU per request of ${services} is judged, since no case of this run can be held to a limit of ` +
  'them: use `load: {preset: standard}`, or add cases of wrk (load.wrk).';

describe('a service of which no case gates what a request costs', () => {
  it('is told where all of its cases are of ab, and passes at twice the cost', () => {
    const comparison = comparisonOf(recordOf([ab]));
    expect(comparison.gate.passed).toBe(true);
    expect(comparison.warnings).toEqual([{ code: 'limit-unused', message: unjudged('go') }]);
  });

  it('is told where all of its cases are of k6 without a rate', () => {
    const record = recordOf([{ generator: 'k6', ratios: costsTwiceAsMuch }]);
    const cases = record.cases.map((each) => ({ ...each, key: each.key.replace('@60%', '@vus'), rate: null }));
    expect(warned({ ...record, cases })).toEqual([unjudged('go')]);
  });

  it('is told with others like it, and without one that is judged', () => {
    const services = ['go', 'rust'].map((service) => ({ ...ab, service }));
    expect(warned(recordOf([...services, { service: 'node' }]))).toEqual([unjudged('go, rust')]);
  });

  it('is told of stored numbers as well', () => {
    const [base, head] = ['2026-01-01', '2026-01-02'].map((day) =>
      recordOf([{ ...ab, only: 'candidate' }], { id: day, startedAt: `${day}T00:00:00.000Z`, comparing: null }),
    );
    expect(storedComparison(base!, head!).warnings.map(({ message }) => message)).toContain(unjudged('go'));
  });
});

describe('nothing is said of a service', () => {
  it.each<[string, MadeUpCase[]]>([
    ['with a case of wrk beside one of ab', [ab, {}]],
    ['with CPU per request judged by k6 at a fixed rate', [ab, { generator: 'k6' }]],
    ['that is new', [{ ...ab, only: 'candidate' }]],
    ['of which no case is valid', [{ ...ab, invalid: { candidate: 'x' } }]],
  ])('%s', (_, cases) => {
    expect(warned(recordOf(cases))).toEqual([]);
  });

  it('where both limits are switched off', () => {
    const gate = { metrics: { throughput: {}, 'cpu-per-request': {} } };
    expect(warned(recordOf([ab], { gate }))).toEqual([]);
  });
});
