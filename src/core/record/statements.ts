import type { UnloadedPass } from '../measurement/measurement.ts';
import type { Reason } from '../measurement/names.ts';
import type { StatementRecord } from './run-record.ts';

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

/** Names what passes left out of their counts. */
export function backgroundWarnings(passes: readonly UnloadedPass[]): Reason[] {
  const queries = new Set(passes.flatMap(({ background = [] }) => background));
  if (queries.size === 0) return [];
  const message = `not counted as queries of a request, since the service sends them without one: ${[...queries].join('; ')}`;
  return [{ code: 'background-statements', message }];
}
