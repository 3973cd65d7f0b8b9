import { casesOf } from '../core/plan/cases.ts';
import { runRecordOf } from '../core/record/assembly.ts';
import { type JournalHeader, readJournal } from '../core/record/journal.ts';
import { readRunRecord } from '../core/record/reading.ts';
import type { RunRecord } from '../core/record/run-record.ts';

/**
 * The run record of what a folder holds: `run.json`, or the journal of a run that did not come to writing one. Throws
 * `UnreadableRecord` and `UnreadableJournal`.
 */
export function readRecordOf(texts: { record: string | null; journal: string | null }, where: string): RunRecord {
  if (texts.record !== null) return readRunRecord(texts.record, where);
  const entries = readJournal(texts.journal ?? '', where);
  const { spec, startedAt } = entries[0] as JournalHeader;
  return runRecordOf(entries, casesOf(spec), startedAt);
}
