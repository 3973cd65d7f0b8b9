import { type Ascending, quantile } from '../../../../core/statistics/quantile.ts';

/** What was to be expected of each run; NaN where too few came before it. */
export interface Band {
  middle: number[];
  low: number[];
  high: number[];
}

/** Runs before each one that its band rests on, at most and at least. */
export const BAND_RUNS = 20;
const LEAST_RUNS = 5;

/** In deviations to both sides. */
export const BAND_WIDTH = 2;

/** The median absolute deviation of normal values, times this, is their standard deviation. */
const NORMAL = 1.4826;

/**
 * For each run, the median of those before it on the same CPU model, and two deviations to both sides, the deviation being the
 * median absolute one times 1.4826: so that neither a single wild run nor the run itself moves it.
 */
export function bandOf(values: readonly number[], cpus: readonly string[]): Band {
  const band: Band = { middle: [], low: [], high: [] };
  const before = new Map<string, Window>();
  for (const [place, value] of values.entries()) {
    const cpu = cpus[place] ?? '';
    const window = before.get(cpu) ?? { inTurn: [], ascending: [] };
    before.set(cpu, window);
    const { ascending } = window;
    const middle = ascending.length < LEAST_RUNS ? Number.NaN : medianOf(ascending);
    const deviation = NORMAL * medianOf(distances(ascending, middle));
    band.middle.push(middle);
    band.low.push(middle - BAND_WIDTH * deviation);
    band.high.push(middle + BAND_WIDTH * deviation);
    if (!Number.isNaN(value)) move(window, value);
  }
  return band;
}

/** The newest values, held in order all the time: to sort them for each of 10,000 runs is what a reader would wait for. */
interface Window {
  inTurn: number[];
  ascending: number[];
}

function move({ inTurn, ascending }: Window, value: number): void {
  const above = ascending.findIndex((each) => each > value);
  ascending.splice(above === -1 ? ascending.length : above, 0, value);
  inTurn.push(value);
  if (inTurn.length > BAND_RUNS) ascending.splice(ascending.indexOf(inTurn.shift()!), 1);
}

/** From the middle, in ascending order as well: those on either side grow with how far they are from it. */
function distances(ascending: readonly number[], middle: number): number[] {
  if (Number.isNaN(middle)) return [];
  const found: number[] = [];
  let above = ascending.findIndex((each) => each > middle);
  if (above === -1) above = ascending.length;
  let below = above - 1;
  while (found.length < ascending.length) {
    const down = below < 0 ? Number.POSITIVE_INFINITY : middle - ascending[below]!;
    const up = above >= ascending.length ? Number.POSITIVE_INFINITY : ascending[above]! - middle;
    found.push(Math.min(down, up));
    if (down <= up) below -= 1;
    else above += 1;
  }
  return found;
}

function medianOf(ascending: readonly number[]): number {
  return quantile(ascending as Ascending, 0.5);
}
