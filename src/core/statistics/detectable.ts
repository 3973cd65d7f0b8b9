import type { Estimate } from './estimate.ts';
import { studentQuantile } from './student.ts';

/** 0.9 quantile of the normal distribution: a detectable change is found in nine of ten cases. */
const POWER_QUANTILE = 1.2815515655446004;

/**
 * How far from its border a ratio must lie to be found there in nine of ten cases, one-sided at `level`, where the
 * standard error is like this one: noncentral t in the approximation of Abramowitz and Stegun 26.7.10 solved for it,
 *
 *     (c (1 - 1/(4v)) + z(0.9) sqrt(1 + c^2/(2v))) x standard error   with   c = t(1 - level, v)
 *
 * Same scale as the estimate.
 */
export function detectableChange(estimate: Omit<Estimate, 'mean'>, level: number): number {
  const { standardError, degreesOfFreedom } = estimate;
  const critical = studentQuantile(1 - level, degreesOfFreedom);
  const spread = Math.sqrt(1 + critical ** 2 / (2 * degreesOfFreedom));
  return (critical * (1 - 1 / (4 * degreesOfFreedom)) + POWER_QUANTILE * spread) * standardError;
}
