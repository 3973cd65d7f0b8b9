import type { Row } from './placeholders.ts';
import { MOST_REQUESTS, UnusableRequests } from './request-set.ts';

/**
 * Placeholder → its values, to rows of one value of each: the first of all of them, the second of all of them, and so on. They are not
 * crossed: 1,000 articles and their 1,000 authors are 1,000 requests. Throws `UnusableRequests` where there are not as many of each.
 */
export function rowsOf(values: Readonly<Record<string, readonly string[]>>, what: string): Row[] {
  const columns = Object.entries(values);
  const [[first, firstValues] = ['', []]] = columns;
  const other = columns.find(([, each]) => each.length !== firstValues.length);
  if (other !== undefined) {
    throw new UnusableRequests(
      `${what} have ${firstValues.length} values for {${first}} and ${other[1].length} for {${other[0]}}: they are taken row by row, so give as many of each.`,
    );
  }
  return firstValues.map((_, row) => Object.fromEntries(columns.map(([name, each]) => [name, each[row]!])));
}

/** What a statement gave: a row for each request, by the names of its columns. */
export interface StatementRows {
  columns: readonly string[];
  rows: readonly (readonly (string | null)[])[];
}

/**
 * The rows of a statement, for `placeholders`. One column is that of the only placeholder, whatever it is called. In the statement's own order
 * where it names one, else in that of their text: what a server gives without being told an order is another one for each copy of
 * the data. Throws `UnusableRequests`.
 */
export function rowsOfStatement(
  { columns, rows }: StatementRows,
  { sql, placeholders, what }: { sql: string; placeholders: readonly string[]; what: string },
): Row[] {
  const isOnly = columns.length === 1 && placeholders.length === 1;
  const places = placeholders.map((name) => (isOnly ? 0 : columns.indexOf(name)));
  const missing = placeholders.find((_, at) => places[at] === -1);
  if (missing !== undefined) {
    throw new UnusableRequests(
      `${what}: the statement “${beginningOf(sql)}” has no column ${missing}, but ${columns.join(', ') || 'none'}: name one so, as in \`select id as ${missing}\`.`,
    );
  }
  if (rows.length === 0) {
    throw new UnusableRequests(
      `${what}: the statement “${beginningOf(sql)}” gives no row, so that there is nothing to ask for.`,
    );
  }
  if (rows.length > MOST_REQUESTS) {
    throw new UnusableRequests(
      `${what}: the statement “${beginningOf(sql)}” gives more than ${MOST_REQUESTS} rows: put a limit to it.`,
    );
  }
  const found = rows.map((row, number) =>
    Object.fromEntries(
      placeholders.map((name, at): [string, string] => {
        const value = row[places[at]!];
        if (value != null) return [name, value];
        throw new UnusableRequests(
          `${what}: row ${number + 1} of the statement “${beginningOf(sql)}” has no value for {${name}} (null): leave such rows out.`,
        );
      }),
    ),
  );
  if (/\border\s+by\b/i.test(sql)) return found;
  const textOf = (row: Row) => placeholders.map((name) => row[name]).join('\0');
  return found
    .map((row) => ({ row, text: textOf(row) }))
    .sort(byText)
    .map(({ row }) => row);
}

function byText(one: { text: string }, other: { text: string }): number {
  return one.text < other.text ? -1 : one.text > other.text ? 1 : 0;
}

const SHOWN = 80;

function beginningOf(sql: string): string {
  const line = sql.replaceAll(/\s+/g, ' ').trim();
  return line.length <= SHOWN ? line : `${line.slice(0, SHOWN)}…`;
}
