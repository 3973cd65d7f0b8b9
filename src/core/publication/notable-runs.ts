import type { Manifest } from './manifest.ts';
import { monthOf } from './manifest.ts';
import type { SeriesPiece } from './series-piece.ts';
import type { SpecFiles } from './spec-files.ts';

/** Paths of the pieces that hold the runs from that one on; null where some of them may be in no piece. */
export function piecesSince(
  id: string,
  { since, months }: Pick<Manifest, 'since' | 'months'>,
  { pieces }: Pick<SpecFiles, 'pieces'>,
): string[] | null {
  if (since !== null && id < since) return null;
  const wanted = months.filter(({ month }) => month >= monthOf(id));
  const found = pieces.filter(({ month }) => month >= monthOf(id));
  const isThere = wanted.every((each) => found.filter(({ month }) => month === each.month).length === each.pieces);
  return isThere ? found.map(({ path }) => path) : null;
}

/** Ids of the runs of a piece that failed or accepted something: few, of many that did neither. */
export function notableRuns({ runs, accepted }: SeriesPiece): string[] {
  const accepting = new Set(accepted.map(({ run }) => run));
  return runs.id.filter((_, place) => runs.passed[place] === false || accepting.has(place));
}
