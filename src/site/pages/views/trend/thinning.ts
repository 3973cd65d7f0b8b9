/** A point of a chart; `place` is its run's. */
export interface Point {
  x: number;
  y: number;
  place: number;
}

/**
 * So few points that a chart of `columns` pixels looks the same: of those that fall into one pixel column the first, the lowest, the
 * highest and the last, in their order. Those with y NaN are gaps and stay.
 */
export function thinned(points: readonly Point[], columns: number): Point[] {
  if (points.length <= columns * 2 || columns < 1) return [...points];
  const from = points[0]!.x;
  const width = (points.at(-1)!.x - from) / columns;
  const kept: Point[] = [];
  let start = 0;
  while (start < points.length) {
    const column = columnOf(points[start]!.x, from, width, columns);
    let end = start + 1;
    const isAlike = (point: Point) => !isGap(point) && columnOf(point.x, from, width, columns) === column;
    while (!isGap(points[start]!) && end < points.length && isAlike(points[end]!)) end += 1;
    kept.push(...outline(points.slice(start, end)));
    start = end;
  }
  return kept;
}

/** The very last point is in the last column, and not in one of its own. */
function columnOf(x: number, from: number, width: number, columns: number): number {
  return width > 0 ? Math.min(columns - 1, Math.floor((x - from) / width)) : 0;
}

function isGap({ y }: Point): boolean {
  return Number.isNaN(y);
}

function outline(points: readonly Point[]): Point[] {
  if (points.length <= 4) return [...points];
  let [low, high] = [points[0]!, points[0]!];
  for (const point of points) {
    if (point.y < low.y) low = point;
    if (point.y > high.y) high = point;
  }
  const wanted = new Set([points[0]!, low, high, points.at(-1)!]);
  return [...wanted].sort((one, other) => one.place - other.place);
}

/** A line's points, without those that have no figure, and with a gap between runs on different CPU models. */
export function linePoints(values: readonly number[], x: (place: number) => number, cpus: readonly string[]): Point[] {
  const points: Point[] = [];
  let cpu: string | null = null;
  for (const [place, y] of values.entries()) {
    if (Number.isNaN(y)) continue;
    if (cpu !== null && cpus[place] !== cpu) points.push({ x: x(place), y: Number.NaN, place });
    points.push({ x: x(place), y, place });
    cpu = cpus[place] ?? '';
  }
  return points;
}
