import type { Variance } from './moderated-variance.ts';
import { median } from './quantile.ts';

/** Median absolute deviation → standard deviation, of a normal distribution. */
const NORMAL = 1.4826;
/** With fewer a median of deviations says little. */
const LEAST_DEGREES = 6;

/**
 * The variance that an instance's estimate has by the scatter of its own pairs alone, w^2 / m, from the log ratios of
 * several instances' pairs:
 *
 *     w = 1.4826 x median of |x_ij - mean of i| x sqrt(m_i / (m_i - 1)),     m = harmonic mean of the m_i
 *
 * What instances differ by comes on top, so that it is the least that their variance can be. By the median, since the
 * estimate of an instance does not follow a wild pair either. Null where there are too few pairs to tell.
 */
export function varianceWithinInstances(instances: readonly (readonly number[])[]): Variance | null {
  const several = instances.filter((logs) => logs.length > 1);
  const degreesOfFreedom = several.reduce((sum, logs) => sum + logs.length - 1, 0);
  if (degreesOfFreedom < LEAST_DEGREES || several.length < instances.length) return null;
  const deviations = several.flatMap((logs) => {
    const centre = logs.reduce((sum, value) => sum + value, 0) / logs.length;
    const unbiased = Math.sqrt(logs.length / (logs.length - 1));
    return logs.map((value) => Math.abs(value - centre) * unbiased);
  });
  const pairs = several.length / several.reduce((sum, logs) => sum + 1 / logs.length, 0);
  return { value: (NORMAL * median(deviations)) ** 2 / pairs, degreesOfFreedom };
}
