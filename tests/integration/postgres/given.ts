import pg from 'pg';
import { type LocalServer, startLocalServer } from '../../../src/adapters/postgres/local-server.ts';
import { connectDatabase, type OwnerSession } from '../../../src/adapters/postgres/session.ts';
import { groupId, ownIdentity } from '../../../src/adapters/process/owner.ts';
import type { Database } from '../../../src/core/config/resolved.ts';
import { databaseWith, never } from '../process-runtime/given.ts';

export const ROLE = { user: 'app', password: 'it\'s a "secret"' };
let servers = 0;

/** A running server that is stopped when the callback has ended. */
export async function withServer<T>(changes: Partial<Database>, use: (server: LocalServer) => Promise<T>): Promise<T> {
  servers += 1;
  const id = groupId(ownIdentity(), 1_000_000 + servers);
  const server = await startLocalServer({ database: databaseWith(changes), id, cpus: '0' }, never());
  try {
    return await use(server);
  } finally {
    await server.stop();
  }
}

/** The owner's session, with the init files run and the role set up. */
export function setUp(
  server: LocalServer,
  files: string[] = [],
  directory = '/',
  signal = never(),
  psql = server.psql,
): Promise<OwnerSession> {
  return connectDatabase({ address: server.owner, role: ROLE, init: { files, directory, psql }, settleMs: 0 }, signal);
}

/** A connection of the service's own role. */
export async function connectAsService(server: LocalServer): Promise<pg.Client> {
  const { host, port, owner } = server;
  const client = new pg.Client({ host, port, database: owner.database, ...ROLE });
  client.on('error', () => {});
  await client.connect();
  return client;
}
