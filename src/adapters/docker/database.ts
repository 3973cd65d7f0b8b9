import type { Database } from '../../core/config/resolved.ts';
import type { DatabaseSetUp, OwnerSession } from '../postgres/session.ts';
import { connectDatabase } from '../postgres/session.ts';
import { ownerName, settingArguments } from '../postgres/settings.ts';
import { containerPsql } from './container-psql.ts';
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
const TEMPLATE_FOLDER = '/var/lib/wrkbench-template';

/** Whoever the image's user is: files keep their owner. What follows is the image's entrypoint, which finds a database there. */
const COPY_AND_START = `cp -a ${TEMPLATE_FOLDER}/data ${DATA_FOLDER}/ && exec "$@"`;

/** Parallel queries share memory through /dev/shm, where the engine's 64 MiB are soon used up. */
const SHARED_MEMORY_BYTES = 256 * 1024 * 1024;
const OPEN_FILES = 65_536;

/** A database as its init SQL leaves it, at rest in a volume. */
export interface DatabaseTemplate {
  volume: string;
  /** What the image starts its server by. */
  entrypoint: string[];
  /** Of the roles in it. */
  ownerPassword: string;
  servicePassword: string;
}

export interface DatabasePlan {
  database: Database;
  container: string;
  image: string;
  network: string;
  cpus: string;
  ownerPassword: string;
  servicePassword: string;
  /** What it is a copy of; null for one that is still to be set up. */
  template: DatabaseTemplate | null;
  /** As `serverSettings` has it. */
  isBrief?: boolean;
}

/** The database's container, started; it does not answer yet. Its data lie in memory, or in a volume that stays. */
export async function startDatabase(
  engine: Engine,
  plan: DatabasePlan,
  frame: PartFrame,
  kept: { volume: string } | null = null,
): Promise<Part> {
  const { database, template } = plan;
  const server = ['postgres', ...settingArguments(database, plan.isBrief)];
  const create = () =>
    createContainer(
      engine,
      partContainer(frame, {
        name: plan.container,
        image: plan.image,
        ...(template === null
          ? { command: server }
          : { entrypoint: 'sh', command: ['-c', COPY_AND_START, 'sh', ...template.entrypoint, ...server] }),
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
        ...(kept === null
          ? { memoryFolders: [`${DATA_FOLDER}:mode=1777`] }
          : // A new volume is root's; the image's entrypoint goes from there to a user of its own.
            { volumes: [{ name: kept.volume, folder: DATA_FOLDER, isReadOnly: false }], user: '0:0' }),
        ...(template === null
          ? {}
          : { volumes: [{ name: template.volume, folder: TEMPLATE_FOLDER, isReadOnly: true }] }),
      }),
    );
  await create();
  return await startPart(engine, 'database', plan.container, frame, create);
}

/**
 * Waits for real queries to be answered, creates the service's role and runs the init SQL; a copy has both already. Rejects with `TestbedError`:
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
  const target = { user: ownerName(database), database: database.name, password: plan.ownerPassword };
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
    moreDatabases: database.moreNames ?? [],
    // A copy is started once, and never by its image's set-up.
    ...(plan.template === null
      ? {
          init: {
            files: database.init,
            directory: specDirectory,
            psql: () => containerPsql(engine, plan.container, target),
          },
        }
      : { init: null, settleMs: 0 }),
  };
  return await whileItLives(part, engine, signal, (linked) => connectDatabase(setUp, linked));
}
