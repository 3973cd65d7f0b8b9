import { mean } from './moderated-variance.ts';
import { ascending } from './quantile.ts';
import type { RoundLogRatio } from './round-log-ratio.ts';

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
 * Of residuals about their own means. With k series, each by its own standard deviation, the variance of their mean is
 * (1 + (k - 1) r) / k, so that r is the mean of the products of every two of them in each round that both have. What is decided is
 * measured no longer, so that series end sooner or later: r is that of the rounds up to the one that half of them reach. Null where
 * fewer than two scatter in those.
 */
export function commonRounds(series: readonly (readonly RoundLogRatio[])[]): CommonRounds | null {
  const ends = ascending(series.map((own) => own.at(-1)?.round ?? 0));
  const last = ends[Math.floor((ends.length - 1) / 2)] ?? 0;
  const standardised = series.flatMap((residuals) => {
    if ((residuals.at(-1)?.round ?? 0) < last) return [];
    const own = residuals.filter(({ round }) => round <= last);
    const centre = mean(own.map(({ value }) => value));
    const deviation = Math.sqrt(own.reduce((sum, { value }) => sum + (value - centre) ** 2, 0) / own.length);
    return deviation > 0 ? [own.map(({ round, value }) => ({ round, value: (value - centre) / deviation }))] : [];
  });
  const k = standardised.length;
  const pairs = (k * (k - 1)) / 2;
  const rounds = new Map<number, { count: number; sum: number; squares: number }>();
  for (const { round, value } of standardised.flat()) {
    const known = rounds.get(round) ?? { count: 0, sum: 0, squares: 0 };
    rounds.set(round, { count: known.count + 1, sum: known.sum + value, squares: known.squares + value ** 2 });
  }
  const products = [...rounds.values()].reduce((total, { sum, squares }) => total + sum ** 2 - squares, 0) / 2;
  const shared = [...rounds.values()].reduce((total, { count }) => total + (count * (count - 1)) / 2, 0);
  if (shared <= pairs) return null;
  return { correlation: products / shared, chance: 1 / Math.sqrt(shared - pairs), pairs };
}

/**
 * How many independent series as many as these are worth: all of them where they have nothing in common, 1 where they are all alike.
 * With k series whose usual correlation is r:
 *
 *     k / (1 + (k - 1) r^2)
 *
 * What is known from their squares and products, as autocorrelation and skewness are, is known as if from so many.
 */
export function independentSeries(series: readonly (readonly RoundLogRatio[])[]): number {
  const common = commonRounds(series);
  if (common === null) return 1;
  const k = series.filter((residuals) => residuals.some(({ value }) => value !== 0)).length;
  const r = Math.min(1, Math.max(0, common.correlation));
  return k / (1 + (k - 1) * r ** 2);
}
