import { type Manifest, monthOf, pieceFile } from './manifest.ts';
import { jsonText, type PagesFile, PIECE_BYTES, type PublishedRun, rowOf, withNames } from './pages-files.ts';
import { pieceOf, type RunRow } from './series-rows.ts';

/** Makes pages of many runs, each of which may be forgotten as soon as it was added. */
export interface PagesBuild {
  /** In the order of their ids. */
  add(run: PublishedRun): void;
  /** Of another tool; as `add`, and its series are named in the manifest that the build began with. */
  addRow(row: RunRow): void;
  /** The manifest without its `latest`, `leftOut` and `oldest`, and all pieces that were made. */
  end(): { manifest: Manifest; pieces: PagesFile[] };
}

/** `manifest` may name series, and months that are none of those that are added. */
export function startPages(start: Manifest): PagesBuild {
  let manifest = start;
  const before = new Set(start.months.map(({ month }) => month));
  const pieces: PagesFile[] = [];
  let rows: RunRow[] = [];
  /** Number of rows at which to see how long the piece has become. */
  let next = 1;
  const close = () => {
    const [first] = rows;
    if (first === undefined) return;
    const month = monthOf(first.id);
    const known = manifest.months.find((each) => each.month === month);
    const imported = rows.filter((row) => row.imported).length;
    const entry = {
      month,
      pieces: (known?.pieces ?? 0) + 1,
      runs: (known?.runs ?? 0) + rows.length,
      gone: 0,
      imported: (known?.imported ?? 0) + imported,
      // Rows come in order, but are none of those that were there.
      ordered: !before.has(month),
    };
    const others = manifest.months.filter((each) => each !== known);
    const months = [...others, entry].sort((one, other) => (one.month < other.month ? -1 : 1));
    manifest = { ...manifest, months };
    pieces.push({ file: pieceFile(entry, entry.pieces), content: jsonText(pieceOf(rows)) });
    rows = [];
    next = 1;
  };
  const addRow = (row: RunRow) => {
    if (rows[0] !== undefined && monthOf(rows[0].id) !== monthOf(row.id)) close();
    rows.push(row);
    if (rows.length < next) return;
    const bytes = jsonText(pieceOf(rows)).length;
    // A row takes less than its part, which holds the names of all series.
    next = rows.length + Math.max(1, Math.floor(((PIECE_BYTES - bytes) / bytes) * rows.length));
    if (bytes > PIECE_BYTES) close();
  };
  return {
    add(run) {
      manifest = withNames(manifest, run.record);
      addRow(rowOf(manifest, run));
    },
    addRow,
    end() {
      close();
      return { manifest, pieces };
    },
  };
}
