import { ended } from '../core/format/sentence.ts';
import { BadMarker } from '../core/report/written/markers.ts';
import { type WrittenReport, writtenReport } from '../core/report/written/report-text.ts';
import { type GivenRun, labelledRuns } from '../core/report/written/runs.ts';
import { UserError } from '../core/user-error.ts';

/**
 * The report that a text becomes with these runs; `where` is the file that it stands in. Throws `UserError`, whose sentence names
 * file and line of a marker that cannot be understood.
 */
export function reportInto(text: string, where: string, runs: readonly GivenRun[]): WrittenReport {
  const labelled = labelledRuns(runs);
  try {
    return writtenReport(text, labelled);
  } catch (error) {
    if (!(error instanceof BadMarker)) throw error;
    throw new UserError(`${where}:${error.line}: ${ended(error.message)} Nothing was written.`);
  }
}
