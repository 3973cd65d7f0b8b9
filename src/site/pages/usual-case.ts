import type { SeriesCase } from '../../core/publication/manifest.ts';
import type { RunEntry } from './view.ts';

/** Where a run stands in the data of a spec. */
export type PlaceOfRun = Pick<RunEntry, 'piece' | 'place'>;

/**
 * Place of the case that is shown where none is asked for: the first subject of which the newest run that measured has a figure of the metric,
 * since the manifest goes on naming cases that were removed, and imported ones. Without such a case, the first subject that there ever was.
 */
export function usualCase(cases: readonly SeriesCase[], metric: number, newest: PlaceOfRun | undefined): number {
  const isMeasured = (place: number) => {
    const series = `${place}.${metric}`;
    if (newest === undefined || !Object.hasOwn(newest.piece.series, series)) return false;
    return (newest.piece.series[series]!.value[newest.place] ?? null) !== null;
  };
  const measured = cases.findIndex(({ reference }, place) => !reference && isMeasured(place));
  if (measured !== -1) return measured;
  const known = cases.findIndex(({ reference }) => !reference);
  return Math.max(0, known);
}
