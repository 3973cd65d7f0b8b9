import { randomBytes } from 'node:crypto';
import type { TestbedRequest } from '../../app/ports/testbed.ts';
import { stepsFor } from '../../core/config/prepare.ts';
import type { Database } from '../../core/config/resolved.ts';
import { changesData } from '../../core/config/writes.ts';
import { databasePlaceholders } from '../../core/topology/database-placeholders.ts';
import { takeSnapshot } from '../postgres/data-snapshot.ts';
import { startLocalServer } from '../postgres/local-server.ts';
import { runPrepareSql, settleData } from '../postgres/prepared-data.ts';
import { connectDatabase, type ServiceRole } from '../postgres/session.ts';
import { type SharedMaking, sharedMaking } from '../prepare/shared-making.ts';
import { runPrepareSteps } from '../prepare/steps.ts';
import { whileItLives } from '../process/part.ts';
import { startDependencies } from './dependencies.ts';
import type { PartProcess } from './part-process.ts';
import { processPrepareHost } from './prepare-host.ts';

/** What `prepare` has made, at rest: each start of the testbed begins with a copy of it. */
export interface PreparedData {
  /** Of the server's data. */
  folder: string;
  role: ServiceRole;
  /** Never rejects. */
  remove(): Promise<void>;
}

/** Of one runtime, for all of its runs. */
export interface PreparedDatas {
  /** Null where the spec prepares nothing. Rejects with `TestbedError`, and then the next who asks tries again. */
  of(
    request: TestbedRequest,
    database: Database,
    newId: () => string,
    signal: AbortSignal,
  ): Promise<PreparedData | null>;
  /** Removes those of a run; never rejects. */
  release(runId: string): Promise<void>;
}

export function preparedDatas(): PreparedDatas {
  const known = new Map<string, SharedMaking<PreparedData>>();
  return {
    async of(request, database, newId, signal) {
      if (stepsFor(request.spec, request.service).length === 0) return null;
      const key = keyOf(request, database);
      const own = known.get(key) ?? sharedMaking<PreparedData>();
      known.set(key, own);
      return await own.of(() => preparedData(request, database, newId, signal), signal);
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
function keyOf({ runId, spec, service, artifact, specDirectory }: TestbedRequest, database: Database): string {
  const own = { ...service, about: null, endpoints: null };
  const beside = [database, spec.dependencies ?? [], changesData(spec, service)];
  return beginning(runId) + JSON.stringify([specDirectory, stepsFor(spec, service), artifact, own, ...beside]);
}

export function newRole({ user, password }: Database): ServiceRole {
  return { user, password: password ?? randomBytes(16).toString('hex') };
}

async function preparedData(
  request: TestbedRequest,
  database: Database,
  newId: () => string,
  signal: AbortSignal,
): Promise<PreparedData> {
  const { spec, service, specDirectory, placement } = request;
  const role = newRole(database);
  // Without autovacuum, whichever start asks for it: what that left would be in every copy of one side.
  const plan = { database, cpus: placement.database, id: newId(), isBrief: true, isTemplate: true };
  const server = await startLocalServer(plan, signal);
  const dependencies = new Map<string, PartProcess>();
  try {
    const sql = { directory: specDirectory, psql: server.psql };
    const connected = { address: server.owner, role, moreDatabases: database.moreNames ?? [] };
    await whileItLives('database', server.group, signal, async (linked) => {
      const init = { ...sql, files: database.init };
      await (await connectDatabase({ ...connected, init, settleMs: 0 }, linked)).close();
    });
    const ofDatabase = databasePlaceholders(database, { host: server.host, port: server.port, ...role });
    const beside = await startDependencies(dependencies, request, ofDatabase, newId, signal);
    const host = processPrepareHost({
      ...{ request, newId, placeholders: { ...ofDatabase, ...beside } },
      sql: (files, linked) => runPrepareSql(connected, { ...sql, files }, linked),
    });
    await runPrepareSteps(stepsFor(spec, service), host, signal);
    await whileItLives('database', server.group, signal, async (linked) => {
      await settleData(connected, linked);
      if (changesData(spec, service)) await takeSnapshot(connected, linked);
    });
    return { folder: await server.rest(signal), role, remove: () => server.stop() };
  } catch (error) {
    await server.stop();
    signal.throwIfAborted();
    throw error;
  } finally {
    await Promise.all([...dependencies.values()].map((each) => each.stop()));
  }
}
