import { commaSeparated } from '../format/comma-separated.ts';

/** What a view shows, as other programs take it: figures in their units, unrounded, null where there is none. */
export interface Sheet {
  columns: string[];
  rows: (string | number | null)[][];
}

export function sheetCsv({ columns, rows }: Sheet): string {
  return commaSeparated([columns, ...rows.map((row) => row.map((cell) => cell ?? ''))]);
}

/** An object a row. */
export function sheetJson({ columns, rows }: Sheet): string {
  const objects = rows.map((row) => {
    const entries = columns.map((column, at): [string, string | number | null] => [column, row[at] ?? null]);
    return Object.fromEntries(entries);
  });
  return `${JSON.stringify(objects, null, 2)}\n`;
}
