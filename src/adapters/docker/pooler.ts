import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError } from '../../app/ports/testbed.ts';
import {
  type PgbouncerPlan,
  POOLER_PORT,
  pgbouncerConfiguration,
  pgbouncerOpenFiles,
  pgbouncerUserList,
} from '../../core/topology/pgbouncer.ts';
import { closeConnection, describe, openConnection } from '../postgres/ready-connection.ts';
import { CONFIGURATION_FOLDER, createContainer, putFiles } from './containers.ts';
import type { Engine } from './engine.ts';
import { NOBODY, type Part, type PartFrame, partContainer, startPart, whileItLives } from './part.ts';

export interface PoolerPlan {
  pgbouncer: Omit<PgbouncerPlan, 'userListPath'>;
  database: string;
  container: string;
  image: string;
  network: string;
  cpus: string;
}

const READY_SECONDS = 15;

/** PgBouncer, started with a configuration of ours whatever the image's entrypoint would make. */
export async function startPooler(engine: Engine, plan: PoolerPlan, frame: PartFrame): Promise<Part> {
  const pgbouncer = { ...plan.pgbouncer, userListPath: `${CONFIGURATION_FOLDER}/userlist.txt` };
  const create = async () => {
    await createContainer(
      engine,
      partContainer(frame, {
        name: plan.container,
        image: plan.image,
        entrypoint: 'pgbouncer',
        command: [`${CONFIGURATION_FOLDER}/pgbouncer.ini`],
        // PgBouncer refuses to run as root.
        user: NOBODY,
        network: plan.network,
        cpus: plan.cpus,
        openFiles: pgbouncerOpenFiles(pgbouncer),
      }),
    );
    await putFiles(engine, plan.container, {
      'pgbouncer.ini': pgbouncerConfiguration(pgbouncer),
      'userlist.txt': pgbouncerUserList(pgbouncer),
    });
  };
  await create();
  return await startPart(engine, 'pooler', plan.container, frame, create);
}

/**
 * Waits for a query of the service's role to be answered through the pooler; the database must be up, for PgBouncer
 * remembers a failed login for seconds. Rejects with `TestbedError` 'pooler-failed'.
 */
export async function waitForPooler(engine: Engine, part: Part, plan: PoolerPlan, signal: AbortSignal): Promise<void> {
  const { user, password } = plan.pgbouncer;
  const { database } = plan;
  const host = part.state.addresses[plan.network] ?? '';
  const address = { host, port: POOLER_PORT, user, password, database, readyTimeoutSeconds: READY_SECONDS };
  await whileItLives(part, engine, signal, async (linked) => {
    const deadline = performance.now() + READY_SECONDS * 1000;
    for (;;) {
      try {
        const client = await openConnection(address, linked);
        await client.query('SELECT 1').finally(() => closeConnection(client));
        return;
      } catch (error) {
        linked.throwIfAborted();
        if (performance.now() > deadline) {
          throw new TestbedError(
            'pooler-failed',
            `PgBouncer at ${host}:${POOLER_PORT} did not pass on a query within ${READY_SECONDS} s (${describe(error)}).`,
          );
        }
      }
      await sleep(50, undefined, { signal: linked });
    }
  });
}
