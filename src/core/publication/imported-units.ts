import type { BenchmarkEntry } from './benchmark-data.ts';

/*
 * The action's reader of Go output takes the whole rest of a line for the unit, where a benchmark reports several figures:
 * `ns/op<tab>    1791 B/op<tab>      39 allocs/op`. Those are others in every run, and the unit ends before them. Spaces stand for tabs
 * where a terminal or an editor has put them.
 */
const NEXT_FIGURE = /[\t\r\n]| {2,}(?=[-+.\d])| (?=[-+]?\d[\d.e+-]* \S+\/(?:op|s)\b)/;

/** The unit of the figure itself. */
export function ownUnit(written: string): string {
  return written.trim().split(NEXT_FIGURE, 1)[0]!.trim();
}

const NANOSECONDS: Readonly<Record<string, number>> = { ns: 1, us: 1e3, µs: 1e3, μs: 1e3, ms: 1e6, s: 1e9 };

/** `us/op` is a time, and for what; null where it is none. */
function timeOf(unit: string): { ns: number; per: string } | null {
  const [, time = '', per = ''] = /^([nuµμm]?s)((?:\/.*)?)$/.exec(unit) ?? [];
  const ns = NANOSECONDS[time];
  return ns === undefined ? null : { ns, per };
}

export interface SeriesUnits {
  /** The one unit of a series that a figure of this name and unit belongs to. */
  shown(name: string, unit: string): string;
}

/** Some tools choose the unit by the figure: a series has one, the smallest that the benchmark had. */
export function seriesUnits(entries: readonly BenchmarkEntry[]): SeriesUnits {
  const smallest = new Map<string, { unit: string; ns: number }>();
  const keyOf = (name: string, per: string) => JSON.stringify([name, per]);
  for (const { name, unit: written = '' } of entries.flatMap(({ benches }) => benches)) {
    const unit = ownUnit(written);
    const time = timeOf(unit);
    if (time === null) continue;
    const key = keyOf(name, time.per);
    const known = smallest.get(key);
    if (known === undefined || time.ns < known.ns) smallest.set(key, { unit, ns: time.ns });
  }
  return {
    shown(name, unit) {
      const time = timeOf(unit);
      return time === null ? unit : (smallest.get(keyOf(name, time.per))?.unit ?? unit);
    },
  };
}

export function inUnit(figure: number, unit: string, shown: string): number {
  if (unit === shown) return figure;
  return (figure * (timeOf(unit)?.ns ?? 1)) / (timeOf(shown)?.ns ?? 1);
}
