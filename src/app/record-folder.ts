import { casesOf } from '../core/config/case.ts';
import { runRecordOf } from '../core/record/assembly.ts';
import { type JournalHeader, readJournal } from '../core/record/journal.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import { readRunRecord } from '../core/record/run-record-file.ts';

/**
 * The run record of what a folder holds: `run.json`, or the journal of a run that did not come to writing one (a full disk
 * or a lost connection leave an empty file). Throws
 * `UnreadableRecord` and `UnreadableJournal`.
 */
export function readRecordOf(texts: { record: string | null; journal: string | null }, where: string): RunRecord {
  const { record, journal } = texts;
  const isEmpty = record !== null && record.trim() === '';
  if (record !== null && !(isEmpty && journal !== null)) return readRunRecord(record, where);
  const entries = readJournal(journal ?? '', where);
  const { spec, startedAt } = entries[0] as JournalHeader;
  return runRecordOf(entries, casesOf(spec), startedAt);
}
