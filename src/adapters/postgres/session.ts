import type pg from 'pg';
import {
  type DatabaseSession,
  RefusedStatement,
  type SelectedRows,
  type StatementCount,
  TestbedError,
  UncountedStatements,
} from '../../app/ports/testbed.ts';
import { type InitSql, runInitSql } from './init-sql.ts';
import { resetMeasuringSettings } from './measuring-settings.ts';
import { closeConnection, connectWhenReady, type DatabaseAddress, describe } from './ready-connection.ts';
import { selectedRows } from './selected-rows.ts';
import { createDatabases, createServiceRole, handOver, type ServiceRole } from './service-role.ts';
import { MARK, sendMark } from './statement-mark.ts';

export type { ServiceRole } from './service-role.ts';

export interface DatabaseSetUp {
  address: DatabaseAddress;
  /** Created if it is not there; owns the databases and what the init SQL created. */
  role: ServiceRole;
  /** Further databases of the server, whose statements count as well; created with the role. */
  moreDatabases?: readonly string[];
  /** Null where the database has role and init SQL already. */
  init: InitSql | null;
  /** How long a first connection must live before it is trusted; 0 for a server that is known to be started once. */
  settleMs?: number;
}

/** The owner's connection. Once the server has ended it, every call rejects with `TestbedError` 'database-exited'. */
export interface OwnerSession extends DatabaseSession {
  /**
   * Why the connection is gone; null while it lives. Also tells of a server that has restarted itself because one of its
   * processes was killed: its main process lives on, and all connections are lost.
   */
  lost(): string | null;
  /** Another text after each transaction that has written something, whoever sent it. */
  lastChange(): Promise<string>;
  /** Never rejects, safe to call twice. */
  close(): Promise<void>;
}

/** A statement takes microseconds; a server that does not answer for this long has stopped. */
const ANSWER_TIMEOUT_MS = 20_000;

/**
 * Waits for the server, creates the service's role, runs the init SQL, hands what it created to the role, takes back what it has
 * set of counting, and switches statement statistics on (the server must have been started with `serverSettings`).
 * Rejects with `TestbedError` 'database-not-ready' or 'init-sql-failed', or with the signal's reason when aborted.
 */
export async function connectDatabase(setUp: DatabaseSetUp, signal: AbortSignal): Promise<OwnerSession> {
  const { address, role, init, moreDatabases = [] } = setUp;
  if (role.user === address.user) {
    throw new Error(
      `The service's role and the owner are both ${role.user}: their statements could not be distinguished.`,
    );
  }
  const client = await connectWhenReady(address, signal, setUp.settleMs);
  const abort = () => void closeConnection(client);
  signal.addEventListener('abort', abort, { once: true });
  try {
    if (init !== null) {
      await createServiceRole(client, role);
      await createDatabases(client, moreDatabases, role);
      await runInitSql(address, init, signal);
      await handOver(client, role);
      await resetMeasuringSettings(client);
    }
    return await openSession(client, address, role, [address.database, ...moreDatabases]);
  } catch (error) {
    await closeConnection(client);
    signal.throwIfAborted();
    if (error instanceof TestbedError) throw error;
    throw new TestbedError(
      'database-not-ready',
      `Postgres at ${address.host}:${address.port} answered, but could not be set up: ${describe(error)}.`,
    );
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

async function openSession(
  client: pg.Client,
  address: DatabaseAddress,
  role: ServiceRole,
  databases: readonly string[],
): Promise<OwnerSession> {
  const statistics = await statisticsSchema(client);
  let lost: string | null = null;
  let marks = 0;
  client.on('error', (error: Error) => {
    lost ??= error.message;
  });
  client.on('end', () => {
    lost ??= 'the server closed the connection';
  });
  const ended = (error: unknown) =>
    new TestbedError(
      'database-exited',
      `Postgres at ${address.host}:${address.port} no longer answers its owner: ${describe(error)}. ` +
        'It ended or was restarted while it was in use; its log says why.',
    );
  const ask = async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []): Promise<Row[]> => {
    const query = { text, values, query_timeout: ANSWER_TIMEOUT_MS };
    try {
      return (await client.query<Row>(query)).rows;
    } catch (error) {
      throw ended(error);
    }
  };
  const [version] = await ask<{ server_version: string }>('SHOW server_version');
  return {
    version: version?.server_version.split(' ')[0] ?? '',
    lost: () => lost,
    async statements(): Promise<StatementCount[]> {
      // DISCARD ALL is what a pooler sends between two of its clients: its own, not the service's.
      const found = await ask<StatementCount & pg.QueryResultRow>(
        `SELECT query, sum(calls)::float8 AS calls, sum(rows)::float8 AS rows, sum(total_exec_time) AS "totalMs"
         FROM ${statistics}.pg_stat_statements
         WHERE userid = (SELECT oid FROM pg_catalog.pg_roles WHERE rolname = $1)
           AND dbid IN (SELECT oid FROM pg_catalog.pg_database WHERE datname = ANY ($2))
           AND query !~* '^discard all$'
         GROUP BY query ORDER BY calls DESC, query`,
        [role.user, databases],
      );
      const marked = found.find(({ query }) => query === MARK)?.calls ?? 0;
      if (marked !== marks) throw uncounted(marked, marks);
      return found.filter(({ query }) => query !== MARK);
    },
    async resetStatements(): Promise<void> {
      await ask(`SELECT ${statistics}.pg_stat_statements_reset()`);
      marks = 0;
    },
    async markStatements(): Promise<void> {
      if (await sendMark(address, role)) marks += 1;
    },
    async rows(): Promise<number | null> {
      // Counting them would read every table into memory, and ANALYZE would change plans.
      const [found] = await ask<{ rows: number | null }>(
        'SELECT sum(n_live_tup)::float8 AS rows FROM pg_catalog.pg_stat_user_tables',
      );
      return found?.rows ?? null;
    },
    async connections(): Promise<number> {
      const [found] = await ask<{ count: number }>(
        `SELECT count(*)::int4 AS count FROM pg_catalog.pg_stat_activity
         WHERE usename = $1 AND datname = ANY ($2)`,
        [role.user, databases],
      );
      return found?.count ?? 0;
    },
    async lastChange(): Promise<string> {
      // A transaction has a number as soon as it writes, and none otherwise; the log's position changes by itself at times.
      const [found] = await ask<{ next: string }>(
        'SELECT pg_catalog.txid_snapshot_xmax(pg_catalog.txid_current_snapshot())::text AS next',
      );
      return found?.next ?? '';
    },
    async selected(sql: string, mostRows: number): Promise<SelectedRows> {
      try {
        return await selectedRows(client, sql, mostRows);
      } catch (error) {
        throw error instanceof RefusedStatement ? error : ended(error);
      }
    },
    async close(): Promise<void> {
      await closeConnection(client);
    },
  };
}

function uncounted(seen: number, sent: number): UncountedStatements {
  return new UncountedStatements(
    `Of ${sent} known statements Postgres has counted ${seen}. Something switched ` +
      'its counting off or reset it (init SQL, a setting, the service itself), or the service sent more different statements than it ' +
      'keeps: then raise pg_stat_statements.max in the settings of the database.',
  );
}

/** Created after the init SQL, which may create it too or do away with the public schema. Resolves to its quoted schema. */
async function statisticsSchema(client: pg.Client): Promise<string> {
  const where = `SELECT pg_catalog.quote_ident(nspname) AS schema FROM pg_catalog.pg_extension
    JOIN pg_catalog.pg_namespace n ON n.oid = extnamespace WHERE extname = 'pg_stat_statements'`;
  let found = await client.query<{ schema: string }>(where);
  if (found.rowCount === 0) {
    await client.query('CREATE SCHEMA IF NOT EXISTS wrkbench');
    await client.query('CREATE EXTENSION pg_stat_statements SCHEMA wrkbench');
    found = await client.query<{ schema: string }>(where);
  }
  const schema = found.rows[0]?.schema ?? 'wrkbench';
  // Fails here and not under load where the library was not preloaded.
  await client.query(`SELECT 1 FROM ${schema}.pg_stat_statements LIMIT 1`);
  return schema;
}
