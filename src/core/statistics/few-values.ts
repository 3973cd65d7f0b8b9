/** What is large of up to `few` values is mostly chance, and what is large of `enough` is not. */
const VALUES = { few: 32, enough: 64 };

/**
 * The largest value of something that is estimated from `count` rounds of so many series, as far as it is to be believed. What few values
 * show beyond it is chance more often than not. To allow for that makes intervals several times as wide, and false reds no fewer: those are
 * of runs that show too little of it. (Simulated: 1 to 4 series, 8 and 16 rounds.) Of many series that are all alike more is believed,
 * though they are worth one: something moves all of them, and may outlast a round.
 */
export function mostBelieved(count: number, series: number, most: { ofFew: number; ofEnough: number }): number {
  const part = Math.min(1, Math.max(0, (count * series - VALUES.few) / (VALUES.enough - VALUES.few)));
  return most.ofFew + part * (most.ofEnough - most.ofFew);
}
