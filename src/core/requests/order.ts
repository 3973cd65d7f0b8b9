import type { Random } from '../statistics/random.ts';
import { MOST_REQUESTS } from './request-set.ts';

/** Requests of one kind, such as those of one endpoint in a mix. */
export interface Stratum {
  /** Of all that is sent, in proportion to the other strata. */
  weight: number;
  /** Of each request, in proportion to the others of the stratum. */
  weights: readonly number[];
}

/**
 * The order in which the requests of all strata are sent, as places in their list: first those of the first stratum, and so on.
 *
 * A plain shuffle has runs: of 8 cheap requests to 2 dear ones, 100 in a row hold 12 to 28 dear ones, so that one short trial costs more
 * than the next. So each of the n places of a request is drawn from its own n-th part of the whole, and any stretch of the order
 * holds about as many of each as its weight says.
 */
export function stratifiedOrder(strata: readonly Stratum[], random: Random): Uint32Array {
  const own = strata.map(({ weights }) => spread(placesOf(wholeWeights(weights)), random));
  const weights = wholeWeights(strata.map(({ weight }) => weight));
  // Often enough that each request of each stratum has its places.
  const times = Math.max(...own.map((order, at) => Math.ceil(order.length / weights[at]!)));
  const order = spread(placesOf(weights.map((weight) => weight * times)), random);
  const firsts = strata.map((_, at) => strata.slice(0, at).reduce((sum, each) => sum + each.weights.length, 0));
  const taken = strata.map(() => 0);
  return order.map((stratum) => {
    const place = taken[stratum]!;
    taken[stratum] = place + 1;
    return firsts[stratum]! + own[stratum]![place % own[stratum]!.length]!;
  });
}

/** How often each has a place: its weight, or in proportion to it where that were more than `MOST_REQUESTS` places. */
function placesOf(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  if (total <= MOST_REQUESTS) return [...weights];
  const shares = weights.map((weight) => (weight * MOST_REQUESTS) / total);
  const counts = shares.map(Math.floor);
  const left = MOST_REQUESTS - counts.reduce((sum, count) => sum + count, 0);
  const byRemainder = [...shares.keys()].sort((one, other) => (shares[other]! % 1) - (shares[one]! % 1) || one - other);
  for (const at of byRemainder.slice(0, left)) counts[at]! += 1;
  return counts;
}

/** 0.8 and 0.2 → 4 and 1; to six decimals. */
function wholeWeights(weights: readonly number[]): number[] {
  const isWhole = (scale: number) =>
    weights.every((weight) => Math.abs(weight * scale - Math.round(weight * scale)) < 1e-9);
  const scale = [1, 10, 100, 1000, 1e4, 1e5, 1e6].find(isWhole) ?? 1e6;
  const whole = weights.map((weight) => Math.max(1, Math.round(weight * scale)));
  const common = whole.reduce(greatestCommon, 0);
  return whole.map((weight) => weight / common);
}

function greatestCommon(one: number, other: number): number {
  return other === 0 ? one : greatestCommon(other, one % other);
}

/** Each index as often as `counts` says, one in each part of its own; those of the same place by chance. */
function spread(counts: readonly number[], random: Random): Uint32Array {
  const places = counts.flatMap((count, index) =>
    Array.from({ length: count }, (_, nth) => ({ index, at: (nth + random.next()) / count })),
  );
  return Uint32Array.from(
    places.sort((one, other) => one.at - other.at || one.index - other.index),
    ({ index }) => index,
  );
}
