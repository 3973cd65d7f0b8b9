import type { Comparison } from '../comparison/comparison.ts';
import type { RunRecord } from '../record/run-record.ts';
import { comparisonText } from './comparison/text.ts';
import type { Style } from './terminal-style.ts';
import { terminalTable } from './terminal-table.ts';
import { unpairedText } from './unpaired.ts';

/** A run as a person reads it on a terminal: its table, and how it compares. Parts that are empty are left out. */
export function terminalParts(
  record: RunRecord,
  comparison: Comparison | null,
  surroundings: { width: number; style: Style },
): string[] {
  const compared =
    comparison === null ? unpairedText(record, surroundings) : comparisonText(comparison, { ...surroundings, record });
  return [record.cases.length === 0 ? '' : terminalTable(record, surroundings), compared].filter((part) => part !== '');
}
