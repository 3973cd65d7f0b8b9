import type { Comparison } from '../../comparison/comparison.ts';
import { type Inline, joined } from '../document.ts';
import { endpointsText, leftOutNumber, mostChangesText } from './headline.ts';
import { comparisonTally, isAny, numberOf } from './tally.ts';

/** `3 endpoints (14 cases) without change, at most 1.4 % higher CPU · 2 undecided`, of each that there is; empty where the first line has said it. */
export function comparisonCounts(comparison: Comparison): Inline[] {
  const { unchanged, notMeasured, undecided, invalid, accepted, new: fresh, leftOut } = comparisonTally(comparison);
  const most = mostChangesText(comparison);
  const counts = [
    // It speaks of what is without change.
    ...(unchanged.endpoints === 0
      ? []
      : [`${endpointsText(unchanged)} without change${most === '' ? '' : `, ${most}`}`]),
    ...(isAny(undecided) ? [`${numberOf(undecided)} undecided`] : []),
    ...(isAny(notMeasured) ? [`${numberOf(notMeasured)} not measured`] : []),
    ...(isAny(invalid) ? [`${numberOf(invalid)} invalid`] : []),
    ...(isAny(leftOut) ? [`${leftOutNumber(comparison)} left out`] : []),
    ...(isAny(accepted) ? [`${numberOf(accepted)} accepted`] : []),
    ...(isAny(fresh) ? [`${numberOf(fresh)} new`] : []),
  ];
  return counts.length === 1 && unchanged.endpoints === 0 ? [] : joined(counts, ' · ');
}
