import type { RunEntry } from './view.ts';

/**
 * What a run came to in a series, `CASE.METRIC`. Null where it has no figure, and where that says nothing: the case was invalid, or the
 * generator was the limit.
 */
export function soundFigure({ piece, place }: Pick<RunEntry, 'piece' | 'place'>, series: string): number | null {
  const columns = Object.hasOwn(piece.series, series) ? piece.series[series]! : null;
  return (columns?.status?.[place] ?? ' ') === ' ' ? (columns?.value[place] ?? null) : null;
}
