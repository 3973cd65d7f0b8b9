import type { Database } from '../../core/config/resolved.ts';
import type { DatabaseSetUp, OwnerSession } from '../postgres/session.ts';
import { connectDatabase } from '../postgres/session.ts';
import { ownerName, settingArguments } from '../postgres/settings.ts';
import { createContainer } from './containers.ts';
import type { Engine } from './engine.ts';
import { type Part, type PartFrame, partContainer, startPart, whileItLives } from './part.ts';

export const DATABASE_PORT = 5432;

/**
 * Away from the volume that the image declares, whose place differs between versions, and in memory: what a runner's
 * shared disk does at the moment is no property of the service, and nothing is left to remove. Dirty pages and write-ahead
 * log count as page cache of the database's cgroup, which the meters leave out.
 */
const DATA_FOLDER = '/var/lib/wrkbench';

/** Parallel queries share memory through /dev/shm, where the engine's 64 MiB are soon used up. */
const SHARED_MEMORY_BYTES = 256 * 1024 * 1024;
const OPEN_FILES = 65_536;

export interface DatabasePlan {
  database: Database;
  container: string;
  image: string;
  network: string;
  cpus: string;
  ownerPassword: string;
  servicePassword: string;
}

/** The database's container, started; it does not answer yet. */
export async function startDatabase(engine: Engine, plan: DatabasePlan, frame: PartFrame): Promise<Part> {
  const { database } = plan;
  const create = () =>
    createContainer(
      engine,
      partContainer(frame, {
        name: plan.container,
        image: plan.image,
        command: ['postgres', ...settingArguments(database)],
        env: {
          POSTGRES_USER: ownerName(database),
          POSTGRES_PASSWORD: plan.ownerPassword,
          POSTGRES_DB: database.name,
          PGDATA: `${DATA_FOLDER}/data`,
        },
        network: plan.network,
        cpus: plan.cpus,
        openFiles: OPEN_FILES,
        sharedMemoryBytes: SHARED_MEMORY_BYTES,
        // Any user of an image may put its data there.
        memoryFolders: [`${DATA_FOLDER}:mode=1777`],
      }),
    );
  await create();
  return await startPart(engine, 'database', plan.container, frame, create);
}

/**
 * Waits for real queries to be answered, creates the service's role and runs the init SQL. Rejects with `TestbedError`:
 * 'database-not-ready', 'database-exited', 'out-of-memory' or 'init-sql-failed'.
 */
export async function setUpDatabase(
  engine: Engine,
  part: Part,
  plan: DatabasePlan,
  specDirectory: string,
  signal: AbortSignal,
): Promise<OwnerSession> {
  const { database } = plan;
  const setUp: DatabaseSetUp = {
    address: {
      host: part.state.addresses[plan.network] ?? '',
      port: DATABASE_PORT,
      user: ownerName(database),
      password: plan.ownerPassword,
      database: database.name,
      readyTimeoutSeconds: database.readyTimeoutSeconds,
    },
    role: { user: database.user, password: plan.servicePassword },
    init: { files: database.init, directory: specDirectory },
  };
  return await whileItLives(part, engine, signal, (linked) => connectDatabase(setUp, linked));
}
