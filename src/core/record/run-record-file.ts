import { UserError } from '../user-error.ts';
import { readDocument } from './document.ts';
import type { RunRecord } from './run-record.ts';
import { recordSchemaVersion, runRecordSchema } from './schema.ts';

/** The file is not a run record that this wrkbench can read; the message is one sentence for a person. */
export class UnreadableRecord extends UserError {
  override name = 'UnreadableRecord';
}

/** Characters. 100 cases with 60 samples of 17 metrics take about 15 million; a hostile artifact must not fill the memory. */
export const maxRecordLength = 64 * 1024 * 1024;

/** `fileName` is for messages only. Throws `UnreadableRecord`, and nothing else. */
export function readRunRecord(text: string, fileName: string): RunRecord {
  return readDocument(text, fileName, {
    noun: 'run record',
    written: 'wrkbench run writes',
    fileName: 'run.json',
    cutOff: 'where the folder still has its journal.jsonl, `wrkbench run --resume DIR` continues from there',
    version: recordSchemaVersion,
    schema: runRecordSchema,
    maxLength: maxRecordLength,
    refusal: UnreadableRecord,
  });
}
