import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError } from '../../app/ports/testbed.ts';
import type { Database } from '../../core/config/resolved.ts';
import { childEnvironment } from '../process/child-environment.ts';
import { failureOf, whileItLives } from '../process/part.ts';
import { type ProcessGroup, startGroup } from '../process/process-group.ts';
import { type SystemUser, unprivilegedUser } from '../process/system-user.ts';
import { freePort } from '../process/tcp-ports.ts';
import { makeTestbedFolder, type TestbedFolder } from '../process/testbed-folder.ts';
import { findPostgres, type PostgresBinaries } from './binaries.ts';
import { copyDataFolder, makeDataFolder } from './data-folder.ts';
import { localPsql } from './local-psql.ts';
import type { Psql } from './psql.ts';
import { closeConnection, connectWhenReady, type DatabaseAddress } from './ready-connection.ts';
import { ownerName, settingArguments } from './settings.ts';
import { releaseSharedMemory } from './shared-memory.ts';

const HOST = '127.0.0.1';
const OPEN_FILES = 65_536;
const DATA = 'data';
/** Another process can take the port between our choice and the server's start. */
const ATTEMPTS = 3;

export interface LocalServerPlan {
  database: Database;
  /** Unlike those of every other group on this machine. */
  id: string;
  cpus: string;
  /** As `serverSettings` has it. */
  isBrief?: boolean;
  /** Folder of a server's data that it begins with a copy of; absent for an empty database of the spec's name. */
  from?: string;
  /** First words of a command in the network of its side; absent for that of this machine. */
  enter?: readonly string[];
  /** Others will begin with its data, which then lie on a disk. */
  isTemplate?: boolean;
}

/** A Postgres of one testbed, with a database of the spec's name. */
export interface LocalServer {
  group: ProcessGroup;
  /** As the service reaches it. */
  host: string;
  port: number;
  /** As its owner reaches it: by a socket in a folder that no other user can enter, without a password. */
  owner: DatabaseAddress;
  failure(): TestbedError | null;
  /** Resolves to null where this machine has none. */
  psql(): Promise<Psql | null>;
  /** Ends it in order; resolves to the folder of its data, which `stop` removes. Rejects with `TestbedError` 'database-exited'. */
  rest(signal: AbortSignal): Promise<string>;
  /** Ends it and removes its data; never rejects, safe to call twice. */
  stop(): Promise<void>;
}

/**
 * Starts a server of this testbed's own. Rejects with `TestbedError` ('tool-missing', 'database-not-ready',
 * 'database-exited'), or with the signal's reason when aborted, with nothing left.
 */
export async function startLocalServer(plan: LocalServerPlan, signal: AbortSignal): Promise<LocalServer> {
  signal.throwIfAborted();
  const user = unprivilegedUser();
  const binaries = await findPostgres(user);
  const folder = makeTestbedFolder(plan.isTemplate !== true, user);
  try {
    const data = join(folder.path, DATA);
    const { database, from } = plan;
    if (from === undefined) await makeDataFolder(data, binaries, ownerName(database), user, signal);
    else await copyDataFolder(from, data, signal);
    for (let attempt = 1; ; attempt += 1) {
      const port = await freePort();
      const group = await startGroup({
        title: 'Postgres',
        id: plan.id,
        command: [join(binaries.folder, 'postgres'), '-D', data, ...argumentsOf(plan, port, folder)],
        directory: folder.path,
        env: childEnvironment({ HOME: folder.path }),
        cpus: plan.cpus,
        openFiles: OPEN_FILES,
        memoryBytes: null,
        user,
        ...(plan.enter === undefined ? {} : { enter: plan.enter }),
        logFile: join(folder.path, 'postgres.log'),
        // At once and without a checkpoint: its data goes with it.
        endSignal: 'SIGQUIT',
        graceSeconds: 5,
        orphanSignal: 'QUIT',
      });
      try {
        const owner = ownerAddress(database, folder, port);
        await whileItLives('database', group, signal, (linked) =>
          from === undefined ? createDatabase(owner, database.name, linked) : untilAnswered(owner, linked),
        );
        return serverOf({ group, folder, port, owner, user, binaries });
      } catch (error) {
        await group.stop();
        const taken = group.lastLines(20).some((line) => line.includes('Address already in use'));
        if (!taken || attempt === ATTEMPTS || signal.aborted) throw error;
      }
    }
  } catch (error) {
    folder.remove();
    throw error;
  }
}

interface Running {
  group: ProcessGroup;
  folder: TestbedFolder;
  port: number;
  owner: DatabaseAddress;
  user: SystemUser | null;
  binaries: PostgresBinaries;
}

function serverOf({ group, folder, port, owner, user, binaries }: Running): LocalServer {
  return {
    group,
    host: HOST,
    port,
    owner,
    failure: () => failureOf('database', group),
    psql: async () => localPsql(binaries, owner, user),
    async rest(signal) {
      await endInOrder(group, signal);
      return join(folder.path, DATA);
    },
    async stop() {
      await group.stop();
      await releaseSharedMemory(join(folder.path, DATA), user);
      folder.remove();
    },
  };
}

/** Ours come last, because the last one counts; but for the place of shared memory, which the spec may choose. */
function argumentsOf({ database, isBrief }: LocalServerPlan, port: number, folder: TestbedFolder): string[] {
  // A server that is killed leaves what it has in /dev/shm; what it has in its data folder goes with that.
  const first = folder.inMemory ? ['-c', 'dynamic_shared_memory_type=mmap'] : [];
  const own = { listen_addresses: HOST, port, unix_socket_directories: folder.path, logging_collector: 'off' };
  const last = Object.entries(own).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return [...first, ...settingArguments(database, isBrief), ...last];
}

function ownerAddress(database: Database, folder: TestbedFolder, port: number): DatabaseAddress {
  return {
    host: folder.path,
    port,
    user: ownerName(database),
    password: '',
    database: database.name,
    readyTimeoutSeconds: database.readyTimeoutSeconds,
  };
}

/** A new cluster holds `postgres` only. The server runs once, so a first answer is enough. */
async function createDatabase(owner: DatabaseAddress, name: string, signal: AbortSignal): Promise<void> {
  const client = await connectWhenReady({ ...owner, database: 'postgres' }, signal, 0);
  try {
    if (name !== 'postgres') await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await closeConnection(client);
  }
}

async function untilAnswered(owner: DatabaseAddress, signal: AbortSignal): Promise<void> {
  await closeConnection(await connectWhenReady(owner, signal, 0));
}

/** All pages of a database, which may be large, are written then. */
const REST_SECONDS = 120;

/** SIGINT ends the sessions, and the server once it has written everything; what it is not done with in time is ended by `stop`. */
async function endInOrder(group: ProcessGroup, signal: AbortSignal): Promise<void> {
  if (group.exit() === null) process.kill(group.pid, 'SIGINT');
  const deadline = performance.now() + REST_SECONDS * 1000;
  while (group.exit() === null && performance.now() < deadline) await sleep(20, undefined, { signal });
  if (group.exit()?.code === 0) return;
  throw new TestbedError(
    'database-exited',
    `Postgres was told to end in order, and did not within ${REST_SECONDS} s or ended otherwise: its data cannot be copied.`,
    group.lastLines(20),
  );
}
