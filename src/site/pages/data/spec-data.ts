import type { Manifest } from '../../../core/publication/manifest.ts';
import { DATA_FOLDER, placeOf, rawPath } from '../../../core/publication/place.ts';
import type { RunRecord } from '../../../core/record/run-record.ts';
import { loadedPart } from '../loaded-part.ts';
import { type RunEntry, type SpecData, UnreadableData } from '../view.ts';
import { byId, entriesOf } from './entries.ts';
import { type DataFiles, readChecked } from './files.ts';
import { PAGES_VERSION, pageManifestSchema, pagePieceSchema, pageTextsSchema } from './schemas.ts';

/** What is missing, as a sentence, and the error that it comes from. */
export type Complain = (sentence: string, error: UnreadableData) => void;

/** So many files are asked for at once, at most. */
const AT_ONCE = 8;

/**
 * Rejects with `UnreadableData` where there is no manifest to read, and so does `fetchRuns` where no piece can be. `complain` is told of a
 * piece that cannot be read, and why, where others are.
 */
export async function specData(files: DataFiles, complain: Complain): Promise<SpecData> {
  const path = 'manifest.json';
  const manifest = readChecked(await files.text(path), path, pageManifestSchema, PAGES_VERSION);
  const pieces = piecesOf(manifest);
  const fetched = new Map<number, Promise<RunEntry[]>>();
  const records = new Map<string, Promise<RunRecord>>();
  /** By the place of their piece; the newest runs, without a gap. */
  const known: RunEntry[][] = [];
  let all: RunEntry[] = [];
  /** Pieces that nobody was told of yet. */
  const unread = new Map<PieceFile, UnreadableData>();

  const fetchPiece = (age: number): Promise<RunEntry[]> => {
    const asked = fetched.get(age);
    if (asked !== undefined) return asked;
    const piece = readPiece(manifest, pieces[age]!, files, unread);
    fetched.set(age, piece);
    return piece;
  };

  return {
    manifest,
    runs: () => all,
    async fetchRuns(enough, about = 0) {
      // As many as are likely wanted, then one more, then ever more at once.
      let batch = numberOfPieces(pieces, about);
      while (known.length < pieces.length && !enough(all)) {
        const from = known.length;
        const end = endOfNewest(pieces, from + batch);
        const found: RunEntry[][] = [];
        while (from + found.length < end) {
          const next = from + found.length;
          const ages = Array.from({ length: Math.min(AT_ONCE, end - next) }, (_, index) => next + index);
          found.push(...(await Promise.all(ages.map(fetchPiece))));
        }
        // Somebody else may have waited for the same ones.
        for (const [index, piece] of found.entries()) known[from + index] = piece;
        all = known.flat().sort(byId);
        batch = from === 0 ? 1 : Math.min(AT_ONCE, batch * 2);
      }
      const [first] = unread.values();
      if (first !== undefined && all.length === 0) throw first;
      for (const [{ runs }, error] of unread) {
        complain(`${error.message} Until then its runs, some ${Math.max(1, runs)}, are left out here.`, error);
      }
      unread.clear();
    },
    run(entry) {
      const asked = records.get(entry.id) ?? readRun(manifest, entry, files);
      records.set(entry.id, asked);
      // What failed may be there the next time.
      asked.catch(() => records.delete(entry.id));
      return asked;
    },
    // Kept by the browser, and asked for once by whoever unfolds it.
    async rawTexts(entry) {
      const path = rawPath({ path: runFile(manifest, entry) });
      return readChecked(await files.text(path), path, pageTextsSchema, PAGES_VERSION);
    },
  };
}

interface PieceFile {
  file: string;
  month: string;
  /** Whether all of its runs are newer than those of the pieces before it. */
  ordered: boolean;
  /** How many runs it is likely to hold: its month's, divided evenly. */
  runs: number;
}

/** The newest first. */
function piecesOf({ months }: Manifest): PieceFile[] {
  return months
    .flatMap(({ month, pieces, runs, ordered = false }) =>
      Array.from({ length: pieces }, (_, index) => ({
        file: `series/${month}${index === 0 ? '' : `-${index + 1}`}.json`,
        month,
        ordered,
        runs: Math.round(runs / pieces),
      })),
    )
    .reverse();
}

/** At least one, and no more than are asked for at once. */
function numberOfPieces(pieces: readonly PieceFile[], about: number): number {
  let runs = 0;
  const place = pieces.findIndex((piece) => {
    runs += piece.runs;
    return runs >= about;
  });
  return place === -1 ? AT_ONCE : Math.min(AT_ONCE, place + 1);
}

/**
 * At least `place`: the first one before which all pieces together hold the newest runs. One that was published late or imported is in a
 * later piece than newer ones: only the whole of such a month tells which are its newest.
 */
function endOfNewest(pieces: readonly PieceFile[], place: number): number {
  const end = Math.min(place, pieces.length);
  const { month, ordered } = pieces[end - 1]!;
  return ordered ? end : pieces.findLastIndex((piece) => piece.month === month) + 1;
}

/** Empty where it cannot be read, which is noted. */
async function readPiece(
  manifest: Manifest,
  piece: PieceFile,
  files: DataFiles,
  unread: Map<PieceFile, UnreadableData>,
): Promise<RunEntry[]> {
  const { file } = piece;
  try {
    return entriesOf(readChecked(await files.text(file), file, pagePieceSchema, PAGES_VERSION), manifest);
  } catch (error) {
    if (!(error instanceof UnreadableData)) throw error;
    unread.set(piece, error);
    return [];
  }
}

type RunNames = Pick<RunEntry, 'id' | 'sha' | 'workflowRun'>;

/** From the folder of the spec. */
function runFile({ spec }: Manifest, { id, sha, workflowRun }: RunNames): string {
  const place = placeOf({ specName: spec, id, sha, workflowRun });
  if (place === null) throw new UnreadableData(`${id} is no name of a run, so there is no file to read.`);
  return place.path.slice(`${DATA_FOLDER}/${spec}/`.length);
}

async function readRun(manifest: Manifest, entry: RunNames, files: DataFiles): Promise<RunRecord> {
  const path = runFile(manifest, entry);
  const text = await files.text(path);
  const { readRunRecord, UnreadableRecord } = await loadedPart(import('./run-record.ts'));
  try {
    return readRunRecord(text, path);
  } catch (error) {
    throw error instanceof UnreadableRecord ? new UnreadableData(error.message) : error;
  }
}
