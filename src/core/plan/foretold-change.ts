import type { ForetoldQuestion } from './foretelling.ts';

/**
 * The smallest change for the worse that is called a regression in nine of ten cases, as a share of the baseline, 0.048 for
 * 4.8 %; that beyond the limit where the limit is a quantity. Null where it is not known.
 */
export function changeBeyond({ metric, threshold, beyond }: ForetoldQuestion): number | null {
  return beyond === null ? null : shareOf((threshold ?? 0) + beyond, metric.better);
}

/** The same, from the limit on; it is `changeBeyond` where the limit is a quantity. */
export function beyondLimit(question: ForetoldQuestion): number | null {
  const change = changeBeyond(question);
  if (change === null || question.threshold === null) return change;
  return change - shareOf(question.threshold, question.metric.better);
}

/** A step up on the scale of decisions is a fall of what is better higher. */
function shareOf(logarithm: number, better: 'higher' | 'lower'): number {
  return better === 'lower' ? Math.expm1(logarithm) : -Math.expm1(-logarithm);
}
