import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RecordHistory } from '../../app/ports/baselines.ts';
import { counts } from '../../core/baseline/counted-run.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { readRunRecord } from '../../core/record/run-record-file.ts';
import { RUNNER_CONTAINER_VARIABLES } from '../../core/topology/runner-container.ts';
import { UserError } from '../../core/user-error.ts';

/**
 * The runs that lie in a folder, each in a folder of its own, as `wrkbench run` leaves them. What is no record, or one that
 * this wrkbench cannot read, is passed over: who keeps other things there has made no mistake. `place`: where they came from.
 */
export function folderHistory(directory: string, place = directory): RecordHistory {
  return {
    place,
    warning: () => null,
    async *all(specName, asked) {
      for (const name of await namesIn(directory)) {
        const record = await recordIn(join(directory, name));
        if (record?.spec.name === specName && counts(record, asked)) yield record;
      }
    },
    async latest(specName, ancestors, asked) {
      const distances = new Map(ancestors.map((sha, index) => [sha, index]));
      let best: { record: RunRecord; distance: number } | null = null;
      for await (const record of this.all(specName, asked)) {
        const distance = distanceOf(record, distances);
        if (distance === null) continue;
        if (best === null || isNearer({ record, distance }, best)) best = { record, distance };
      }
      return best?.record ?? null;
    },
  };
}

/** The runs beside that of `out`; in a runner container, those that its caller has given it. */
export function usualHistory(out: string, environment: Record<string, string | undefined>): RecordHistory {
  const { [RUNNER_CONTAINER_VARIABLES.history]: given, [RUNNER_CONTAINER_VARIABLES.historyPlace]: place } = environment;
  return given ? folderHistory(given, place || given) : folderHistory(dirname(out));
}

/** Puts what a history has of a spec into a folder, for a process that cannot reach it. */
export async function copyHistory(history: RecordHistory, specName: string, directory: string): Promise<void> {
  let count = 0;
  for await (const record of history.all(specName, null)) {
    count += 1;
    const folder = join(directory, String(count));
    await mkdir(folder, { recursive: true });
    await writeFile(join(folder, 'run.json'), JSON.stringify(record));
  }
}

/** Steps back along the main line; after all of them where the commit is unknown, null where it is of another line. */
function distanceOf({ source }: RunRecord, distances: Map<string, number>): number | null {
  if (source.sha === null || distances.size === 0) return distances.size;
  return distances.get(source.sha) ?? null;
}

/** Of several runs of a commit the last one counts. */
function isNearer(
  one: { record: RunRecord; distance: number },
  other: { record: RunRecord; distance: number },
): boolean {
  if (one.distance !== other.distance) return one.distance < other.distance;
  return one.record.startedAt > other.record.startedAt;
}

async function recordIn(folder: string): Promise<RunRecord | null> {
  const file = join(folder, 'run.json');
  const text = await readFile(file, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return readRunRecord(text, file);
  } catch (error) {
    if (error instanceof UserError) return null;
    throw error;
  }
}

async function namesIn(directory: string): Promise<string[]> {
  return (await readdir(directory).catch(() => [])).sort();
}
