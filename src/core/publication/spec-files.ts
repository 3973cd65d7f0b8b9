import type { BranchChange } from './change.ts';
import { MANIFEST_FILE } from './manifest.ts';
import { DATA_FOLDER, hiddenId, isSpecName, readPlace, type StoredPlace, setAsideId } from './place.ts';

/** What the branch holds of a spec, as its paths say. */
export interface SpecFiles {
  /** Runs, the oldest first: hidden ones too, without those set aside. */
  runs: StoredPlace[];
  /** Pieces of series, in the order that they were written in. */
  pieces: { path: string; month: string; number: number }[];
  /** Ids. */
  hidden: string[];
  setAside: string[];
}

/** Specs that the branch holds runs of, or pages: where all was imported there is no run. By name. */
export function specNames(paths: readonly string[]): string[] {
  const names = new Set<string>();
  for (const path of paths) {
    const end = path.indexOf('/', DATA_FOLDER.length + 1);
    // One file of each is enough.
    if (names.has(path.slice(DATA_FOLDER.length + 1, end))) continue;
    const name = readPlace(path)?.specName ?? specOfManifest(path);
    if (name !== null) names.add(name);
  }
  return [...names].sort();
}

/** Null for what is no manifest of a spec. */
function specOfManifest(path: string): string | null {
  const [folder, name = '', ...file] = path.split('/');
  return folder === DATA_FOLDER && isSpecName(name) && file.join('/') === MANIFEST_FILE ? name : null;
}

export function specFolder(specName: string): string {
  return `${DATA_FOLDER}/${specName}/`;
}

/** In that of a spec. */
export const SERIES_FOLDER = 'series/';
const PIECE = /^series\/([0-9]{4}-[0-9]{2})(?:-([1-9][0-9]{0,3}))?\.json$/;

export function specFiles(paths: readonly string[], specName: string): SpecFiles {
  const folder = specFolder(specName);
  const files: SpecFiles = { runs: [], pieces: [], hidden: [], setAside: [] };
  for (const path of paths) {
    if (!path.startsWith(folder)) continue;
    const place = readPlace(path);
    if (place !== null) {
      files.runs.push(place);
      continue;
    }
    const [, month, number = '1'] = PIECE.exec(path.slice(folder.length)) ?? [];
    if (month !== undefined) files.pieces.push({ path, month, number: Number(number) });
    const [hidden, aside] = [hiddenId(path), setAsideId(path)];
    if (hidden !== null) files.hidden.push(hidden);
    if (aside !== null) files.setAside.push(aside);
  }
  return inOrder(files);
}

/** As `specFiles` of the branch with the change, without reading all of its paths again. */
export function specFilesAfter(
  before: SpecFiles,
  specName: string,
  { write, move, remove }: Pick<BranchChange, 'write' | 'move' | 'remove'>,
): SpecFiles {
  const gone = new Set([...remove, ...move.map(({ from }) => from)]);
  const added = specFiles([...new Set([...move.map(({ to }) => to), ...write.map(({ path }) => path)])], specName);
  const goneFiles = specFiles([...gone], specName);
  const joined = <T>(kept: readonly T[], more: readonly T[], keyOf: (each: T) => string): T[] => {
    const keys = new Set(more.map(keyOf));
    return [...kept.filter((each) => !keys.has(keyOf(each))), ...more];
  };
  const standing = <T>(all: readonly T[], taken: readonly T[]) => all.filter((each) => !taken.includes(each));
  return inOrder({
    runs: joined(gone.size === 0 ? before.runs : before.runs.filter(({ path }) => !gone.has(path)), added.runs, pathOf),
    pieces: joined(
      before.pieces.filter(({ path }) => !gone.has(path)),
      added.pieces,
      pathOf,
    ),
    hidden: joined(standing(before.hidden, goneFiles.hidden), added.hidden, String),
    setAside: joined(standing(before.setAside, goneFiles.setAside), added.setAside, String),
  });
}

function pathOf({ path }: { path: string }): string {
  return path;
}

function inOrder(files: SpecFiles): SpecFiles {
  files.runs.sort((one, other) => (one.id < other.id ? -1 : 1));
  files.pieces.sort((one, other) =>
    one.month < other.month ? -1 : one.month > other.month ? 1 : one.number - other.number,
  );
  return files;
}

/** The newest run that counts; null where there is none. */
export function newestRun({ runs, hidden }: SpecFiles): StoredPlace | null {
  const left = new Set(hidden);
  return runs.findLast(({ id }) => !left.has(id)) ?? null;
}
