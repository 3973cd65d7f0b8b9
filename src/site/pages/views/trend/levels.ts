import { changePointsOf } from '../../../../core/statistics/change-points.ts';
import { median } from '../../../../core/statistics/quantile.ts';

/** Runs between two change points of a line, on one CPU model. */
export interface Level {
  /** Places of its first and its last run. */
  first: number;
  last: number;
  /** Median of its figures. */
  figure: number;
  /** How it came after another one: by how much, as a share, and the place of the last run before; null for the first. */
  from: { change: number; before: number } | null;
}

/**
 * The levels of a line that was on several; none of one that stayed where it was. Runs on different CPU models are lines of their own,
 * as for a band.
 */
export function levelsOf(values: readonly number[], cpus: readonly string[]): Level[] {
  const places = new Map<string, number[]>();
  for (const [place, value] of values.entries()) {
    if (!(value > 0)) continue;
    const cpu = cpus[place] ?? '';
    const own = places.get(cpu);
    if (own === undefined) places.set(cpu, [place]);
    else own.push(place);
  }
  return [...places.values()]
    .flatMap((own): Level[] => {
      const points = changePointsOf(own.map((place) => Math.log(values[place]!)));
      if (points.length === 0) return [];
      const starts = [{ at: 0, change: null }, ...points];
      return starts.map(({ at, change }, index): Level => {
        const held = own.slice(at, starts[index + 1]?.at ?? own.length);
        return {
          first: held[0]!,
          last: held.at(-1)!,
          figure: median(held.map((place) => values[place]!)),
          from: change === null ? null : { change: Math.expm1(change), before: own[at - 1]! },
        };
      });
    })
    .sort((one, other) => one.first - other.first);
}

/** Those of a range, by their places in it. One that began before it shows no change there. */
export function levelsWithin(levels: readonly Level[], start: number, end: number): Level[] {
  return levels.flatMap(({ first, last, figure, from }) => {
    if (last < start || first >= end) return [];
    const isSeen = from !== null && from.before >= start;
    return [
      {
        first: Math.max(first, start) - start,
        last: Math.min(last, end - 1) - start,
        figure,
        from: isSeen ? { ...from, before: from.before - start } : null,
      },
    ];
  });
}
