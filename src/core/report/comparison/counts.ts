import type { Comparison } from '../../comparison/comparison.ts';
import { type Inline, joined } from '../document.ts';
import { endpointsText, leftOutNumber, mostChangesText } from './headline.ts';
import { comparisonTally, isAny, numberOf } from './tally.ts';

/** `3 endpoints (14 cases) without change, at most 1.4 % higher CPU · 0 undecided · 0 invalid`. */
export function comparisonCounts(comparison: Comparison): Inline {
  const { unchanged, notMeasured, undecided, invalid, accepted, new: fresh, leftOut } = comparisonTally(comparison);
  // It speaks of what is without change.
  const most = unchanged.endpoints === 0 ? '' : mostChangesText(comparison);
  return joined(
    [
      `${endpointsText(unchanged)} without change${most === '' ? '' : `, ${most}`}`,
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
