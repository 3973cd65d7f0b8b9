import type { Manifest, SeriesCase } from '../../core/publication/manifest.ts';
import type { RunEntry } from './view.ts';

/** Where a run stands in the data of a spec. */
export type PlaceOfRun = Pick<RunEntry, 'piece' | 'place'>;

/** Places of a case and a metric. */
export interface UsualSeries {
  case: number;
  metric: number;
}

/**
 * What is shown where nothing is asked for: the first of `preferred` of which the newest run that measured has a figure, else the first
 * metric of which it has one, and `usualCase` of that. The manifest goes on naming metrics that nobody measures any more, and imported ones.
 */
export function usualSeries(
  { cases, metrics }: Pick<Manifest, 'cases' | 'metrics'>,
  preferred: readonly string[],
  newest: PlaceOfRun | undefined,
): UsualSeries {
  const known = preferred
    .map((name) => metrics.findIndex((each) => each.name === name))
    .filter((place) => place !== -1);
  const measured = [...known, ...metrics.keys()].find((metric) => measuredCase(cases, metric, newest) !== -1);
  const metric = measured ?? known[0] ?? 0;
  return { case: usualCase(cases, metric, newest), metric };
}

/**
 * Place of the case that is shown where none is asked for: the first subject of which the newest run that measured has a figure of the metric,
 * since the manifest goes on naming cases that were removed, and imported ones. Without such a case, the first subject that there ever was.
 */
export function usualCase(cases: readonly SeriesCase[], metric: number, newest: PlaceOfRun | undefined): number {
  const measured = measuredCase(cases, metric, newest);
  if (measured !== -1) return measured;
  return Math.max(
    0,
    cases.findIndex(({ reference }) => !reference),
  );
}

/** The first subject with a figure of the metric in that run; -1 where there is none. */
function measuredCase(cases: readonly SeriesCase[], metric: number, newest: PlaceOfRun | undefined): number {
  if (newest === undefined) return -1;
  const { piece, place } = newest;
  const hasFigure = (series: string) =>
    Object.hasOwn(piece.series, series) && (piece.series[series]!.value[place] ?? null) !== null;
  return cases.findIndex(({ reference }, at) => !reference && hasFigure(`${at}.${metric}`));
}
