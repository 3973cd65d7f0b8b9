import { type Manifest, monthOf } from '../core/publication/manifest.ts';
import { startPages } from '../core/publication/pages-build.ts';
import { mostPagesBytes, readSeriesPiece, UnreadablePages } from '../core/publication/pages-documents.ts';
import { emptyManifest, type PagesFile, type PublishedRun } from '../core/publication/pages-files.ts';
import { type StoredPlace, setAsidePath } from '../core/publication/place.ts';
import { type RunRow, rowsOf } from '../core/publication/series-rows.ts';
import type { SpecFiles } from '../core/publication/spec-files.ts';
import { storedRecord } from '../core/publication/stored-record.ts';
import { maxRecordLength } from '../core/record/run-record-file.ts';
import type { BranchReader } from './ports/data-branch.ts';

export interface RebuildRequest {
  manifest: Manifest;
  months: ReadonlySet<string>;
  files: SpecFiles;
  /** Ids of runs that the same commit takes from the branch. */
  taken: readonly string[];
  /** The run that it adds. */
  run: PublishedRun | null;
  /** There was no manifest. */
  isNew: boolean;
  /** However many they are. */
  isAll: boolean;
}

export interface Rebuilt {
  manifest: Manifest;
  pieces: PagesFile[];
  /** Paths. */
  remove: string[];
  /** Runs that cannot be read, and where they are moved to. */
  unreadable: { from: string; to: string }[];
  /** Whether `run` is of one of the months. */
  includesRun: boolean;
}

/** Runs that are read where there is no manifest: 24 MB of ours. All others stay on the branch as they are. */
const MOST_RUNS = 1_000;

/** Pieces of months from their runs, and from what the old pieces held of other tools. */
export async function rebuiltMonths(
  { manifest, months, files, taken, run, isNew, isAll }: RebuildRequest,
  read: BranchReader,
  warn: (text: string) => void,
): Promise<Rebuilt> {
  const gone = new Set(taken);
  const own = files.runs.filter(({ id }) => months.has(monthOf(id)) && !gone.has(id));
  const since = isAll ? null : manifest.since;
  const inReach = own.filter(({ id }) => since === null || id >= since);
  const places = isNew && !isAll ? inReach.slice(-MOST_RUNS) : inReach;
  if (places.length < inReach.length) {
    warn(
      `The pages are made of the newest ${MOST_RUNS} of ${inReach.length} runs; \`wrkbench publish ${manifest.spec} --rebuild\` adds the older ones.`,
    );
  }
  const oldPieces = files.pieces.filter(({ month }) => months.has(month)).map(({ path }) => path);
  const imported = isNew ? [] : await importedRows(oldPieces, manifest, read);
  const reach = places.length < inReach.length ? places[0]!.id : since;
  const build = startPages({
    ...(isAll && imported.length === 0 ? withoutNames(manifest) : manifest),
    months: manifest.months.filter(({ month }) => !months.has(month)),
    since: reach,
  });
  const includesRun = run !== null && months.has(monthOf(run.record.id)) && (reach === null || run.record.id >= reach);
  const beside = [
    ...imported.map((row) => ({ id: row.id, add: () => build.addRow(row) })),
    ...(includesRun ? [{ id: run.record.id, add: () => build.add(run) }] : []),
  ].sort((one, other) => (one.id < other.id ? -1 : 1));
  const addUpTo = (id: string | null) => {
    while (beside[0] !== undefined && (id === null || beside[0].id < id)) beside.shift()!.add();
  };
  const unreadable: Rebuilt['unreadable'] = [];
  const byPath = new Map(places.map((place) => [place.path, place]));
  if (places.length > 0) {
    for await (const { path, text } of read([...byPath.keys()], maxRecordLength)) {
      const place: StoredPlace = byPath.get(path)!;
      const record = text === null ? null : storedRecord(text, place);
      if (record === null) {
        warn(`${path} cannot be read: it is set aside, and counts for nothing.`);
        unreadable.push({ from: path, to: setAsidePath(place) });
        continue;
      }
      addUpTo(place.id);
      build.add({ record, workflowRun: place.workflowRun });
    }
  }
  addUpTo(null);
  return { ...build.end(), remove: oldPieces, unreadable, includesRun };
}

function withoutNames({ spec, tool, server, repository }: Manifest): Manifest {
  return emptyManifest({ specName: spec, tool, server, repository });
}

/** What other tools measured is in pieces alone; where one cannot be read, it is lost. */
async function importedRows(paths: readonly string[], manifest: Manifest, read: BranchReader): Promise<RunRow[]> {
  if (paths.length === 0 || manifest.months.every(({ imported }) => imported === 0)) return [];
  const rows: RunRow[] = [];
  for await (const { path, text } of read(paths, mostPagesBytes)) {
    try {
      if (text !== null) rows.push(...rowsOf(readSeriesPiece(text, path, manifest)).filter((row) => row.imported));
    } catch (error) {
      if (!(error instanceof UnreadablePages)) throw error;
    }
  }
  return rows;
}
