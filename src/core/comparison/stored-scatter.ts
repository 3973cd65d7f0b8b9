import type { RunRecord } from '../record/run-record.ts';
import type { Variance } from '../statistics/moderated-variance.ts';
import { conditionsOf, type StoredHistory } from './stored-history.ts';

/** Nothing repeats better than this from run to run, as a logarithm: figures are rounded. */
const LEAST_DEVIATION = 1e-3;

/**
 * How far one run lies from the next by chance: the mean square of successive differences of a series,
 *
 *     sum (x[i+1] - x[i])^2 / (n - 1)   with   2 (n - 1)^2 / (3n - 4)   degrees of freedom
 *
 * (von Neumann, Annals of Mathematical Statistics 12, 1941; the degrees by matching the variance that he gives). A step
 * that the program made long ago counts once, where about the mean it would count in every run since. `values` are
 * logarithms, in the order of time; null with fewer than two.
 */
export function runToRunVariance(values: readonly number[]): Variance | null {
  const count = values.length;
  if (count < 2) return null;
  const sum = values.slice(1).reduce((total, value, index) => total + (value - values[index]!) ** 2, 0);
  const value = Math.max(sum / (count - 1), LEAST_DEVIATION ** 2);
  return { value, degreesOfFreedom: (2 * (count - 1) ** 2) / (3 * count - 4) };
}

/** Which past runs can be told anything from: those of the same conditions, without the one that is to be judged. */
export function usableRuns(history: StoredHistory, head: RunRecord): boolean[] {
  const conditions = conditionsOf(head);
  return history.runs.map((run) => run.id !== head.id && run.conditions === conditions);
}

/** What a series is, and what it is divided by where the same run has both; `yardstick` null: taken as it is. */
export interface SeriesChoice {
  name: string;
  yardstick: string | null;
}

/**
 * ln of a series by its yardstick in usable runs since the last accepted change, oldest first; `ids` are of those runs.
 * Runs without the one or the other are left out, and so is what is not above 0.
 */
export function logSeries(
  history: StoredHistory,
  { name, yardstick }: SeriesChoice,
  usable: readonly boolean[],
): { ids: string[]; values: number[] } {
  const own = history.series.get(name);
  const measured = yardstick === null ? null : history.series.get(yardstick);
  const found: { ids: string[]; values: number[] } = { ids: [], values: [] };
  if (own === undefined || measured === undefined) return found;
  const since = history.accepted.get(name) ?? 0;
  let at = 0;
  for (const [index, run] of own.runs.entries()) {
    if (run < since || !usable[run]) continue;
    while (measured !== null && at < measured.runs.length && measured.runs[at]! < run) at += 1;
    if (measured !== null && measured.runs[at] !== run) continue;
    const ratio = own.values[index]! / (measured === null ? 1 : measured.values[at]!);
    if (!(ratio > 0 && Number.isFinite(ratio))) continue;
    found.ids.push(history.runs[run]!.id);
    found.values.push(Math.log(ratio));
  }
  return found;
}
