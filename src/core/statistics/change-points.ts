import { mean } from './moderated-variance.ts';
import { median } from './quantile.ts';
import { studentUpperTail } from './student.ts';

/** Where a series went to another level and stayed there. */
export interface ChangePoint {
  /** Index of the first value of the new level. */
  at: number;
  /** ln(after/before): between the medians of the two levels, of twenty values each at most. */
  change: number;
}

/** Values further back tell of another program, and cost time. */
const WINDOW = 50;
/** Of a level that is left, and of the new one: fewer could be a single bad day. */
const LEAST_BEFORE = 10;
const LEAST_AFTER = 5;
/** A change that so many values did not show is no step that they could tell from drifting. */
const MOST_AFTER = 9;
/** Of a value to show a step where there is none, in both directions together. */
const CHANCE = 1e-5;
/** A level that is left by less than this, as a logarithm, is no other level to anybody. */
const LEAST_CHANGE = 1e-3;
/** Deviations beyond which a value is pulled in. */
const FARTHEST = 4;
/** Median absolute deviation → standard deviation, of a normal distribution. */
const NORMAL = 1.4826;
/** Values whose median stands for a level. */
const LEVEL = 20;

/**
 * The change points of a series of logarithms, oldest first, as each value came in: what a later value shows never moves one.
 *
 * Each time, the 50 values up to it, since the last change point, are divided where the energy distance between the parts is greatest
 * (E-divisive: Matteson and James, Journal of the American Statistical Association 109, 2014; alpha 1),
 *
 *     q = ab/(a+b) · (2 · mean |x-y| between the parts - mean |x-x'| within each)
 *
 * and a change point is there if that lies five to nine values back and Student's t of the two parts says so
 * (as Fleming et al., Hunter, ICPE 2023, test by t instead of by permutations).
 */
export function changePointsOf(values: readonly number[]): ChangePoint[] {
  const places: number[] = [];
  let since = 0;
  for (let end = LEAST_BEFORE + LEAST_AFTER; end <= values.length; end += 1) {
    const window = values.slice(Math.max(since, end - WINDOW), end);
    const place = divisionOf(window);
    // Fewer values of a new level are waited out: a division farther back would take some of the old one for it.
    if (place === null || window.length - place < LEAST_AFTER || window.length - place > MOST_AFTER) continue;
    if (!areApart(window.slice(0, place), window.slice(place))) continue;
    since = end - window.length + place;
    places.push(since);
  }
  return places.map((at, index) => {
    const before = values.slice(Math.max(places[index - 1] ?? 0, at - LEVEL), at);
    const after = values.slice(at, Math.min(places[index + 1] ?? values.length, at + LEVEL));
    return { at, change: median(after) - median(before) };
  });
}

/** Where the energy distance is greatest, as the index of the first value of the second part; null where the first cannot be long enough. */
function divisionOf(values: readonly number[]): number | null {
  const apart = (one: number, from: number, to: number) => {
    let sum = 0;
    for (let index = from; index < to; index += 1) sum += Math.abs(values[index]! - one);
    return sum;
  };
  // Sums of the distances within the first part, within the second, and between them.
  let [first, second, between] = [0, 0, 0];
  for (const [index, value] of values.entries()) second += apart(value, index + 1, values.length);
  let best: { place: number; energy: number } | null = null;
  for (let place = 1; place < values.length; place += 1) {
    const moved = values[place - 1]!;
    const [toFirst, toSecond] = [apart(moved, 0, place - 1), apart(moved, place, values.length)];
    first += toFirst;
    second -= toSecond;
    between += toSecond - toFirst;
    if (place < LEAST_BEFORE) continue;
    const [a, b] = [place, values.length - place];
    const energy = (a * b * ((2 * between) / (a * b) - (2 * first) / a ** 2 - (2 * second) / b ** 2)) / (a + b);
    if (best === null || energy > best.energy) best = { place, energy };
  }
  return best?.place ?? null;
}

/**
 * Student's t with a common variance: a level of five values is too short to tell a variance of its own. Values beyond four median
 * absolute deviations (times 1.4826) of all from the median of their own level are pulled in to there: two wild runs are no level.
 */
function areApart(before: readonly number[], after: readonly number[]): boolean {
  const centres = [median(before), median(after)] as const;
  const deviation = NORMAL * median([...distances(before, centres[0]), ...distances(after, centres[1])]);
  const parts = [before, after].map((part, index) => {
    const [low, high] = [centres[index]! - FARTHEST * deviation, centres[index]! + FARTHEST * deviation];
    return part.map((value) => Math.min(high, Math.max(low, value)));
  });
  const [was, is] = parts.map(mean) as [number, number];
  const squares = parts.flatMap((part) => part.map((value) => (value - mean(part)) ** 2));
  const degreesOfFreedom = before.length + after.length - 2;
  const variance = squares.reduce((sum, each) => sum + each, 0) / degreesOfFreedom;
  const error = Math.sqrt(variance * (1 / before.length + 1 / after.length));
  const difference = Math.abs(is - was);
  // Nothing repeats better than it is rounded.
  if (difference < LEAST_CHANGE) return false;
  return 2 * studentUpperTail(difference / error, degreesOfFreedom) < CHANCE;
}

function distances(values: readonly number[], centre: number): number[] {
  return values.map((value) => Math.abs(value - centre));
}
