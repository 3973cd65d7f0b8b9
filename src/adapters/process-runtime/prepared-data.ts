import { randomBytes } from 'node:crypto';
import type { TestbedRequest } from '../../app/ports/testbed.ts';
import type { Dependency } from '../../core/config/dependency.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import type { Database } from '../../core/config/resolved.ts';
import { stepsFor } from '../../core/config/service-steps.ts';
import { changesData } from '../../core/config/writes.ts';
import type { RequestValues } from '../../core/requests/request-values.ts';
import { databasePlaceholders } from '../../core/topology/database-placeholders.ts';
import { type Connected, takeSnapshot } from '../postgres/data-snapshot.ts';
import { type LocalServer, startLocalServer } from '../postgres/local-server.ts';
import { runPrepareSql, settleData } from '../postgres/prepared-data.ts';
import { connectDatabase, type ServiceRole } from '../postgres/session.ts';
import { type SharedMaking, sharedMaking } from '../prepare/shared-making.ts';
import { runPrepareSteps } from '../prepare/steps.ts';
import type { NetworkNamespace } from '../process/network-namespace.ts';
import { whileItLives } from '../process/part.ts';
import { startDependencies } from './dependencies.ts';
import type { PartProcess } from './part-process.ts';
import { processPrepareHost } from './prepare-host.ts';
import { enterOf, sideNetwork } from './side-network.ts';

/** What `prepare` has made, at rest: each start of the testbed begins with a copy of it. */
export interface PreparedData {
  /** Folder of the server's data; null without a database. */
  database: { folder: string; role: ServiceRole } | null;
  /** Name → folder, of the dependencies that keep data. */
  dependencies: ReadonlyMap<string, string>;
  /** What requests have taken from their answers. */
  values: RequestValues;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** Of one runtime, for all of its runs. */
export interface PreparedDatas {
  /** Null where the spec prepares nothing. Rejects with `TestbedError`, and then the next who asks tries again. */
  of(request: TestbedRequest, newId: () => string, signal: AbortSignal): Promise<PreparedData | null>;
  /** Removes those of a run; never rejects. */
  release(runId: string): Promise<void>;
}

export function preparedDatas(): PreparedDatas {
  const known = new Map<string, SharedMaking<PreparedData>>();
  return {
    async of(request, newId, signal) {
      if (stepsFor(request.spec, request.service).length === 0) return null;
      const key = keyOf(request);
      const own = known.get(key) ?? sharedMaking<PreparedData>();
      known.set(key, own);
      return await own.of(() => preparedData(request, newId, signal), signal);
    },
    async release(runId) {
      for (const [key, each] of [...known].filter(([key]) => key.startsWith(beginning(runId)))) {
        known.delete(key);
        await (await each.made())?.remove();
      }
    },
  };
}

const beginning = (runId: string) => `${runId}\n`;

/** Programs and SQL lie where the spec does: a baseline has its own. */
function keyOf({ runId, spec, service, artifact, specDirectory }: TestbedRequest): string {
  const own = { ...service, about: null, endpoints: null };
  const beside = [spec.database, spec.dependencies ?? [], changesData(spec, service)];
  return beginning(runId) + JSON.stringify([specDirectory, stepsFor(spec, service), artifact, own, ...beside]);
}

export function newRole({ user, password }: Database): ServiceRole {
  return { user, password: password ?? randomBytes(16).toString('hex') };
}

/** A database that is set up, to be prepared. */
interface SetUpDatabase {
  server: LocalServer;
  connected: Connected;
  placeholders: PlaceholderValues;
}

/** What a dependency may take to write what it has in memory, as in containers. */
const HALT_SECONDS = 60;

async function preparedData(request: TestbedRequest, newId: () => string, signal: AbortSignal): Promise<PreparedData> {
  const { spec, service, specDirectory, onActivity } = request;
  const started = new Map<string, PartProcess>();
  const network = await sideNetwork(service, newId, signal);
  let database: SetUpDatabase | null = null;
  const remove = async () => {
    await Promise.all([database?.server.stop(), ...[...started.values()].map((each) => each.stop())]);
    await network?.stop();
  };
  try {
    if (spec.database !== null) database = await setUpDatabase(request, spec.database, { newId, network }, signal);
    const ofDatabase = database?.placeholders ?? {};
    const beside = await startDependencies(started, request, ofDatabase, newId, signal, { network });
    const host = processPrepareHost({
      ...{ request, newId, network, placeholders: { ...ofDatabase, ...beside } },
      sql: (files, linked) => {
        const { connected, server } = database!;
        return runPrepareSql(connected, { files, directory: specDirectory, psql: server.psql }, linked);
      },
    });
    const values = await runPrepareSteps(stepsFor(spec, service), host, signal, onActivity);
    onActivity?.({ kind: 'snapshot' });
    const kept = keptFolders(spec.dependencies ?? [], started);
    // Each in order: what it has in memory alone is written then.
    for (const [name, part] of started) await part.halt(kept.has(name) ? HALT_SECONDS : undefined);
    const atRest = database === null ? null : await restOf(database, changesData(spec, service), signal);
    await network?.stop();
    return { database: atRest, dependencies: kept, values, remove };
  } catch (error) {
    await remove();
    signal.throwIfAborted();
    throw error;
  } finally {
    onActivity?.(null);
  }
}

async function setUpDatabase(
  { placement, specDirectory }: TestbedRequest,
  database: Database,
  { newId, network }: { newId(): string; network: NetworkNamespace | null },
  signal: AbortSignal,
): Promise<SetUpDatabase> {
  const role = newRole(database);
  // Without autovacuum, whichever start asks for it: what that left would be in every copy of one side.
  const plan = {
    database,
    cpus: placement.database,
    id: newId(),
    isBrief: true,
    isTemplate: true,
    ...enterOf(network),
  };
  const server = await startLocalServer(plan, signal);
  try {
    const connected = { address: server.owner, role, moreDatabases: database.moreNames ?? [] };
    const init = { files: database.init, directory: specDirectory, psql: server.psql };
    await whileItLives('database', server.group, signal, async (linked) => {
      await (await connectDatabase({ ...connected, init, settleMs: 0 }, linked)).close();
    });
    const { host, port } = server;
    return { server, connected, placeholders: databasePlaceholders(database, { host, port, ...role }) };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

async function restOf(
  { server, connected }: SetUpDatabase,
  hasSnapshot: boolean,
  signal: AbortSignal,
): Promise<NonNullable<PreparedData['database']>> {
  await whileItLives('database', server.group, signal, async (linked) => {
    await settleData(connected, linked);
    if (hasSnapshot) await takeSnapshot(connected, linked);
  });
  return { folder: await server.rest(signal), role: connected.role };
}

/** As in containers: what a dependency keeps, its `volumes` say; a process has one folder for all of that. */
function keptFolders(
  dependencies: readonly Dependency[],
  started: ReadonlyMap<string, PartProcess>,
): ReadonlyMap<string, string> {
  const kept = dependencies.filter(({ volumes = [] }) => volumes.length > 0);
  return new Map(kept.map(({ name }) => [name, started.get(name)!.folder]));
}
