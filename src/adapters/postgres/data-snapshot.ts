import pg from 'pg';
import { TestbedError } from '../../app/ports/testbed.ts';
import { closeConnection, type DatabaseAddress, describe, openConnection } from './ready-connection.ts';
import type { ServiceRole } from './service-role.ts';

/** Whom the databases of a testbed are reached by. */
export interface Connected {
  /** Of the first of them. */
  address: DatabaseAddress;
  role: ServiceRole;
  moreDatabases?: readonly string[];
}

/**
 * Each database as it was left, beside it in the same server: a service that is warm stays up while its data are put back, and only
 * its connections are opened anew. `next` is what a snapshot is copied to, while the service still works with what is to be replaced.
 */
const NAMES = { snapshot: 'wrkbench_snapshot', next: 'wrkbench_next', replaced: 'wrkbench_replaced' };

/** One database, by what each of its forms is called. */
type Forms = typeof NAMES & { name: string };

/** All databases, in the order of the spec. */
function databasesOf({ address, moreDatabases = [] }: Connected): Forms[] {
  return [address.database, ...moreDatabases].map((name, index) => {
    const suffix = index === 0 ? '' : `_${index + 1}`;
    const { snapshot, next, replaced } = NAMES;
    return { name, snapshot: snapshot + suffix, next: next + suffix, replaced: replaced + suffix };
  });
}

/** Copies the databases to their snapshots; whoever is connected to them is disconnected. Rejects with `TestbedError` 'data-not-restored'. */
export async function takeSnapshot(connected: Connected, signal: AbortSignal): Promise<void> {
  await asMaintenance(connected, signal, 'a snapshot could not be taken', async (client) => {
    for (const { name, snapshot } of databasesOf(connected)) {
      await endSessions(client, name);
      await copyDatabase(client, name, snapshot);
    }
  });
}

/**
 * Replaces the databases by copies of their snapshots. The copies are made first; then the service's sessions are ended and all change
 * names in one transaction, so that whoever connects meanwhile waits for milliseconds. What was set for a database itself stays: its
 * owner, who may connect, and its settings. Rejects with `TestbedError` 'data-not-restored', each database being what it was or its copy.
 */
export async function restoreSnapshot(connected: Connected, signal: AbortSignal): Promise<void> {
  await asMaintenance(connected, signal, 'its data could not be put back', async (client) => {
    const all = databasesOf(connected);
    for (const { name, snapshot, next } of all) {
      await client.query(`DROP DATABASE IF EXISTS ${next}`);
      await copyDatabase(client, snapshot, next);
      for (const statement of KEPT_OF_DATABASE) await client.query(statement, [next, name]);
    }
    try {
      // Nobody comes back before its name stands for the copy.
      for (const { name } of all) await allowConnections(client, name, false);
      for (const { name } of all) await endSessions(client, name);
      await client.query('BEGIN');
      for (const { name, next, replaced } of all) {
        await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} RENAME TO ${replaced}`);
        await client.query(`ALTER DATABASE ${next} RENAME TO ${pg.escapeIdentifier(name)}`);
      }
      await client.query('COMMIT');
    } catch (error) {
      await client.query('ROLLBACK').catch(() => undefined);
      for (const { name } of all) await allowConnections(client, name, true).catch(() => undefined);
      throw error;
    }
    for (const { replaced } of all) await client.query(`DROP DATABASE ${replaced}`);
  });
}

async function allowConnections(client: pg.Client, name: string, isAllowed: boolean): Promise<void> {
  await client.query(`ALTER DATABASE ${pg.escapeIdentifier(name)} ALLOW_CONNECTIONS ${isAllowed}`);
}

/** Rows of the catalogue, which the owner, a superuser, may write: the text forms of settings do not all mean themselves again. */
const KEPT_OF_DATABASE = [
  `UPDATE pg_catalog.pg_database SET (datdba, datacl, datconnlimit, datallowconn) =
     (SELECT datdba, datacl, datconnlimit, true FROM pg_catalog.pg_database WHERE datname = $2) WHERE datname = $1`,
  `INSERT INTO pg_catalog.pg_db_role_setting (setdatabase, setrole, setconfig)
     SELECT (SELECT oid FROM pg_catalog.pg_database WHERE datname = $1), setrole, setconfig
     FROM pg_catalog.pg_db_role_setting
     WHERE setdatabase = (SELECT oid FROM pg_catalog.pg_database WHERE datname = $2)`,
];

/**
 * As files and not through the log, which would hold all of it once more in memory: a server before 15 knows no other way. Connections
 * are not allowed, so that nobody changes what is copied.
 */
async function copyDatabase(client: pg.Client, from: string, to: string): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>('SHOW server_version_num');
  const strategy = Number(rows[0]?.server_version_num) >= 150_000 ? 'STRATEGY file_copy' : '';
  const [source, target] = [from, to].map((name) => pg.escapeIdentifier(name));
  await client.query(`CREATE DATABASE ${target} TEMPLATE ${source} ${strategy} ALLOW_CONNECTIONS false`);
}

/** The server waits for up to 5 s until those that it was told to end are gone, wherever it needs that. */
async function endSessions(client: pg.Client, database: string): Promise<void> {
  await client.query(
    'SELECT pg_catalog.pg_terminate_backend(pid) FROM pg_catalog.pg_stat_activity WHERE datname = $1',
    [database],
  );
}

/** A session beside the databases, which nobody can be connected to. An abort ends the session; what it was at is then undone. */
async function asMaintenance(
  connected: Connected,
  signal: AbortSignal,
  what: string,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const { address } = connected;
  const isTaken = databasesOf(connected).some(({ name }) => name === 'postgres');
  try {
    const client = await openConnection({ ...address, database: isTaken ? 'template1' : 'postgres' }, signal);
    const abort = () => void closeConnection(client);
    signal.addEventListener('abort', abort, { once: true });
    try {
      // What init SQL has set for everybody is meant for short statements.
      await client.query('SET statement_timeout = 0');
      await use(client);
    } finally {
      signal.removeEventListener('abort', abort);
      await closeConnection(client);
    }
  } catch (error) {
    signal.throwIfAborted();
    throw new TestbedError(
      'data-not-restored',
      `Postgres at ${address.host}:${address.port} answers, but ${what}: ${describe(error)}.`,
    );
  }
}
