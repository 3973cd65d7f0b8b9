/** Numbers in ascending order. Branded, so that a quantile of unsorted data does not compile. */
export type Ascending = readonly number[] & { readonly ascending: unique symbol };

export function ascending(values: readonly number[]): Ascending {
  return [...values].sort((a, b) => a - b) as unknown as Ascending;
}

/**
 * The `p` quantile (0 to 1) by linear interpolation between order statistics, type 7 of Hyndman and Fan (1996), the
 * default of R and NumPy. NaN where there are no values.
 */
export function quantile(values: Ascending, p: number): number {
  if (values.length === 0) return Number.NaN;
  const position = (values.length - 1) * p;
  const below = Math.floor(position);
  const low = values[below]!;
  const high = values[Math.min(below + 1, values.length - 1)]!;
  return low + (high - low) * (position - below);
}

export function median(values: readonly number[]): number {
  return quantile(ascending(values), 0.5);
}
