import { countedRuns, DATA_FOLDER, readPlace } from '../core/publication/place.ts';
import { maxRecordLength, readRunRecord, UnreadableRecord } from '../core/record/run-record-file.ts';
import { hasFigures } from '../core/report/comparison/measured.ts';
import type { BranchReader } from './ports/data-branch.ts';
import type { SiteRequest } from './site-change.ts';

/** A run as it lies on the branch. */
export type PlacedRun = NonNullable<SiteRequest['becomesNewest']>;

/**
 * The newest run of a spec that counts, can be read and says how the spec stands, which one does that has figures or failed. Without such a
 * run, the newest that can be read; null where there is none of those paths.
 */
export async function newestReadableRun(
  paths: readonly string[],
  specName: string,
  read: BranchReader,
): Promise<PlacedRun | null> {
  let without: PlacedRun | null = null;
  for (const { path } of countedRuns(paths, specName)) {
    for await (const { text } of read([path], maxRecordLength)) {
      const record = text === null ? null : recordIn(text, path);
      const place = readPlace(path);
      if (record === null || place === null) continue;
      const run = { record, workflowRun: place.workflowRun, place };
      if (hasFigures(record) || record.published?.passed === false) return run;
      without ??= run;
    }
  }
  return without;
}

function recordIn(text: string, path: string): PlacedRun['record'] | null {
  try {
    return readRunRecord(text, path);
  } catch (error) {
    if (error instanceof UnreadableRecord) return null;
    throw error;
  }
}

/** Of those paths, the badges of a spec: without a run that counts there is nothing for them to show. */
export function badgePaths(paths: readonly string[], specName: string): string[] {
  return paths.filter((path) => path.startsWith(`${DATA_FOLDER}/${specName}/badges/`));
}
