import type { Comparison } from '../../comparison/comparison.ts';
import { NO_CHANGE_ERROR_RATE } from '../../comparison/decision.ts';
import { percent } from '../../format/percent.ts';
import { judgedIn } from './endpoint-groups.ts';

/**
 * `99 %`: how sure it is at least that a change lies in the interval beside it. Each end has an error rate of its own, as the verdict
 * takes it: the end towards better that of the whole comparison, however many figures share it, and the other that of a claim that
 * nothing got worse. One kind of interval for all that a reader sees: the one that the verdict rests on.
 */
export function intervalLevel({ familyErrorRate }: Pick<Comparison, 'familyErrorRate'>): string {
  return percent(1 - familyErrorRate - NO_CHANGE_ERROR_RATE).replace('.0', '');
}

/** Head of a column of changes: `Change (99 % interval)`; without the brackets where only counts were compared. */
export function changeTitle(comparison: Comparison): string {
  return hasIntervals(comparison) ? `Change (${intervalLevel(comparison)} interval)` : 'Change';
}

/** Whether any change has one: counts alone have none. */
export function hasIntervals(comparison: Comparison): boolean {
  return judgedIn(comparison).some(({ metrics }) => Object.values(metrics).some(({ adjusted }) => adjusted !== null));
}
