import type { Comparison } from '../../comparison/comparison.ts';
import { type Inline, joined } from '../document.ts';
import { counted } from '../figures.ts';
import { caseCounts } from './findings.ts';
import { detectableText } from './headline.ts';

/** `14 cases without change (smallest change that would have been seen: 1.4 % CPU) · 0 undecided · 0 invalid`. */
export function comparisonCounts(comparison: Comparison): Inline {
  const { unchanged, undecided, invalid, accepted, new: fresh } = caseCounts(comparison);
  const seen = detectableText(comparison);
  const smallest = seen === '' ? '' : ` (smallest change that would have been seen: ${seen})`;
  return joined(
    [
      `${counted(unchanged, 'case')} without change${smallest}`,
      `${undecided} undecided`,
      `${invalid} invalid`,
      ...(accepted > 0 ? [`${accepted} accepted`] : []),
      ...(fresh > 0 ? [`${fresh} new`] : []),
    ],
    ' · ',
  );
}
