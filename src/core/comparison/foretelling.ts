import { detectableChange } from '../statistics/detectable.ts';
import { moderatedVariance } from '../statistics/moderated-variance.ts';
import { FAMILY_ERROR_RATE } from './decision.ts';
import { looksUpTo } from './looks.ts';

export interface Foretelling {
  /** Standard deviation of ln(candidate/baseline) of an instance, of the metric and generator. */
  deviation: number;
  /** When the budget ends. */
  instances: number;
  /** Of the whole matrix. */
  questions: number;
  /** Others of the same group, from which variance is borrowed. */
  neighbours: number;
  /** ln(1 + limit), 0 or more. */
  threshold: number;
  /** One-sided, over all questions and looks; `FAMILY_ERROR_RATE` where absent. */
  errorRate?: number;
}

/**
 * The rise, as a logarithm, that a matrix not measured yet can be expected to call a regression in nine of ten cases:
 * `minimumDetectable` of an answer at its last look, were its scatter `deviation`. Null with fewer than two instances.
 */
export function expectedDetectable(told: Foretelling): number | null {
  const { deviation, instances, questions, neighbours, threshold, errorRate = FAMILY_ERROR_RATE } = told;
  if (instances < 2) return null;
  const own = { value: deviation ** 2, degreesOfFreedom: instances - 1 };
  const { degreesOfFreedom } = moderatedVariance(own, new Array(neighbours).fill(own));
  const standardError = deviation / Math.sqrt(instances);
  const share = looksUpTo(instances, true).at(-1)!.share;
  return threshold + detectableChange({ standardError, degreesOfFreedom }, (errorRate * share) / questions);
}
