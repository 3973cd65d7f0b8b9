/** What a cell is sorted by: a number, a text, or null where there is nothing in it. */
export type SortKey = number | string | null;

/** Unit → how many of the smallest of its kind it is. Units of different kinds do not meet in a column. */
const UNITS: Record<string, number> = {
  µs: 1,
  ms: 1e3,
  s: 1e6,
  min: 60e6,
  h: 3600e6,
  B: 1,
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
};

const FIGURE = /([+-]?\d[\d,]*(?:\.\d+)?(?:e[+-]?\d+)?)(?:\s?(µs|ms|s|min|h|B|KiB|MiB|GiB|TiB)(?![a-z]))?/;

/** `✗ +16.4 % worse (+14.6 … +18.7)` sorts as 16.4, `1.54 ms` as 1540 (µs), `5,236/s (-26.3 %, worse)` as 5236. */
export function sortKey(text: string, isFigure: boolean): SortKey {
  const trimmed = text.trim();
  if (trimmed === '' || trimmed === '–') return null;
  if (!isFigure) return trimmed;
  const [, digits, unit] = FIGURE.exec(trimmed) ?? [];
  if (digits === undefined) return null;
  return Number(digits.replaceAll(',', '')) * (unit === undefined ? 1 : (UNITS[unit] ?? 1));
}

/** What has no key is last, whichever way it goes. */
export function byKey(one: SortKey, other: SortKey, order: 'ascending' | 'descending'): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  const sign = order === 'ascending' ? 1 : -1;
  if (typeof one === 'number' && typeof other === 'number') return sign * (one - other);
  return sign * String(one).localeCompare(String(other), 'en', { numeric: true });
}
