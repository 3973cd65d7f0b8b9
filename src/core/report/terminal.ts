import type { Comparison } from '../comparison/comparison.ts';
import { visible, wrapped } from '../format/text.ts';
import type { RunRecord } from '../record/run-record.ts';
import { comparisonText } from './comparison/text.ts';
import { capacitySentences } from './sections/capacity.ts';
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
  const table = record.cases.length === 0 ? '' : terminalTable(record, surroundings);
  return [table, capacityText(record, surroundings), compared].filter((part) => part !== '');
}

function capacityText({ searches = [] }: RunRecord, { width, style }: { width: number; style: Style }): string {
  if (searches.length === 0) return '';
  const lines = searches.flatMap(capacitySentences).flatMap((text) => wrapped(visible(text), Math.min(100, width) - 2));
  return `${style.bold('Capacity')}\n${lines.map((line) => `  ${line}\n`).join('')}`;
}
