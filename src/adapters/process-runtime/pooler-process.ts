import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError } from '../../app/ports/testbed.ts';
import type { Database, Pooler } from '../../core/config/resolved.ts';
import { pgbouncerConfiguration, pgbouncerOpenFiles, pgbouncerUserList } from '../../core/topology/pgbouncer.ts';
import { closeConnection, describe, openConnection } from '../postgres/ready-connection.ts';
import type { ServiceRole } from '../postgres/session.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { whileItLives } from '../process/part.ts';
import { type ProcessGroup, startGroup } from '../process/process-group.ts';
import { requireTool } from '../process/programs.ts';
import { unprivilegedUser } from '../process/system-user.ts';
import { freePort } from '../process/tcp-ports.ts';
import { makeTestbedFolder } from '../process/testbed-folder.ts';

export interface PoolerPlan {
  id: string;
  cpus: string;
  database: Database;
  pooler: Pooler;
  role: ServiceRole;
  /** Where the server listens. */
  server: { host: string; port: number };
}

export interface PoolerProcess {
  group: ProcessGroup;
  host: string;
  port: number;
  stop(): Promise<void>;
}

const HOST = '127.0.0.1';
const READY_SECONDS = 15;

/** PgBouncer of this machine in front of the server. Rejects with `TestbedError` 'tool-missing' or 'pooler-failed'. */
export async function startPooler(plan: PoolerPlan, signal: AbortSignal): Promise<PoolerProcess> {
  const program = requireTool('pgbouncer');
  const { pooler, role, database } = plan;
  const user = unprivilegedUser();
  const folder = makeTestbedFolder(false, user);
  try {
    const port = await freePort();
    const userListPath = join(folder.path, 'userlist.txt');
    const configurationPath = join(folder.path, 'pgbouncer.ini');
    const configuration = pgbouncerConfiguration({
      host: plan.server.host,
      port: plan.server.port,
      ...role,
      mode: pooler.mode,
      defaultPoolSize: pooler.defaultPoolSize,
      maxClientConnections: pooler.maxClientConnections,
      userListPath,
      listen: { address: HOST, port },
    });
    writeFileSync(configurationPath, configuration, { mode: 0o644 });
    writeFileSync(userListPath, pgbouncerUserList(role), { mode: 0o644 });
    const group = await startGroup({
      title: 'The pooler (PgBouncer)',
      id: plan.id,
      command: [program, configurationPath],
      directory: folder.path,
      env: childEnvironment({ HOME: folder.path }),
      cpus: plan.cpus,
      openFiles: pgbouncerOpenFiles(pooler),
      memoryBytes: null,
      user,
      logFile: join(folder.path, 'pgbouncer.log'),
      // SIGTERM waits for clients in newer versions.
      endSignal: 'SIGQUIT',
      graceSeconds: 2,
      orphanSignal: 'KILL',
    });
    const stop = () => group.stop().then(() => folder.remove());
    try {
      const address = { host: HOST, port, ...role, database: database.name, readyTimeoutSeconds: READY_SECONDS };
      await whileItLives('pooler', group, signal, (linked) => waitForPooler(address, linked));
    } catch (error) {
      await stop();
      throw error;
    }
    return { group, host: HOST, port, stop };
  } catch (error) {
    folder.remove();
    throw error;
  }
}

async function waitForPooler(address: Parameters<typeof openConnection>[0], signal: AbortSignal): Promise<void> {
  const deadline = performance.now() + READY_SECONDS * 1000;
  for (;;) {
    try {
      const client = await openConnection(address, signal);
      await client.query('SELECT 1').finally(() => closeConnection(client));
      return;
    } catch (error) {
      signal.throwIfAborted();
      if (performance.now() > deadline) {
        throw new TestbedError(
          'pooler-failed',
          `PgBouncer at ${address.host}:${address.port} did not pass on a query within ${READY_SECONDS} s (${describe(error)}).`,
        );
      }
    }
    await sleep(20, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}
