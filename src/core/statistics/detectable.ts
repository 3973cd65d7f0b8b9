import type { Estimate } from './estimate.ts';
import { studentQuantile } from './student.ts';

/** Share of cases in which a change of the size that is called detectable is found. */
export const POWER = 0.9;

/**
 * Distance from its border that an estimate like this one shows in nine of ten cases, one-sided at `level`:
 *
 *     (t(1 - level) + t(power)) x standard error
 *
 * with the quantiles of Student's t (Cohen 1988 has it with the normal ones). Same scale as the estimate.
 */
export function detectableChange(
  estimate: Pick<Estimate, 'standardError' | 'degreesOfFreedom'>,
  level: number,
): number {
  const { standardError, degreesOfFreedom } = estimate;
  return (studentQuantile(1 - level, degreesOfFreedom) + studentQuantile(POWER, degreesOfFreedom)) * standardError;
}
