import pg from 'pg';
import { RefusedStatement, type SelectedRows } from '../../app/ports/testbed.ts';
import { describe } from './ready-connection.ts';

/** A statement that is to give 1,000 keys takes milliseconds; one without an index over large tables, seconds. */
const LONGEST_SECONDS = 60;

/** All as Postgres writes it, whatever its type. */
const AS_TEXT = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig;

/**
 * Reads by a cursor, so that of a table of millions no more comes than is asked for, in a transaction that cannot write and is rolled back.
 * Rejects with `RefusedStatement` where Postgres refuses it, and with the connection's own error where that is gone.
 */
export async function selectedRows(client: pg.ClientBase, sql: string, mostRows: number): Promise<SelectedRows> {
  const statement = sql.trim().replace(/(?:\s*;)+$/, '');
  await client.query('BEGIN READ ONLY');
  try {
    await client.query(`SET LOCAL statement_timeout = '${LONGEST_SECONDS}s'`);
    // By the extended protocol, which takes one statement and no second behind it.
    await client.query({
      text: `DECLARE wrkbench_rows NO SCROLL CURSOR FOR ${statement}`,
      queryMode: 'extended',
    } as pg.QueryConfig);
    const { fields, rows } = await client.query<(string | null)[]>({
      text: `FETCH ${mostRows + 1} FROM wrkbench_rows`,
      rowMode: 'array',
      types: AS_TEXT,
    } as pg.QueryArrayConfig);
    return { columns: fields.map(({ name }) => name), rows };
  } catch (error) {
    throw error instanceof pg.DatabaseError ? new RefusedStatement(describe(error)) : error;
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
}
