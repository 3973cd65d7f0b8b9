import { scaled } from './figures.ts';

/** wrk's units, as `units.c` prints them: always two decimals, then the unit. Sources of patterns, to be put together. */
export const DECIMAL = String.raw`(\d+\.\d\d)`;
export const TIME_UNIT = '(us|ms|s|m|h)';
export const METRIC_UNIT = '([kMGTP]?)';
export const BINARY_UNIT = '([KMGTP]?)';

/** A clock that was set back makes `requests in 307445734491.24m`: no run lasts 30 years. */
const LONGEST_MS = 1e12;

const TIMES_MS: Record<string, [numerator: number, denominator: number]> = {
  us: [1, 1000],
  ms: [1, 1],
  s: [1000, 1],
  m: [60_000, 1],
  h: [3_600_000, 1],
};
const METRIC_EXPONENT: Record<string, number> = { '': 0, k: 1, M: 2, G: 3, T: 4, P: 5 };
const BINARY_EXPONENT: Record<string, number> = { '': 0, K: 1, M: 2, G: 3, T: 4, P: 5 };

/** Milliseconds; undefined for 0, which wrk prints where it recorded nothing, and for what no clock can have shown. */
export function timeMs(decimal: string, unit: string): number | undefined {
  const [numerator, denominator] = TIMES_MS[unit]!;
  const ms = scaled(decimal, numerator, denominator);
  return ms > 0 && ms < LONGEST_MS ? ms : undefined;
}

/**
 * As `timeMs`, in a column that wrk cuts to 8 characters: `1000.00ms` stands there as `1000.00m`. It cannot be
 * minutes, since a latency of 16 hours is beyond every timeout.
 */
export function columnMs(decimal: string, unit: string): number | undefined {
  return timeMs(decimal, decimal === '1000.00' && unit === 'm' ? 'ms' : unit);
}

/** `0.87`, `k` → 870. */
export function metricCount(decimal: string, unit: string): number {
  return scaled(decimal, 1000 ** METRIC_EXPONENT[unit]!);
}

/** `2.99`, `G` → bytes, in steps of 1024. */
export function binaryBytes(decimal: string, unit: string): number {
  return Math.round(scaled(decimal, 1024 ** BINARY_EXPONENT[unit]!));
}
