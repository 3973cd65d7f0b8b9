import type { RunRecord } from '../record/run-record.ts';
import type { Variance } from '../statistics/moderated-variance.ts';
import { median } from '../statistics/quantile.ts';
import { conditionsOf, type HistoryRun, type StoredHistory } from './stored-history.ts';

/** Nothing repeats better than this from run to run, as a logarithm: figures are rounded. */
const LEAST_DEVIATION = 1e-3;

/** Runs whose median stands for what was there before: one of them that went wrong then says nothing. */
const BASELINE_RUNS = 5;
/** A series must have so many before it, or a median is no better than they are. */
const LEAST_BEFORE = 3;
/** Runs further back tell of another program, and of another fleet of machines. */
const WINDOW_RUNS = 60;
/** Deviations beyond which a run is pulled in; next to no value of a normal distribution lies there. */
const FARTHEST = 4;
/** Median absolute deviation → standard deviation, of a normal distribution. */
const NORMAL = 1.4826;
/** Medians of runs that overlap hang together: so much of a degree of freedom is one of them. */
const DEGREES_EACH = 0.75;

/** The median of the last few values, of which the last one is the baseline's own. */
export function baselineLevel(values: readonly number[]): number {
  return median(values.slice(-BASELINE_RUNS));
}

/**
 * How far a run lies from the median of the five before it by chance, as past runs did:
 *
 *     d[i] = x[i] - median(x[i-5] … x[i-1]),   the mean square of the d, wild ones pulled in to four deviations
 *
 * A step that the program made long ago counts for the few runs that it takes the median to follow, where about the mean it would
 * count in every run since. `values` are logarithms, in the order of time; null with too few.
 */
export function runToRunVariance(values: readonly number[]): Variance | null {
  const recent = values.slice(-WINDOW_RUNS);
  const steps = recent.flatMap((value, index) =>
    index < LEAST_BEFORE ? [] : value - median(recent.slice(Math.max(0, index - BASELINE_RUNS), index)),
  );
  if (steps.length < 2) return null;
  const usual = NORMAL * median(steps.map(Math.abs));
  const most = usual > 0 ? FARTHEST * usual : Number.POSITIVE_INFINITY;
  const squares = steps.map((step) => Math.min(most, Math.abs(step)) ** 2);
  const value = Math.max(squares.reduce((sum, each) => sum + each, 0) / squares.length, LEAST_DEVIATION ** 2);
  return { value, degreesOfFreedom: Math.max(1, DEGREES_EACH * steps.length) };
}

/** Which past runs can be told anything from: those of the same conditions, without the one that is to be judged. */
export function usableRuns(history: StoredHistory, head: RunRecord): boolean[] {
  return alikeRuns(history, head).map((alike, index) => alike && history.runs[index]!.id !== head.id);
}

/** Which runs were measured under the conditions of `head`, itself included. */
export function alikeRuns(history: StoredHistory, head: RunRecord): boolean[] {
  const conditions = conditionsOf(head);
  return history.runs.map((run) => run.conditions === conditions);
}

/** What a series is, and what it is divided by where the same run has both; `reference series` null: taken as it is. */
export interface SeriesChoice {
  name: string;
  referenceSeries: string | null;
}

/**
 * ln of a series by its reference series in usable runs, since the last accepted change unless another `since` is given, oldest first.
 * Runs without the one or the other are left out, and so is what is not above 0.
 */
export function logSeries(
  history: StoredHistory,
  { name, referenceSeries }: SeriesChoice,
  usable: readonly boolean[],
  since = history.accepted.get(name) ?? 0,
): { runs: HistoryRun[]; values: number[] } {
  const own = history.series.get(name);
  const measured = referenceSeries === null ? null : history.series.get(referenceSeries);
  const found: { runs: HistoryRun[]; values: number[] } = { runs: [], values: [] };
  if (own === undefined || measured === undefined) return found;
  let at = 0;
  for (const [index, run] of own.runs.entries()) {
    if (run < since || !usable[run]) continue;
    while (measured !== null && at < measured.runs.length && measured.runs[at]! < run) at += 1;
    if (measured !== null && measured.runs[at] !== run) continue;
    const ratio = own.values[index]! / (measured === null ? 1 : measured.values[at]!);
    if (!(ratio > 0 && Number.isFinite(ratio))) continue;
    found.runs.push(history.runs[run]!);
    found.values.push(Math.log(ratio));
  }
  return found;
}
