import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../../src/core/comparison/comparison.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

const DIFFER = 'The two sides load different data: init SQL (seed.sql).';

/** A candidate that is faster, with so many rows on each side. */
function compared(
  rows: { baseline?: number; candidate?: number },
  { differs = true, accepted = '' }: { differs?: boolean; accepted?: string } = {},
): Comparison {
  const record = madeUpRecord({ seed: 5, rounds: 10, cases: [{ ratios: { 'cpu-per-request': 0.5 } }] });
  const { comparing } = record;
  const services = record.services.map((each) => {
    const own = rows[each.variant];
    return own === undefined ? each : { ...each, rows: own };
  });
  const warnings = differs ? [{ code: 'data-differ', message: DIFFER }] : [];
  const options =
    accepted === '' ? {} : { accepted: [{ cases: accepted, metric: null, reason: 'smaller on purpose' }] };
  return comparisonOf({ ...record, services, comparing: { ...comparing!, warnings } }, options);
}

const LESS =
  'The candidate loads much less data than the baseline, and what is faster by that is no improvement. ' +
  "The baseline's database holds 200,000 rows, the candidate's 1 row. Load as much, or accept it by the name data-differ.";

describe('a candidate with much less data than its baseline', () => {
  it('does not pass, however much better it is, and the warning says how many rows there are', () => {
    const { gate, warnings } = compared({ baseline: 200_000, candidate: 1 });
    expect(gate).toMatchObject({ passed: false, invalid: [{ caseKey: '*', metric: null, message: LESS }] });
    expect(warnings).toEqual([
      {
        code: 'data-differ',
        message: `${DIFFER} The baseline's database holds 200,000 rows, the candidate's 1 row.`,
      },
    ]);
  });

  it('passes where somebody accepts it by its name, and not by one for all', () => {
    const rows = { baseline: 200_000, candidate: 1 };
    expect(compared(rows, { accepted: 'data-differ' }).gate.passed).toBe(true);
    expect(compared(rows, { accepted: '*' }).gate.passed).toBe(false);
  });

  it.each<[string, { baseline?: number; candidate?: number }, boolean]>([
    ['less than half', { baseline: 1000, candidate: 499 }, false],
    ['half', { baseline: 1000, candidate: 500 }, true],
    ['more', { baseline: 1000, candidate: 5000 }, true],
    ['none on either side', { baseline: 0, candidate: 0 }, true],
    ['none any more', { baseline: 10, candidate: 0 }, false],
    ['as many as nobody knows', { baseline: 1000 }, true],
  ])('%s', (_name, rows, passed) => {
    expect(compared(rows).gate.passed).toBe(passed);
  });

  it('is no matter where both load the same files: the service itself may have written some', () => {
    expect(compared({ baseline: 1000, candidate: 1 }, { differs: false }).gate.passed).toBe(true);
  });
});
