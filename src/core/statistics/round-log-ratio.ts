import { ascending, median } from './quantile.ts';

/** What a round tells: ln(candidate/baseline), turned so that up is worse, or what is left of it beyond a mean. */
export interface RoundLogRatio {
  /** From 1. */
  round: number;
  value: number;
}

/**
 * ln(candidate/baseline) of one round from its pairs: the Hodges-Lehmann estimate (Annals of Mathematical Statistics
 * 34, 1963), the median of the means of every two pairs, a pair with itself among them. With one or two pairs that is
 * their mean, with three or four a single wild pair no longer decides. NaN without pairs, or where a side is not above 0.
 */
export function roundLogRatio(pairs: readonly { baseline: number; candidate: number }[]): number {
  const logs = ascending(pairs.map(({ baseline, candidate }) => Math.log(candidate / baseline)));
  return median(logs.flatMap((one, index) => logs.slice(index).map((other) => (one + other) / 2)));
}
