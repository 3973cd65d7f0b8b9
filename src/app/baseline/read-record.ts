import { join, resolve } from 'node:path';
import type { RunRecord } from '../../core/record/run-record.ts';
import { UsageError } from '../failures.ts';
import type { BaselineFiles } from '../ports/baselines.ts';
import { readRecordOf } from '../record-folder.ts';
import type { BaselineRequest } from './baseline-plan.ts';

/**
 * The record of `record:PATH`: a `run.json`, or a run's folder. Throws `UsageError`, `UnreadableRecord` and
 * `UnreadableJournal`.
 */
export async function recordAt(
  path: string,
  { recordDirectory, spec }: Pick<BaselineRequest, 'recordDirectory' | 'spec'>,
  files: BaselineFiles,
): Promise<RunRecord> {
  const file = resolve(recordDirectory, path);
  const inside = {
    record: await files.text(join(file, 'run.json')),
    journal: await files.text(join(file, 'journal.jsonl')),
  };
  const isRun = inside.record !== null || inside.journal !== null;
  const texts = isRun ? inside : { record: await files.text(file), journal: null };
  if (texts.record === null && texts.journal === null) {
    const what = (await files.exists(file)) ? 'holds no run.json' : 'is not there';
    throw new UsageError(`The baseline record:${path} ${what}. Name a run.json or a run's folder; looked for ${file}.`);
  }
  const record = readRecordOf(texts, path);
  if (record.spec.name !== spec.name) {
    throw new UsageError(
      `The baseline record:${path} is a run of the spec \`${record.spec.name}\`, and this is \`${spec.name}\`: their numbers have nothing to do with each other.`,
    );
  }
  return record;
}
