import type { DetectableUnit } from './detectability.ts';

type Unit = Pick<DetectableUnit, 'metric' | 'threshold' | 'beyond'>;

/**
 * The smallest change for the worse that is called a regression in nine of ten runs, as a share of the baseline, 0.048 for
 * 4.8 %; that beyond the limit where the limit is a quantity. Null where it is not known, or too few rounds call nothing.
 */
export function changeBeyond({ metric, threshold, beyond }: Unit): number | null {
  return beyond === null ? null : shareOf((threshold ?? 0) + beyond, metric.better);
}

/** The same, from the limit on; it is `changeBeyond` where the limit is a quantity. */
export function beyondLimit(unit: Unit): number | null {
  const change = changeBeyond(unit);
  if (change === null || unit.threshold === null) return change;
  return change - shareOf(unit.threshold, unit.metric.better);
}

/** A step up on the scale of decisions is a fall of what is better higher. */
function shareOf(logarithm: number, better: 'higher' | 'lower'): number {
  return better === 'lower' ? Math.expm1(logarithm) : -Math.expm1(-logarithm);
}
