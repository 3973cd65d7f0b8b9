import type { Comparison } from '../../comparison/comparison.ts';
import type { Inline } from '../document.ts';
import { endpointsText, mostChangesText, unchangedIn } from './headline.ts';
import { comparisonTally } from './tally.ts';

/** `3 endpoints (14 cases) without change, at most 1.4 % higher CPU`: what is not excluded of them; empty where there are none. */
export function unchangedSaid(comparison: Comparison): Inline[] {
  const tally = comparisonTally(comparison);
  if (tally.unchanged.endpoints === 0) return [];
  const most = mostChangesText(comparison);
  return [`${endpointsText(unchangedIn(tally))} without change${most === '' ? '' : `, ${most}`}`];
}
