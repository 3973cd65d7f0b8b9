import pg from 'pg';
import { RefusedStatement, type SelectedRows } from '../../app/ports/testbed.ts';
import { describe } from './ready-connection.ts';

/** A statement that is to give 1,000 keys takes milliseconds; one without an index over large tables, seconds. */
const LONGEST_SECONDS = 60;

/** More than that no generator is given. */
const MOST_CHARACTERS = 32 * 1024 ** 2;

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
    return await fetched(client, mostRows + 1);
  } catch (error) {
    throw error instanceof pg.DatabaseError ? new RefusedStatement(describe(error)) : error;
  } finally {
    await client.query('ROLLBACK').catch(() => undefined);
  }
}

/** Rows at a time: a table may hold megabytes in each. */
const FETCHED_ROWS = 500;

async function fetched(client: pg.ClientBase, most: number): Promise<SelectedRows> {
  const found: SelectedRows = { columns: [], rows: [] };
  let characters = 0;
  for (;;) {
    const { fields, rows } = await client.query<(string | null)[]>({
      text: `FETCH ${Math.min(FETCHED_ROWS, most - found.rows.length)} FROM wrkbench_rows`,
      rowMode: 'array',
      types: AS_TEXT,
    } as pg.QueryArrayConfig);
    found.columns = fields.map(({ name }) => name);
    found.rows.push(...rows);
    characters += rows.flat().reduce((sum, value) => sum + (value?.length ?? 0), 0);
    if (characters > MOST_CHARACTERS) {
      throw new RefusedStatement(
        `its rows hold more than ${MOST_CHARACTERS / 1024 ** 2} MiB of text, where a key or a name is meant`,
      );
    }
    if (rows.length < FETCHED_ROWS || found.rows.length === most) return found;
  }
}
