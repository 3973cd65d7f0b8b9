import { expect, it } from 'vitest';
import { comparisonOf } from '../../../src/core/comparison/comparison-of.ts';
import { readComparison } from '../../../src/core/comparison/reading.ts';
import { madeUpRecord } from '../../support/made-up/run-record.ts';

it.each([2, 8])('a comparison of %d instances and many services holds no figure that JSON cannot', (instances) => {
  const cases = Array.from({ length: 15 }, (_, index) => ({ service: `s${index}` }));
  const comparison = comparisonOf(madeUpRecord({ instances, scatter: 0.3, cases }));
  expect(readComparison(JSON.stringify(comparison), 'comparison.json')).toEqual(comparison);
  expect(comparison.cases[0]!.metrics.throughput!.verdict).toBe('not-measured');
});
