import { describe, expect, it } from 'vitest';
import type { Acceptance } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { storedComparison } from '../../../src/core/comparison/stored.ts';
import { judgedRun, runVerdict } from '../../../src/core/posting/verdict.ts';
import { headline } from '../../../src/core/report/comparison/headline.ts';
import { comparisonText } from '../../../src/core/report/comparison/text.ts';
import { inlineText } from '../../../src/core/report/inline-text.ts';
import { keyOf, type MadeUpCase } from '../../support/made-up/case-record.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const QUERIES = 'queries-per-request';
const gate = { metrics: { [QUERIES]: { maxIncrease: { kind: 'absolute' as const, value: 0 } } } };
const counted = (was: number | number[], is: number | number[]): Pick<MadeUpCase, 'counts'> => ({
  counts: { baseline: { [QUERIES]: was }, candidate: { [QUERIES]: is } },
});
const FAILED = { invalid: { candidate: '12 % of requests failed' } };
const recordOf = (cases: MadeUpCase[]) =>
  madeUpRecord({ seed: 5, rounds: 10, gate, cases: [{ endpoint: 'other' }, ...cases] });
const gateOf = (cases: MadeUpCase[], accepted: Acceptance[] = []) => comparisonOf(recordOf(cases), { accepted }).gate;
const users = { endpoint: 'users' };
const red = (key = keyOf(users)) => [
  { caseKey: key, metric: QUERIES, message: 'Queries per request: +1, 1 → 2; limit +0' },
];

describe('a count that got worse in a case that is invalid under load', () => {
  it('is red beside it, whichever side is invalid', () => {
    for (const side of ['candidate', 'baseline']) {
      const found = gateOf([{ ...users, ...counted(1, 2), invalid: { [side]: '12 % of requests failed' } }]);
      expect(found.invalid.map(({ caseKey }) => caseKey)).toEqual([keyOf(users)]);
      expect(found).toMatchObject({ passed: false, regressions: red() });
    }
  });

  it('is said in the first line and has its row, and nothing of the load that failed', () => {
    const record = recordOf([{ ...users, ...FAILED, ...counted(1, 2), ratios: { 'cpu-per-request': 2 } }]);
    const comparison = comparisonOf(record);
    expect(inlineText(headline(comparison, record).text)).toBe(
      'Regression in 1 of 2 endpoints: go · /users sends 2 queries per request instead of 1 · 1 not judged',
    );
    const text = comparisonText(comparison, { record });
    expect(text).toMatch(/Queries per request +1 +2 +✗ \+1 worse +0/);
    expect(text).toContain('candidate: 12 % of requests failed');
    expect(text).not.toContain('of CPU per request');
    expect(runVerdict(judgedRun(record, comparison))).toBe('regression');
  });

  it('is told once of an endpoint with several, and not again where a valid case of it has it', () => {
    const many = [100, 200, 400].map((connections) => ({ ...users, connections, ...counted(1, 2) }));
    expect(gateOf(many.map((each) => ({ ...each, ...FAILED }))).regressions).toEqual(red());
    const [first, ...rest] = many;
    expect(gateOf([{ ...first!, ...FAILED }, ...rest]).regressions).toEqual(red('go/users/*'));
  });

  it('is accepted as any other, and the case stays invalid', () => {
    const accepted = [{ cases: '*/users/*', metric: QUERIES, reason: 'roles are needed' }];
    expect(gateOf([{ ...users, ...FAILED, ...counted(1, 2) }], accepted)).toMatchObject({
      passed: false,
      regressions: [],
      accepted: [{ caseKey: keyOf(users), metric: QUERIES, reason: 'roles are needed' }],
      invalid: [{ caseKey: keyOf(users) }],
    });
  });

  it('is red against a stored run too', () => {
    const only = (record: ReturnType<typeof recordOf>, variant: 'baseline' | 'candidate', id: string) => ({
      ...record,
      id,
      cases: record.cases
        .filter((each) => each.variant === variant)
        .map((each) => ({ ...each, variant: 'candidate' as const })),
    });
    const record = recordOf([{ ...users, ...FAILED, ...counted(1, 2) }]);
    const { regressions } = storedComparison(only(record, 'baseline', 'was'), only(record, 'candidate', 'is')).gate;
    expect(regressions).toEqual(red());
  });
});

describe('a count of an invalid case', () => {
  it.each<[string, MadeUpCase['counts']]>([
    ['that is the same', counted(1, 1).counts],
    ['that got better', counted(2, 1).counts],
    ['that varies, and rose by chance', counted([1, 1.01, 1], [1.01, 1, 1.01]).counts],
    ['that one side lacks', { candidate: { [QUERIES]: 2 } }],
  ])('%s is no finding', (_, counts) => {
    const comparison = comparisonOf(recordOf([{ ...users, ...FAILED, counts: counts! }]));
    expect(comparison.gate.regressions).toEqual([]);
    const own = comparison.cases.find(({ key }) => key === keyOf(users))!;
    expect(own.metrics[QUERIES]!.verdict).toBe('invalid');
  });
});
