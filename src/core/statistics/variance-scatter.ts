import { trigamma } from './digamma.ts';
import { mean, sampleVariance } from './moderated-variance.ts';

/** Few series tell it badly, and a handful of values next to nothing beyond. */
const MOST = 4;
const LEAST = 0.25;

/**
 * By how much more the variances of several series of residuals scatter than those of normal values, 1 for these: more where rare
 * values are far off, less where there are but two values. Seen between the halves of each series, its odd and its even values;
 * of normal ones
 *
 *     variance of ln(s1^2 / s2^2) = trigamma(d1 / 2) + trigamma(d2 / 2),   d the degrees of freedom
 *
 * and believed as far as `independent` series can tell, (k - 1) / (k + 2) of it.
 */
export function varianceScatter(series: readonly (readonly number[])[], independent: number): number {
  const found = series.flatMap((residuals) => {
    const halves = [0, 1].map((odd) => sampleVariance(residuals.filter((_, index) => index % 2 === odd)));
    const [one, other] = halves;
    if (!one || !other || one.value === 0 || other.value === 0 || other.degreesOfFreedom < 2) return [];
    const ofNormal = trigamma(one.degreesOfFreedom / 2) + trigamma(other.degreesOfFreedom / 2);
    return Math.log(one.value / other.value) ** 2 / ofNormal;
  });
  if (found.length === 0) return 1;
  const believed = (independent - 1) / (independent + 2);
  return 1 + believed * (Math.min(MOST, Math.max(LEAST, mean(found))) - 1);
}
