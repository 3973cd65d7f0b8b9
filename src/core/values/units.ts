/** Quantities as a person writes them, and what they are in one fixed unit. A text that does not fit throws `UnitError`. */

export class UnitError extends Error {
  override name = 'UnitError';
}

/** `10s`, `500ms`, `1m30s`, `0.5h`; digits are bounded so that no text becomes infinite. */
export const DURATION = /^(?:\d{1,9}(?:\.\d{1,9})?(?:ms|s|m|h))+$/;
/** What every generator can be told: more than nothing, in whole seconds, minutes or hours. */
export const WHOLE_SECONDS = /^(?=.*[1-9])(?:\d{1,6}[smh])+$/;
/** `512m`, `1g`, `256MB`, `1.5GiB`: powers of 1024, as Docker and Postgres read them. */
export const SIZE = /^\d{1,12}(?:\.\d{1,6})?(?:[bB]|[kKmMgGtT](?:[iI]?[bB])?)$/;
/** `3%`, `2.5%`. */
export const PERCENTAGE = /^\d{1,6}(?:\.\d{1,9})?%$/;
/** At most 100 %. */
export const SHARE = /^(?:100(?:\.0{1,9})?|\d{1,2}(?:\.\d{1,9})?)%$/;
/** `2000/s`. */
export const RATE = /^\d{1,9}(?:\.\d{1,6})?\/s$/;
/** `120us`. */
export const MICROSECONDS = /^\d{1,12}(?:\.\d{1,6})?us$/;

const MILLISECONDS_OF: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 };
const POWER_OF: Record<string, number> = { b: 0, k: 1, m: 2, g: 3, t: 4 };

/** Milliseconds of a duration. */
export function millisecondsOf(text: string): number {
  if (!DURATION.test(text))
    throw new UnitError(`\`${text}\` is not a duration: write it with its unit, such as 10s or 2m`);
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g)) {
    total += Number(amount) * MILLISECONDS_OF[unit!]!;
  }
  return withoutNoise(total);
}

/** Seconds of a duration. */
export function secondsOf(text: string): number {
  return withoutNoise(millisecondsOf(text) / 1000);
}

/** Whole bytes of a size; a plain number is bytes already. */
export function bytesOf(size: string | number): number {
  if (typeof size === 'number') return size;
  if (!SIZE.test(size)) throw new UnitError(`\`${size}\` is not a size: write it with its unit, such as 512m or 1g`);
  const amount = Number.parseFloat(size);
  const unit = size.replace(/^[\d.]+/, '').charAt(0);
  return Math.round(amount * 1024 ** POWER_OF[unit.toLowerCase()]!);
}

/** 0.03 of `3%`. */
export function ratioOf(text: string): number {
  if (!PERCENTAGE.test(text)) throw new UnitError(`\`${text}\` is not a percentage: write it as 3%`);
  return withoutNoise(Number.parseFloat(text) / 100);
}

/** Requests per second of `2000/s`. */
export function perSecondOf(text: string): number {
  if (!RATE.test(text)) throw new UnitError(`\`${text}\` is not a rate: write it as 2000/s`);
  return Number.parseFloat(text);
}

/** Microseconds of `120us`, or of a duration in a larger unit. */
export function microsecondsOf(text: string): number {
  return MICROSECONDS.test(text) ? Number.parseFloat(text) : withoutNoise(millisecondsOf(text) * 1000);
}

/** 0.07 instead of 0.07000000000000001. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(12));
}
