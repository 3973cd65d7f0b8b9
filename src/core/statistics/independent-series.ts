import { mean } from './moderated-variance.ts';
import { ascending } from './quantile.ts';

/** Standard deviations that chance keeps within in 19 of 20 cases, one-sided. */
export const LARGEST_CHANCE = 1.645;

/** How alike the rounds of several series are. */
export interface CommonRounds {
  /** Mean correlation of each two series; below 0 by chance alone. */
  correlation: number;
  /** Its standard deviation where they have nothing in common. */
  chance: number;
  /** Pairs of series that it is of. */
  pairs: number;
}

/**
 * Of residuals about their own means in the same rounds. With k series, each by its own standard deviation, the variance of their mean
 * is (1 + (k - 1) r) / k. What is decided is measured no longer, so that series differ in length: r is that of the rounds which half
 * of them have at least. Null where fewer than two scatter in those.
 */
export function commonRounds(series: readonly (readonly number[])[]): CommonRounds | null {
  const lengths = ascending(series.map(({ length }) => length));
  const count = lengths[Math.floor((lengths.length - 1) / 2)] ?? 0;
  const standardised = series.flatMap((residuals) => {
    const own = residuals.slice(0, count);
    const centre = mean(own);
    const deviation = Math.sqrt(own.reduce((sum, each) => sum + (each - centre) ** 2, 0) / count);
    return own.length === count && deviation > 0 ? [own.map((each) => (each - centre) / deviation)] : [];
  });
  const k = standardised.length;
  if (k < 2) return null;
  const means = Array.from({ length: count }, (_, at) => standardised.reduce((sum, own) => sum + own[at]!, 0) / k);
  const ofMean = means.reduce((sum, each) => sum + each ** 2, 0) / count;
  const pairs = (k * (k - 1)) / 2;
  return { correlation: (k * ofMean - 1) / (k - 1), chance: 1 / Math.sqrt((count - 1) * pairs), pairs };
}

/**
 * How many independent series as many as these are worth: all of them where they have nothing in common, 1 where they are all alike.
 * With k series whose usual correlation is r:
 *
 *     k / (1 + (k - 1) r^2)
 *
 * What is known from their squares and products, as autocorrelation and skewness are, is known as if from so many.
 */
export function independentSeries(series: readonly (readonly number[])[]): number {
  const common = commonRounds(series);
  if (common === null) return 1;
  const k = series.filter((residuals) => residuals.some((each) => each !== 0)).length;
  const r = Math.min(1, Math.max(0, common.correlation));
  return k / (1 + (k - 1) * r ** 2);
}
