import { readDocument } from '../record/document.ts';
import { UserError } from '../user-error.ts';
import type { Comparison } from './comparison.ts';
import { comparisonSchema, comparisonSchemaVersion } from './schema.ts';

/** The file is not a comparison that this wrkbench can read; the message is one sentence for a person. */
export class UnreadableComparison extends UserError {
  override name = 'UnreadableComparison';
}

/** Characters. A case with its 16 metrics takes about ten thousand. */
const maxComparisonLength = 32 * 1024 * 1024;

/** `fileName` is for messages only. Throws `UnreadableComparison`, and nothing else. */
export function readComparison(text: string, fileName: string): Comparison {
  return readDocument(text, fileName, {
    noun: 'comparison',
    written: 'wrkbench run --baseline writes',
    fileName: 'comparison.json',
    cutOff: 'where the folder still has its run.json, `wrkbench report DIR` works it out again',
    version: comparisonSchemaVersion,
    schema: comparisonSchema,
    maxLength: maxComparisonLength,
    refusal: UnreadableComparison,
  });
}
