import type { BranchChange, BranchEntry } from '../core/publication/change.ts';
import { MANIFEST_FILE, type Manifest, monthOf } from '../core/publication/manifest.ts';
import {
  isOfLaterSchema,
  mostPagesBytes,
  readManifest,
  readSeriesPiece,
  UnreadablePages,
} from '../core/publication/pages-documents.ts';
import { emptyManifest, jsonText, type LastPiece, withRun } from '../core/publication/pages-files.ts';
import {
  emptyMonths,
  type LeftOut,
  monthsOutOfStep,
  runIds,
  unknownReasons,
  withGone,
  withStanding,
} from '../core/publication/pages-state.ts';
import { hiddenPath, readPlace } from '../core/publication/place.ts';
import { rowsOf } from '../core/publication/series-rows.ts';
import {
  newestRun,
  SERIES_FOLDER,
  type SpecFiles,
  specFiles,
  specFilesAfter,
  specFolder,
} from '../core/publication/spec-files.ts';
import { isLaterVersion } from '../core/publication/tool-version.ts';
import type { BranchReader, ReadAhead } from './ports/data-branch.ts';
import { rebuiltMonths } from './rebuilt-pages.ts';
import { blobsOf, type PagesSource, type SiteRequest, siteChange } from './site-change.ts';

export interface PagesRequest extends Pick<SiteRequest, 'run'>, Partial<Pick<SiteRequest, 'becomesNewest'>> {
  specName: string;
  source: PagesSource;
  /** Why runs do not count, as far as this commit alone knows. */
  known?: readonly LeftOut[];
  /** All pieces are made anew from the runs. */
  rebuild?: boolean;
}

export interface BranchTip {
  entries: readonly BranchEntry[];
  read: BranchReader;
}

/**
 * A change of the runs of a spec together with what it does to their pages. The manifest and one piece are read; runs only where
 * these do not hold what the branch does. Pages of a later wrkbench's kind stay as they are. What is out of order is warned of.
 */
export async function withPages(
  change: BranchChange,
  { specName, run, source, becomesNewest = null, known = [], rebuild = false }: PagesRequest,
  { entries, read }: BranchTip,
  warn: (text: string) => void,
): Promise<BranchChange> {
  const folder = specFolder(specName);
  const before = specFiles(pathsOf(entries), specName);
  const month = run === null ? null : monthOf(run.record.id);
  const lastPath = lastPieceOf(before, month);
  const manifestPath = `${folder}${MANIFEST_FILE}`;
  const hasManifest = entries.some(({ path }) => path === manifestPath);
  const wanted = [...(hasManifest ? [manifestPath] : []), ...(lastPath === undefined ? [] : [lastPath])];
  const texts = await textsOf(wanted, read);
  const manifestText = texts.get(manifestPath);
  if (typeof manifestText === 'string' && isOfLaterSchema(manifestText)) {
    warn(
      `${manifestPath} was made by a later wrkbench in a way that this one does not know: the pages stay as they are. Update wrkbench, which then adds what they lack.`,
    );
    return change;
  }
  const found = manifestIn(manifestText, manifestPath, specName, warn);
  const start = startOf(found, { specName, source, run });
  const taken = runIds([...change.remove, ...change.move.map(({ from }) => from)]);

  const wrong = new Set(rebuild ? allMonths(found, before) : monthsOutOfStep(start, before));
  let last: LastPiece | null = null;
  if (lastPath !== undefined && month !== null && !wrong.has(month)) {
    last = lastPieceIn(texts.get(lastPath), lastPath, start, warn);
    if (last === null) wrong.add(month);
  }
  const pages =
    wrong.size === 0
      ? { manifest: start, pieces: [], remove: [], unreadable: [], includesRun: false }
      : await rebuiltMonths(
          { manifest: start, months: wrong, files: before, taken, run, isNew: found === null, isAll: rebuild },
          read,
          warn,
        );
  const aside = asideMoves(pages.unreadable, entries);
  const { since } = pages.manifest;
  const isInReach = run !== null && (since === null || run.record.id >= since);
  const grown = isInReach && !pages.includesRun ? withRun(pages.manifest, last, run) : null;
  const written = [...pages.pieces, ...(grown === null ? [] : [grown.written])];
  const counted = withGone(
    grown?.manifest ?? pages.manifest,
    taken.filter((id) => !wrong.has(monthOf(id))),
  );
  const empty = new Set(emptyMonths(counted));
  const kept = { ...counted, months: counted.months.filter((each) => !empty.has(each.month)) };
  const write = written
    .map(({ file, content }) => ({ path: `${folder}${file}`, content }))
    .filter(({ path }) => !pathIsOf(empty, path));
  const move = [...change.move, ...aside];
  const gonePieces = before.pieces.filter((piece) => empty.has(piece.month)).map(({ path }) => path);
  const rewritten = new Set(write.map(({ path }) => path));
  const remove = new Set([...change.remove, ...pages.remove, ...gonePieces].filter((path) => !rewritten.has(path)));

  const files = specFilesAfter(before, specName, { write: change.write, move, remove: [...remove] });
  const reasons = await hiddenReasons(kept, before, specName, read);
  const standing = withStanding(kept, files, {
    known: [
      ...move.map(({ from }) => ({ id: readPlace(from)?.id ?? '', why: 'set aside' as const, reason: NOT_READ })),
      ...reasons,
      ...known,
    ],
    expired: runIds(change.remove),
  });
  const manifest = { path: manifestPath, content: jsonText(standing) };
  const paths = pathsAfter(entries, { ...change, write: [...change.write, manifest], move, remove: [...remove] });
  const after = newestRun(files);
  const own =
    run !== null && after !== null && onlyEmptyAfter(run.record.id, after.id, last, standing) ? run.record : after;
  const site = siteChange(source, found, { paths, run, newest: own?.id ?? null, becomesNewest }, entries);
  return {
    ...change,
    write: [...change.write, ...write, manifest, ...site.write],
    move,
    remove: [...remove, ...site.remove],
  };
}

/** Whether all that counts between a run that comes late and the newest one measured nothing, so that it is the newest that did. */
function onlyEmptyAfter(id: string, newest: string, last: LastPiece | null, { leftOut }: Manifest): boolean {
  if (last === null || monthOf(id) !== monthOf(newest)) return false;
  const later = rowsOf(last.piece).filter((row) => row.id > id && leftOut.every((each) => each.id !== row.id));
  return (
    later.some((row) => row.id === newest) &&
    later.every(({ passed, points }) => passed !== false && [...points.values()].every(({ value }) => value === null))
  );
}

/** What is read of them for a run that is added: the manifest, and the last piece of the run's month. */
export function pagesReadAhead(specName: string, runId: string): ReadAhead {
  const folder = specFolder(specName);
  return {
    folders: [folder, `${folder}${SERIES_FOLDER}`],
    pathsOf: (files) =>
      [`${folder}${MANIFEST_FILE}`, lastPieceOf(specFiles(files, specName), monthOf(runId)) ?? []].flat(),
  };
}

function lastPieceOf({ pieces }: Pick<SpecFiles, 'pieces'>, month: string | null): string | undefined {
  return pieces.filter((piece) => piece.month === month).at(-1)?.path;
}

const NOT_READ = 'Its record cannot be read.';

function pathsOf(entries: readonly BranchEntry[]): string[] {
  return entries.map(({ path }) => path);
}

async function textsOf(paths: readonly string[], read: BranchReader): Promise<Map<string, string | null>> {
  const texts = new Map<string, string | null>();
  if (paths.length === 0) return texts;
  for await (const { path, text } of read(paths, mostPagesBytes)) texts.set(path, text);
  return texts;
}

/** Null where there is none, or one that cannot be read. */
function manifestIn(
  text: string | null | undefined,
  path: string,
  specName: string,
  warn: (text: string) => void,
): Manifest | null {
  if (text === undefined) return null;
  const manifest = readOr(() => {
    if (text === null) throw new UnreadablePages(`${path} is longer than any manifest.`);
    const read = readManifest(text, path);
    if (read.spec !== specName)
      throw new UnreadablePages(`${path} is of another spec, ${JSON.stringify(read.spec.slice(0, 80))}.`);
    return read;
  }, warn);
  return manifest;
}

function lastPieceIn(
  text: string | null | undefined,
  path: string,
  manifest: Manifest,
  warn: (text: string) => void,
): LastPiece | null {
  return readOr(() => {
    if (typeof text !== 'string') throw new UnreadablePages(`${path} is longer than any piece of series.`);
    const piece = readSeriesPiece(text, path, manifest);
    const months = new Set(piece.runs.id.map(monthOf));
    const own = path.slice(path.lastIndexOf('/') + 1, path.lastIndexOf('/') + 8);
    if ([...months].some((month) => month !== own)) throw new UnreadablePages(`${path} holds runs of another month.`);
    const entry = manifest.months.find(({ month }) => month === own);
    if (entry?.pieces === 1 && entry.runs !== piece.runs.id.length) {
      throw new UnreadablePages(`${path} holds ${piece.runs.id.length} runs, where the manifest says ${entry.runs}.`);
    }
    return { piece, bytes: Buffer.byteLength(text) };
  }, warn);
}

function readOr<T>(read: () => T, warn: (text: string) => void): T | null {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof UnreadablePages)) throw error;
    warn(`${error.message} It is made anew from the runs.`);
    return null;
  }
}

function startOf(found: Manifest | null, { specName, source, run }: Omit<PagesRequest, 'known'>): Manifest {
  const { tool, server } = source;
  if (found === null) {
    return emptyManifest({ specName, tool, server, repository: run?.record.source.repository ?? null });
  }
  return { ...found, server: server ?? found.server, tool: isLaterVersion(found.tool, tool) ? found.tool : tool };
}

function allMonths(found: Manifest | null, { runs, pieces }: ReturnType<typeof specFiles>): string[] {
  return [
    ...(found?.months.map(({ month }) => month) ?? []),
    ...runs.map(({ id }) => monthOf(id)),
    ...pieces.map(({ month }) => month),
  ];
}

function asideMoves(unreadable: readonly { from: string; to: string }[], entries: readonly BranchEntry[]) {
  const blobs = blobsOf(
    unreadable.map(({ from }) => ({ path: from })),
    entries,
  );
  return unreadable.map(({ from, to }) => ({ from, to, blob: blobs.get(from)! }));
}

function pathIsOf(months: ReadonlySet<string>, path: string): boolean {
  const name = path.slice(path.lastIndexOf('/') + 1);
  return months.has(name.slice(0, 7));
}

function pathsAfter(entries: readonly BranchEntry[], { write, move, remove }: BranchChange): string[] {
  const gone = new Set([...remove, ...move.map(({ from }) => from)]);
  const kept = pathsOf(entries).filter((path) => !gone.has(path));
  return [...new Set([...kept, ...move.map(({ to }) => to), ...write.map(({ path }) => path)])];
}

/** Of runs that somebody hid before there were pages. */
async function hiddenReasons(
  manifest: Manifest,
  before: SpecFiles,
  specName: string,
  read: BranchReader,
): Promise<LeftOut[]> {
  const ids = unknownReasons(manifest, before);
  const byPath = new Map(ids.map((id) => [hiddenPath(specName, id), id]));
  const texts = await textsOf([...byPath.keys()], read);
  return [...texts].map(([path, text]) => ({
    id: byPath.get(path)!,
    why: 'hidden' as const,
    reason: text?.trim() || 'No reason was given.',
  }));
}
