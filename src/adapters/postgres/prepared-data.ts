import type pg from 'pg';
import type { Connected } from './data-snapshot.ts';
import { type InitSql, runInitSql } from './init-sql.ts';
import { closeConnection, openConnection } from './ready-connection.ts';
import { handOver } from './service-role.ts';

/** Runs SQL files as init SQL is run: by the owner, what they create being the service's. Rejects as `runInitSql`. */
export async function runPrepareSql({ address, role }: Connected, sql: InitSql, signal: AbortSignal): Promise<void> {
  await runInitSql(address, sql, signal);
  await asOwner({ address }, signal, (client) => handOver(client, role));
}

/**
 * Does what a server does by itself within minutes: statistics for the planner, and marks of what everybody sees. Copies of the data
 * would otherwise be planned without statistics, and each pays again for marking what it reads first.
 */
export async function settleData(connected: Connected, signal: AbortSignal): Promise<void> {
  const { address, moreDatabases = [] } = connected;
  for (const database of [address.database, ...moreDatabases]) {
    await asOwner({ address: { ...address, database } }, signal, async (client) => {
      await client.query('SET statement_timeout = 0');
      await client.query('VACUUM (ANALYZE)');
    });
  }
}

async function asOwner(
  { address }: Pick<Connected, 'address'>,
  signal: AbortSignal,
  use: (client: pg.Client) => Promise<void>,
): Promise<void> {
  const client = await openConnection(address, signal);
  const abort = () => void closeConnection(client);
  signal.addEventListener('abort', abort, { once: true });
  try {
    await use(client);
  } catch (error) {
    signal.throwIfAborted();
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    await closeConnection(client);
  }
}
