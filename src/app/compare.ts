import type { Comparison } from '../core/comparison/comparison.ts';
import { type StoredOptions, storedComparison } from '../core/comparison/stored.ts';
import { noHistory, startHistory } from '../core/comparison/stored-history.ts';
import type { RunRecord } from '../core/record/run-record.ts';
import type { RecordHistory } from './ports/baselines.ts';

/**
 * Two stored records, against the scatter of past runs of their spec where a history is given. Each past record is
 * forgotten as soon as its figures are taken. Throws `NotComparable`.
 */
export async function compare(
  base: RunRecord,
  head: RunRecord,
  history: RecordHistory | null,
  options: StoredOptions = {},
): Promise<Comparison> {
  if (history === null) return storedComparison(base, head, noHistory, options);
  const past = startHistory();
  for await (const record of history.all(head.spec.name, null)) past.add(record);
  return storedComparison(base, head, past.end(), options);
}
