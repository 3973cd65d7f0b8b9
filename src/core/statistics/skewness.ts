import { mostBelieved } from './few-values.ts';
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
/** What `skewnessFactor` was fitted to ends at 2, and so does what few values tell. */
const MOST = { ofFew: 2, ofEnough: 4 };

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
  const found = Math.max(0, Math.abs(skewness) - LEAST * chance);
  return Math.sign(skewness) * Math.min(mostBelieved(count, series.length, MOST), found);
}

/**
 * By how many times a critical value of Student's t must be greater, where the mean of `count` values is to be called above a border
 * and the values are skewed downwards: a mean that lacks its rare low values is too high, and its standard error too small, both at
 * once. Fitted to the quantiles of simulated gamma distributions, for 8 to 40 values, skewness 0.5 to 2 and one-sided levels from
 * 0.025 to 0.00001, of which it is right within 1.5 % (root mean square) and 7 % (at most):
 *
 *     ln(factor) = s / sqrt(n) (0.34 + z (0.22 + 0.06 s - 0.43 / n)),   s = |skewness|, z the normal quantile of the level
 *
 * Johnson's correction (Journal of the American Statistical Association 73, 1978) has too much by up to 40 % where n is 8, and too
 * little by 20 % where the skewness is 2. Never below 1.
 */
export function skewnessFactor(skewness: number, normalQuantile: number, count: number): number {
  const s = Math.max(0, -skewness);
  return Math.exp((s / Math.sqrt(count)) * (0.34 + normalQuantile * (0.22 + 0.06 * s - 0.43 / count)));
}
