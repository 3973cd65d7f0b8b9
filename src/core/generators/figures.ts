/**
 * Figures as a tool printed them. Both factors of a product are whole numbers and the one division is rounded once,
 * so that `0.87k` is 870 and `649.00us` is 0.649 ms, not what 0.87 x 1000 makes in floating point.
 */
export function scaled(decimal: string, numerator: number, denominator = 1): number {
  const [whole = '', fraction = ''] = decimal.split('.');
  return (Number(whole + fraction) * numerator) / (10 ** fraction.length * denominator);
}

/** A count or a measure that can be true: finite and not negative; else undefined, which is: not held by the output. */
export function figure(value: unknown): number | undefined {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) && number >= 0 ? number : undefined;
}

/** As `figure`, and 0 means that nothing was recorded. */
export function positive(value: unknown): number | undefined {
  const number = figure(value);
  return number === 0 ? undefined : number;
}

type Present<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/**
 * The same without the keys that are undefined: absent is how an outcome says that it does not know. Nor does it know a figure
 * that no number holds, as one of 400 digits, or what was worked out of that.
 */
export function present<T extends object>(figures: T): Partial<Present<T>> {
  return Object.fromEntries(Object.entries(figures).filter(([, value]) => isKnown(value))) as Partial<Present<T>>;
}

function isKnown(value: unknown): boolean {
  return value !== undefined && (typeof value !== 'number' || Number.isFinite(value));
}

/** As `present`; undefined where nothing is left. */
export function anyPresent<T extends object>(figures: T): Partial<Present<T>> | undefined {
  const left = present(figures);
  return Object.keys(left).length === 0 ? undefined : left;
}

/** `99` → `p99`, `99.90` → `p99.9`. */
export function percentileKey(percentile: string | number): `p${string}` {
  return `p${Number(percentile)}`;
}
