import type { BenchmarkData } from './benchmark-data.ts';
import { importedRuns } from './imported-runs.ts';
import { MANIFEST_FILE, type Manifest, monthOf, pieceFile } from './manifest.ts';
import { startPages } from './pages-build.ts';
import { jsonText, type PagesFile } from './pages-files.ts';
import type { SeriesPiece } from './series-piece.ts';

export interface ImportedPages {
  /** From the folder of the spec; the manifest comes last. Empty where nothing is new. */
  files: PagesFile[];
  /** Runs that were added. */
  added: number;
  /** Runs that were there already. */
  known: number;
  /** Figures that could not be taken. */
  leftOut: number;
}

/** Pieces that have to be read before runs can be added to them: those of the months that the runs are of. */
export function piecesToRead(manifest: Manifest, data: BenchmarkData): string[] {
  const months = new Set(importedRuns(manifest, data).rows.map(({ id }) => monthOf(id)));
  return manifest.months
    .filter(({ month }) => months.has(month))
    .flatMap((month) => Array.from({ length: month.pieces }, (_, index) => pieceFile(month, index + 1)));
}

/**
 * The pages of a spec with the runs of another tool: what is there stays as it is, and what is there already is not added again.
 * `pieces` are those of `piecesToRead`.
 */
export function withImported(manifest: Manifest, pieces: readonly SeriesPiece[], data: BenchmarkData): ImportedPages {
  const { manifest: named, rows, leftOut } = importedRuns(manifest, data);
  const there = new Set(pieces.flatMap(({ runs }) => runs.id));
  const added = rows.filter(({ id }) => !there.has(id));
  const known = rows.length - added.length;
  if (added.length === 0) return { files: [], added: 0, known, leftOut };
  const build = startPages(named);
  for (const row of added) build.addRow(row);
  const built = build.end();
  const gone = new Map(manifest.months.map((each) => [each.month, each.gone]));
  const months = built.manifest.months.map((each) => ({ ...each, gone: gone.get(each.month) ?? 0 }));
  const content = jsonText({ ...built.manifest, months });
  return { files: [...built.pieces, { file: MANIFEST_FILE, content }], added: added.length, known, leftOut };
}
