import type { Comparison } from '../../comparison/comparison.ts';
import { type Inline, joined } from '../document.ts';
import { detectableText, endpointsText, leftOutNumber } from './headline.ts';
import { comparisonTally, isAny, numberOf } from './tally.ts';

/** `3 endpoints (14 cases) without change (smallest change that would have been seen: 1.4 % CPU) · 0 undecided · 0 invalid`. */
export function comparisonCounts(comparison: Comparison): Inline {
  const { unchanged, notMeasured, undecided, invalid, accepted, new: fresh, leftOut } = comparisonTally(comparison);
  // It speaks of what is without change.
  const seen = unchanged.endpoints === 0 ? '' : detectableText(comparison);
  const smallest = seen === '' ? '' : `; smallest change that would have been seen: ${seen}`;
  return joined(
    [
      `${endpointsText(unchanged)} without change${smallest}`,
      `${numberOf(undecided)} undecided`,
      ...(isAny(notMeasured) ? [`${numberOf(notMeasured)} not measured`] : []),
      `${numberOf(invalid)} invalid`,
      ...(isAny(leftOut) ? [`${leftOutNumber(comparison)} left out`] : []),
      ...(isAny(accepted) ? [`${numberOf(accepted)} accepted`] : []),
      ...(isAny(fresh) ? [`${numberOf(fresh)} new`] : []),
    ],
    ' · ',
  );
}
