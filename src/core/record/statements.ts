import { shortened } from '../format/text.ts';
import { STATEMENTS_UNCOUNTED, type UnloadedPass } from '../measurement/measurement.ts';
import type { Reason } from '../measurement/names.ts';
import type { StatementRecord } from './run-record.ts';

/** What the passes without load of a case tell of the statements that its requests send. */

/** Of background statements, of which an application may have dozens, these are told. */
const MOST_NAMED = 2;
const MOST_QUERY_LENGTH = 80;

/** Statements of a case's passes without load, per request, most time first; nothing where no pass has a database. */
export function statementRecords(passes: readonly UnloadedPass[]): { statements?: StatementRecord[] } {
  const counted = passes.filter(({ statements, requests }) => statements !== null && requests > 0);
  if (counted.length === 0) return {};
  const requests = counted.reduce((sum, pass) => sum + pass.requests, 0);
  const sums = new Map<string, { calls: number; rows: number; ms: number }>();
  for (const { query, calls, rows, totalMs } of counted.flatMap(({ statements }) => statements ?? [])) {
    const sum = sums.get(query) ?? { calls: 0, rows: 0, ms: 0 };
    sums.set(query, { calls: sum.calls + calls, rows: sum.rows + rows, ms: sum.ms + totalMs });
  }
  const statements = [...sums].map(([query, { calls, rows, ms }]) => ({
    query,
    callsPerRequest: calls / requests,
    rowsPerRequest: rows / requests,
    msPerRequest: ms / requests,
  }));
  return { statements: statements.sort((a, b) => b.msPerRequest - a.msPerRequest) };
}

/** Names what passes left out of their counts, and what they could not count. */
export function statementWarnings(passes: readonly UnloadedPass[]): Reason[] {
  return [...backgroundWarnings(passes), ...uncountedWarnings(passes)];
}

function uncountedWarnings(passes: readonly UnloadedPass[]): Reason[] {
  return passes.flatMap(({ uncounted }) =>
    uncounted === undefined ? [] : [{ code: STATEMENTS_UNCOUNTED, message: uncounted }],
  );
}

function backgroundWarnings(passes: readonly UnloadedPass[]): Reason[] {
  const queries = [...new Set(passes.flatMap(({ background = [] }) => background))];
  if (queries.length === 0) return [];
  const named = queries.slice(0, MOST_NAMED).map((query) => shortened(query.replace(/\s+/g, ' '), MOST_QUERY_LENGTH));
  const others = queries.length - named.length;
  const message = `not counted as queries of a request, since the service sends them without one: ${named.join('; ')}${others === 0 ? '' : `; and ${others} more`}`;
  return [{ code: 'background-statements', message }];
}
