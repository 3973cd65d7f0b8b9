import { UserError } from '../user-error.ts';
import { countedRuns, DATA_FOLDER, hiddenPath, rawPath, readPlace, type StoredPlace, setAsidePath } from './place.ts';

/** A file of the branch, as its tree names it. */
export interface BranchEntry {
  path: string;
  /** Of its content. */
  blob: string;
}

/** What a commit does to the branch; whatever it does not name stays. */
export interface BranchChange {
  message: string;
  write: { path: string; content: string | Uint8Array }[];
  move: { from: string; to: string; blob: string }[];
  remove: string[];
  /** The branch gets one commit without a past, with all that it holds. */
  squash: boolean;
}

/** How much is kept; null for all. */
export interface Retention {
  /** Runs of a spec. */
  count: number | null;
  days: number | null;
}

export const keepAll: Retention = { count: null, days: null };

export interface Publication {
  place: StoredPlace;
  /** As the file is to be. */
  content: string;
  /** What its generators wrote, as a file of its own; absent where nothing of it is kept. */
  raw?: string | null;
  /** Places of records that were found to be unreadable. */
  unreadable: readonly StoredPlace[];
  retention: Retention;
  squash: boolean;
  /** For the age of runs. */
  now: Date;
}

/**
 * What the branch holds in place of a run: that run itself, or another attempt of the same workflow run, which measured the
 * same and is not measured twice by it. Null where it holds neither.
 */
export function keptAlready(
  entries: readonly BranchEntry[],
  { place, unreadable }: Pick<Publication, 'place' | 'unreadable'>,
): StoredPlace | null {
  // All that a name can have of it: reading those of 10,000 runs takes longer than all else.
  const marks = [place.id, ...(place.workflowRun === null ? [] : [`.run-${place.workflowRun}.`])];
  const runs = entries
    .filter(({ path }) => marks.some((mark) => path.includes(mark)))
    .flatMap(({ path }) => readPlace(path) ?? [])
    .filter(({ specName }) => specName === place.specName);
  const own = runs.find(({ id }) => id === place.id);
  // A record that is none is about to be set aside: it stands for nothing.
  const readable = runs.filter(({ path }) => unreadable.every((bad) => bad.path !== path));
  const attempt = readable.find(({ workflowRun }) => workflowRun !== null && workflowRun === place.workflowRun);
  return own ?? attempt ?? null;
}

/** Pure, so that it is made anew on every tip. Null where the branch holds the run already: a file is never written again. */
export function publicationChange(entries: readonly BranchEntry[], publication: Publication): BranchChange | null {
  const { place, content, raw = null, unreadable, retention, squash, now } = publication;
  if (keptAlready(entries, publication) !== null) return null;
  const paths = [...entries.map(({ path }) => path), place.path];
  const aside = movesAside(entries, unreadable);
  const moved = new Set(aside.map(({ from }) => from));
  const expired = expiredRuns(paths, place, retention, now).filter((path) => !moved.has(path));
  return {
    message: `Add run ${place.id} of ${place.specName}`,
    write: [{ path: place.path, content }, ...(raw === null ? [] : [{ path: rawPath(place), content: raw }])],
    move: aside,
    remove: expired,
    squash,
  };
}

function movesAside(entries: readonly BranchEntry[], unreadable: readonly StoredPlace[]): BranchChange['move'] {
  return unreadable.flatMap((place) => {
    const found = entries.find(({ path }) => path === place.path);
    return found === undefined ? [] : [{ from: place.path, to: setAsidePath(place), blob: found.blob }];
  });
}

/** With what hides them. The run that is being published always stays, and so do those that are set aside. */
function expiredRuns(paths: readonly string[], own: StoredPlace, { count, days }: Retention, now: Date): string[] {
  if (count === null && days === null) return [];
  const runs = paths
    .flatMap((path) => readPlace(path) ?? [])
    .filter(({ specName }) => specName === own.specName)
    .sort((one, other) => (one.id < other.id ? 1 : -1));
  const expired = runs.filter(
    ({ id }, index) =>
      id !== own.id && ((count !== null && index >= count) || (days !== null && ageInDays(id, now) > days)),
  );
  const there = new Set(paths);
  return expired.flatMap(({ path, specName, id }) =>
    [path, rawPath({ path }), hiddenPath(specName, id)].filter((each) => there.has(each)),
  );
}

/** Ids begin with the time, in UTC: `20261120-092802-…`. */
function ageInDays(id: string, now: Date): number {
  const [, year, month, day, hour, minute, second] =
    /^(\d{4})(\d{2})(\d{2})-(\d{2})(\d{2})(\d{2})/.exec(id)?.map(Number) ?? [];
  const at = Date.UTC(year!, month! - 1, day!, hour!, minute!, second!);
  return (now.getTime() - at) / 86_400_000;
}

/** Throws `UserError` where the branch holds no such run. Null where it is hidden already. */
export function hidingChange(
  entries: readonly BranchEntry[],
  { specName, id, reason }: { specName: string; id: string; reason: string },
): BranchChange | null {
  const paths = entries.map(({ path }) => path);
  if (paths.includes(hiddenPath(specName, id))) return null;
  const runs = countedRuns(paths, specName);
  if (!runs.some((run) => run.id === id)) {
    const known = runs.length === 0 ? `It holds none of ${specName}.` : `The newest is ${runs[0]!.id}.`;
    throw new UserError(`The branch holds no run ${id} of ${specName}, so there is nothing to hide. ${known}`);
  }
  return {
    message: `Hide run ${id} of ${specName}`,
    write: [{ path: hiddenPath(specName, id), content: `${reason}\n` }],
    move: [],
    remove: [],
    squash: false,
  };
}

/** Nothing by itself: what is made anew is added to it. Throws `UserError` where the branch holds no run of the spec. */
export function rebuildingChange(entries: readonly BranchEntry[], specName: string): BranchChange {
  if (!entries.some(({ path }) => readPlace(path)?.specName === specName)) {
    throw new UserError(`The branch holds no run of ${specName}, so there is nothing to make its pages of.`);
  }
  return { message: `Make the series of ${specName} anew`, write: [], move: [], remove: [], squash: false };
}

/** Throws where a change would touch anything outside of our folder: a defect that must not reach the branch. */
export function assertOwn({ write, move, remove }: BranchChange): void {
  const paths = [...write.map(({ path }) => path), ...move.flatMap(({ from, to }) => [from, to]), ...remove];
  for (const path of paths) {
    if (!path.startsWith(`${DATA_FOLDER}/`) || path.split('/').some((part) => part === '..' || part === '')) {
      throw new RangeError(`${path} lies outside of ${DATA_FOLDER}/ on the data branch`);
    }
  }
}
