import type { Database } from '../../core/config/resolved.ts';
import type { Connected } from '../postgres/data-snapshot.ts';
import type { InitSql } from '../postgres/init-sql.ts';
import { type KeptData, keptSession, sessionWithSnapshot } from '../postgres/kept-data.ts';
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
  /** Its data are put back between cases: there is a copy of them beside it, in a template as well. */
  hasSnapshot?: boolean;
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
 * Waits for real queries to be answered, creates the service's role and runs the init SQL; a copy has both already. `data` are those of its
 * snapshot, where it has one. Rejects with `TestbedError`:
 * 'database-not-ready', 'database-exited', 'out-of-memory' or 'init-sql-failed'.
 */
export async function setUpDatabase(
  engine: Engine,
  part: Part,
  plan: DatabasePlan,
  specDirectory: string,
  signal: AbortSignal,
): Promise<{ session: OwnerSession; data: KeptData | null }> {
  const { database, template } = plan;
  const setUp: DatabaseSetUp = {
    ...connectedAs(part, plan),
    // A copy is started once, and never by its image's set-up.
    ...(template === null
      ? { init: { files: database.init, directory: specDirectory, psql: psqlOf(engine, plan) } }
      : { init: null, settleMs: 0 }),
  };
  return await whileItLives(part, engine, signal, async (linked) => {
    const session = await connectDatabase(setUp, linked);
    if (plan.hasSnapshot !== true) return { session, data: null };
    const connected = connectedAs(part, plan);
    return template === null ? sessionWithSnapshot(session, connected, linked) : keptSession(session, connected);
  });
}

/** Its owner's address, and the service's role. */
export function connectedAs(part: Part, plan: DatabasePlan): Connected {
  const { database } = plan;
  return {
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
  };
}

/** psql in its container, as its owner. */
export function psqlOf(engine: Engine, { database, container, ownerPassword }: DatabasePlan): InitSql['psql'] {
  const target = { user: ownerName(database), database: database.name, password: ownerPassword };
  return () => containerPsql(engine, container, target);
}
