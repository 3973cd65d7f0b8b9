import path from 'node:path';
import { UsageError } from '../../app/failures.ts';
import { readRecordOf } from '../../app/record-folder.ts';
import { storedComparison } from '../../app/report.ts';
import type { Comparison } from '../../core/comparison/comparison.ts';
import type { RunRecord } from '../../core/record/run-record.ts';
import { isFolder, textOf } from './files.ts';

const ADVICE = 'Name a run.json or the folder of a run.';

/** The record that a call names, as a file or as the folder of a run. Throws `UsageError` and `UnreadableRecord`. */
export async function recordAt(file: string): Promise<RunRecord> {
  if (!(await isFolder(file))) return readRecordOf({ record: await textOf(file, ADVICE), journal: null }, file);
  const read = (name: string) => textOf(path.join(file, name), ADVICE).catch(() => null);
  // A run that was killed has a journal and no record yet.
  const record = await read('run.json');
  const journal = record === null || record.trim() === '' ? await read('journal.jsonl') : null;
  if (record === null && journal === null) {
    throw new UsageError(`${file}: this folder holds neither run.json nor journal.jsonl. ${ADVICE}`);
  }
  return readRecordOf({ record, journal }, file);
}

/** The run that a call names, with its comparison where there is one. Rejects as `recordAt`, and with `UnreadableComparison`. */
export async function comparedRunAt(file: string): Promise<{ record: RunRecord; comparison: Comparison | null }> {
  const record = await recordAt(file);
  const beside = path.join(file, 'comparison.json');
  const text = await textOf(beside, '').catch(() => null);
  return { record, comparison: storedComparison(record, text, beside) };
}
