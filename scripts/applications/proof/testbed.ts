import { mkdtempSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import pg from 'pg';
import { runInitSql } from '../../../src/adapters/postgres/init-sql.ts';
import { type LocalServer, startLocalServer } from '../../../src/adapters/postgres/local-server.ts';
import { handOver } from '../../../src/adapters/postgres/service-role.ts';
import { connectDatabase, type OwnerSession } from '../../../src/adapters/postgres/session.ts';
import type { ProcessGroup } from '../../../src/adapters/process/process-group.ts';
import { freePort } from '../../../src/adapters/process/tcp-ports.ts';
import { startProgram, untilReady } from './programs.ts';
import { filled, filledEach, type Values, type WrittenSpec } from './written-spec.ts';

const ROLE = { user: 'bench', password: 'made-up-for-a-proof' };
const DATABASE = {
  image: '',
  settings: {},
  init: [],
  name: 'bench',
  user: ROLE.user,
  pooler: null,
  readyTimeoutSeconds: 60,
};

/** Postgres as the process runtime starts it, and the dependencies of the spec. */
export interface ProofTestbed {
  values: Values;
  /** Runs files as the database's owner, and gives what they made to the service's role. */
  runSql(files: string[], directory: string): Promise<void>;
  /** Each row, by the names of its columns. */
  select(text: string): Promise<Values[]>;
  stop(): Promise<void>;
}

export async function startTestbed(spec: WrittenSpec, directory: string, logFolder: string): Promise<ProofTestbed> {
  const signal = new AbortController().signal;
  const server = await startLocalServer({ database: DATABASE, id: `proof-${process.pid}-database`, cpus: '0' }, signal);
  const groups: ProcessGroup[] = [];
  let session: OwnerSession | null = null;
  const stop = async () => {
    for (const group of groups.reverse()) await group.stop();
    await session?.close();
    await server.stop();
  };
  try {
    const init = { files: [], directory, psql: server.psql };
    session = await connectDatabase({ address: server.owner, role: ROLE, init, settleMs: 0 }, signal);
    const values = databaseValues(server);
    for (const [name, { command, env }] of Object.entries(spec.dependencies ?? {})) {
      const port = await freePort();
      const own = { ...values, port: String(port), folder: mkdtempSync(join(logFolder, 'folder-')) };
      const words = command.map((word) => filled(word, own));
      const group = await startProgram({
        title: name,
        command: words,
        env: filledEach(env, own),
        directory,
        logFolder,
      });
      groups.push(group);
      await untilReady(group, () => isOpen(port));
      Object.assign(values, { [`${name}.host`]: '127.0.0.1', [`${name}.port`]: String(port) });
    }
    const select = async (text: string) =>
      (await asOwner(server, (client) => client.query<Record<string, unknown>>(text))).rows.map((row) =>
        Object.fromEntries(Object.entries(row).map(([column, value]) => [column, String(value)])),
      );
    const runSql = async (files: string[]) => {
      await runInitSql(server.owner, { ...init, files }, signal);
      await asOwner(server, (client) => handOver(client, ROLE));
    };
    return { values, runSql, select, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function databaseValues({ host, port }: LocalServer): Values {
  return {
    'database.url': `postgres://${ROLE.user}:${ROLE.password}@${host}:${port}/${DATABASE.name}`,
    'database.host': host,
    'database.port': String(port),
    'database.name': DATABASE.name,
    'database.user': ROLE.user,
    'database.password': ROLE.password,
  };
}

async function asOwner<T>(
  { owner: { host, port, user, database } }: LocalServer,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ host, port, user, database });
  await client.connect();
  try {
    return await ask(client);
  } finally {
    await client.end();
  }
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
