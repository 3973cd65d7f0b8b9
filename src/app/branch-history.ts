import { counts } from '../core/baseline/counted-run.ts';
import type { Selection } from '../core/config/selection.ts';
import { countedRuns, nearestRuns, type StoredPlace } from '../core/publication/place.ts';
import { storedRecord } from '../core/publication/stored-record.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { maxRecordLength } from '../core/record/run-record-file.ts';
import { notableSince } from './notable-runs.ts';
import type { RecordHistory } from './ports/baselines.ts';
import { type DataBranch, DataBranchFailure } from './ports/data-branch.ts';

/** More past runs than a scatter is taken from; each is a file to fetch. */
const MOST_PAST_RUNS = 50;
const TOO_LONG = `is longer than the ${maxRecordLength / 1024 / 1024} MiB that are read of a run`;

export interface BranchHistory extends RecordHistory {
  /** The run with this id, however old; null where there is none. */
  run(specName: string, id: string, asked: Selection | null): Promise<RunRecord | null>;
  /** Where the runs of a spec that count lie, the newest first. */
  places(specName: string): Promise<readonly StoredPlace[]>;
  /** Of these runs the records of those that failed or accepted something, in their order; null where nobody knows which. */
  notable(specName: string, places: readonly StoredPlace[]): Promise<RunRecord[] | null>;
  /** Records that were found to be none; the next publication sets them aside. */
  unreadable: StoredPlace[];
}

/**
 * Earlier runs, from the data branch. What cannot be read, or is too long, is passed over, told once and remembered; where the branch
 * itself cannot be had, that is told and a run goes on without it.
 */
export function branchHistory(branch: DataBranch, signal: AbortSignal, warn: (text: string) => void): BranchHistory {
  const unreadable: StoredPlace[] = [];
  let warning: string | null = null;
  let listed: Promise<string[]> | null = null;
  const withoutBranch = (error: unknown): [] => {
    if (!(error instanceof DataBranchFailure)) throw error;
    warning = error.message;
    warn(`${error.message} Earlier runs are not known to this one.`);
    return [];
  };
  const pathsThere = (): Promise<string[]> => {
    listed ??= branch
      .entries(signal)
      .then((entries) => entries.map(({ path }) => path))
      .catch(withoutBranch);
    return listed;
  };
  const runsOf = async (specName: string): Promise<StoredPlace[]> => {
    return countedRuns(await pathsThere(), specName).filter(({ path }) => unreadable.every((bad) => bad.path !== path));
  };
  const setAside = (place: StoredPlace, why: string) => {
    unreadable.push(place);
    warn(`${place.path} on ${branch.place} ${why}, and counts for nothing.`);
  };
  /** Those that count. */
  async function* recordsAt(places: readonly StoredPlace[], asked: Selection | null): AsyncGenerator<RunRecord> {
    const byPath = new Map(places.map((place) => [place.path, place]));
    try {
      for await (const { path, text } of branch.texts([...byPath.keys()], maxRecordLength, signal)) {
        const place = byPath.get(path)!;
        const record = text === null ? null : storedRecord(text, place);
        if (text === null) setAside(place, TOO_LONG);
        else if (record === null) setAside(place, 'cannot be read');
        else if (counts(record, asked)) yield record;
      }
    } catch (error) {
      withoutBranch(error);
    }
  }
  const firstAt = async (places: readonly StoredPlace[], asked: Selection | null): Promise<RunRecord | null> => {
    for await (const record of recordsAt(places, asked)) return record;
    return null;
  };
  return {
    place: branch.place,
    unreadable,
    warning: () => warning,
    async run(specName, id, asked) {
      const places = (await runsOf(specName)).filter((place) => place.id === id);
      return await firstAt(places, asked);
    },
    async latest(specName, ancestors, asked) {
      const places = nearestRuns(await runsOf(specName), ancestors);
      // Nearly always it is the first. Where it is not, those that are fetched are twice as many each time.
      for (let from = 0, count = 1; from < places.length; from += count, count *= 2) {
        const record = await firstAt(places.slice(from, from + count), asked);
        if (record !== null) return record;
      }
      return null;
    },
    places: runsOf,
    async notable(specName, places) {
      const since = places.reduce<string | null>((least, { id }) => (least === null || id < least ? id : least), null);
      if (since === null) return [];
      try {
        const ids = await notableSince({ specName, since, paths: await pathsThere() }, branch, signal);
        if (ids === null) return null;
        const wanted = places.filter(({ id }) => ids.has(id));
        const records: RunRecord[] = [];
        for await (const record of recordsAt(wanted, null)) records.push(record);
        const isBroken = unreadable.some((bad) => wanted.some(({ path }) => path === bad.path));
        return isBroken || warning !== null ? null : records;
      } catch (error) {
        withoutBranch(error);
        return null;
      }
    },
    async *all(specName, asked) {
      yield* recordsAt((await runsOf(specName)).slice(0, MOST_PAST_RUNS), asked);
    },
  };
}
