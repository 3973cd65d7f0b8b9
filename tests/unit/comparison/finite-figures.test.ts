import { expect, it } from 'vitest';
import { readComparison } from '../../../src/core/comparison/comparison-file.ts';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

it.each([2, 8])('a comparison of %d rounds and many services holds no figure that JSON cannot', (rounds) => {
  const cases = Array.from({ length: 15 }, (_, index) => ({ service: `s${index}` }));
  const comparison = comparisonOf(madeUpRecord({ rounds, scatter: 0.6, cases }));
  expect(readComparison(JSON.stringify(comparison), 'comparison.json')).toEqual(comparison);
  expect(comparison.cases[0]!.metrics.throughput!.verdict).toBe('not-measured');
});
