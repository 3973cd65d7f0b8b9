import { countedRuns, nearestRuns, type StoredPlace } from '../core/publication/place.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { readRunRecord, UnreadableRecord } from '../core/record/run-record-file.ts';
import type { RecordHistory } from './ports/baselines.ts';
import { type DataBranch, DataBranchFailure } from './ports/data-branch.ts';

/** More past runs than a scatter is taken from; each is a file to fetch. */
const MOST_PAST_RUNS = 50;

export interface BranchHistory extends RecordHistory {
  /** The run with this id, however old; null where there is none. */
  run(specName: string, id: string): Promise<RunRecord | null>;
  /** Records that were found to be none; the next publication sets them aside. */
  unreadable: StoredPlace[];
}

/**
 * Earlier runs, from the data branch. What cannot be read is passed over, told once and remembered; where the branch
 * itself cannot be had, that is told and a run goes on without it.
 */
export function branchHistory(branch: DataBranch, signal: AbortSignal, warn: (text: string) => void): BranchHistory {
  const unreadable: StoredPlace[] = [];
  let warning: string | null = null;
  let paths: Promise<string[]> | null = null;
  const withoutBranch = <T>(nothing: T) => {
    return (error: unknown): T => {
      if (!(error instanceof DataBranchFailure)) throw error;
      warning = error.message;
      warn(`${error.message} Earlier runs are not known to this one.`);
      return nothing;
    };
  };
  const runsOf = async (specName: string): Promise<StoredPlace[]> => {
    paths ??= branch
      .entries(signal)
      .then((entries) => entries.map(({ path }) => path))
      .catch(withoutBranch([]));
    return countedRuns(await paths, specName).filter(({ path }) => unreadable.every((bad) => bad.path !== path));
  };
  const recordsAt = async (places: readonly StoredPlace[]): Promise<(RunRecord | null)[]> => {
    const wanted = places.map(({ path }) => path);
    const texts = await branch.texts(wanted, signal).catch(withoutBranch(null));
    if (texts === null) return [];
    return places.map((place) => {
      const record = readable(texts.get(place.path) ?? '', place);
      if (record === null) {
        unreadable.push(place);
        warn(`${place.path} on ${branch.place} cannot be read, and counts for nothing.`);
      }
      return record;
    });
  };
  return {
    place: branch.place,
    unreadable,
    warning: () => warning,
    async run(specName, id) {
      const [record] = await recordsAt((await runsOf(specName)).filter((place) => place.id === id));
      return record != null && counts(record) ? record : null;
    },
    async latest(specName, ancestors) {
      for (const place of nearestRuns(await runsOf(specName), ancestors)) {
        const [record] = await recordsAt([place]);
        if (record != null && counts(record)) return record;
      }
      return null;
    },
    async *all(specName) {
      const runs = (await runsOf(specName)).slice(0, MOST_PAST_RUNS);
      for (const record of await recordsAt(runs)) if (record !== null && counts(record)) yield record;
    },
  };
}

/** A run that ended early lacks cases, which would seem to be new. */
function counts({ interrupted, cases }: RunRecord): boolean {
  return interrupted === null && cases.length > 0;
}

/** The name is only the way to find it: what it says must be so. */
function readable(text: string, { path, specName, id, sha }: StoredPlace): RunRecord | null {
  try {
    const record = readRunRecord(text, path);
    return record.spec.name === specName && record.id === id && record.source.sha === sha ? record : null;
  } catch (error) {
    if (error instanceof UnreadableRecord) return null;
    throw error;
  }
}
