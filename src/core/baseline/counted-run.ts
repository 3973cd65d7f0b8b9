import { covers, type Selection, WHOLE } from '../config/selection.ts';
import type { RunRecord } from '../record/run-record.ts';

/**
 * Whether an earlier run has all that a later one asks for, null being anything: what it left out, or did not come to, would seem to
 * be new.
 */
export function counts({ interrupted, cases, selection = WHOLE }: RunRecord, asked: Selection | null): boolean {
  return interrupted === null && cases.length > 0 && (asked === null || covers(selection, asked));
}
