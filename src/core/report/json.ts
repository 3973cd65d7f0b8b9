import type { RunRecord } from '../record/run-record.ts';

/** The record itself, as `run.json` holds it. */
export function json(record: RunRecord): string {
  return `${JSON.stringify(record, null, 2)}\n`;
}
