import { mean } from './moderated-variance.ts';
import { median } from './quantile.ts';

/** Skewness of a gamma distribution for each standard deviation that its mean is beyond its median. */
const PER_DEVIATION = 6.3;
/** Standard deviation of (mean - median) / s of a normal sample, times the root of its size: sqrt(pi/2 - 1). */
const OF_CHANCE = 0.755;
/** Of it in chance alone: what does not stand out from it by half is none. */
const LEAST = 0.5;
/** A series of its own hides some. */
const MARGIN = 1.3;

/**
 * Skewness of several series of residuals together, each by its own standard deviation, 0 where it may well be chance. It is taken
 * from how far the mean is from the median: of few values the third moment tells of the one that is farthest off, and a garbage
 * collection in one trial of ten is no skewness. Of gamma distributions with a skewness of 1 and of 2 it is that, for 8 values and
 * for 28. `independent`: so many independent series they are worth.
 */
export function skewnessOf(series: readonly (readonly number[])[], count: number, independent: number): number {
  const distances = series.flatMap((residuals) => {
    const variance = residuals.reduce((sum, each) => sum + each ** 2, 0) / (residuals.length - 1);
    return variance > 0 ? -median(residuals) / Math.sqrt(variance) : [];
  });
  if (distances.length === 0) return 0;
  const ofGamma = PER_DEVIATION * (1 + 2 / count);
  const skewness = MARGIN * ofGamma * mean(distances);
  const chance = (ofGamma * OF_CHANCE) / Math.sqrt(count * independent);
  return Math.sign(skewness) * Math.max(0, Math.abs(skewness) - LEAST * chance);
}

/**
 * By how much a critical value of Student's t must be greater, where the mean of `count` values is to be called above a border and
 * the values are skewed downwards (Johnson, Journal of the American Statistical Association 73, 1978):
 *
 *     |skewness| (1 + 2 t^2) / (6 sqrt(n))
 *
 * A mean that lacks its rare low values is too high, and its standard error too small, both at once. Never below 0.
 */
export function skewnessAllowance(skewness: number, critical: number, count: number): number {
  return (Math.max(0, -skewness) * (1 + 2 * critical ** 2)) / (6 * Math.sqrt(count));
}
