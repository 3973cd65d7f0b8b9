import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import type { Dependency } from '../../core/config/dependency.ts';
import { dependencyPlaceholders, startOrder } from '../../core/config/dependency-order.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import type { Database } from '../../core/config/resolved.ts';
import { databasePlaceholders } from '../../core/topology/database-placeholders.ts';
import { dependencyPlan } from '../../core/topology/dependency-plan.ts';
import { gatewayPlan } from '../../core/topology/gateway-plan.ts';
import { poolerPlan } from '../../core/topology/pooler-plan.ts';
import { type ProgramWish, servicePlan } from '../../core/topology/service-plan.ts';
import { choosesItsPort } from '../../core/topology/shared-port.ts';
import { readyRequestOf } from '../../core/verification/ready-request.ts';
import { gatewayConfiguration } from '../network/gateway-configuration.ts';
import { type LocalServer, startLocalServer } from '../postgres/local-server.ts';
import { connectDatabase, type OwnerSession, type ServiceRole } from '../postgres/session.ts';
import { machineMemoryBytes } from '../process/machine-memory.ts';
import { failureOf, whileItLives } from '../process/part.ts';
import { checkPortFree, freePort } from '../process/tcp-ports.ts';
import { directoryOf } from './obstacles.ts';
import { type PartProcess, startProcess } from './part-process.ts';

/** What is up of a testbed. Filled as it comes up, so that what is there can be let go of at any moment. */
export interface Parts {
  server: LocalServer | null;
  session: OwnerSession | null;
  pooler: PartProcess | null;
  /** By their names in the spec, in the order that they were started. */
  dependencies: Map<string, PartProcess>;
  service: PartProcess | null;
  gateway: PartProcess | null;
}

export function noParts(): Parts {
  return { server: null, session: null, pooler: null, dependencies: new Map(), service: null, gateway: null };
}

/** Brings up database, pooler, dependencies, service and gateway, each when the one before answers; removing is the caller's. */
export async function bringUp(
  parts: Parts,
  request: TestbedRequest,
  newId: () => string,
  signal: AbortSignal,
): Promise<void> {
  const { spec, service, placement, specDirectory } = request;
  const ofDatabase = spec.database === null ? {} : await databaseSide(parts, request, spec.database, newId, signal);
  const beside = await startDependencies(parts, request, ofDatabase, newId, signal);
  const planned = servicePlan(service, spec.endpoints, {
    ...programWish(request),
    placeholders: { ...ofDatabase, ...beside },
    directory: directoryOf(service, specDirectory),
  });
  const port = choosesItsPort(service) ? await freePort() : service.port;
  if (port === service.port) await checkPortFree(port, planned.title);
  parts.service = await startProcess(planned, { id: newId(), port }, signal);
  await parts.service.ready(signal);
  if (spec.gateway === null) return;
  const gateway = gatewayPlan({
    image: null,
    cpus: placement.service,
    workers: parseCpuList(placement.service)?.length ?? 1,
    openFiles: service.openFiles,
    upstream: `${parts.service.host}:${port}`,
    asked: readyRequestOf(service, spec.endpoints),
    configuration: await gatewayConfiguration(request),
  });
  parts.gateway = await startProcess(gateway, { id: newId(), port: await freePort() }, signal);
  await parts.gateway.ready(signal);
}

/** Lets go of everything, up or half up, the last first; never rejects. */
export async function dismantle(parts: Parts): Promise<void> {
  await parts.gateway?.stop();
  await parts.service?.stop();
  await Promise.all([...parts.dependencies.values()].map((each) => each.stop()));
  await parts.pooler?.stop();
  await parts.session?.close();
  await parts.server?.stop();
}

function programWish({ placement, specDirectory }: TestbedRequest): ProgramWish {
  const machine = { cpuCount: availableParallelism(), memoryBytes: machineMemoryBytes() };
  return { image: null, placement, placeholders: {}, directory: specDirectory, files: {}, machine };
}

async function databaseSide(
  parts: Parts,
  request: TestbedRequest,
  database: Database,
  newId: () => string,
  signal: AbortSignal,
): Promise<PlaceholderValues> {
  const cpus = request.placement.database;
  const role: ServiceRole = { user: database.user, password: database.password ?? randomBytes(16).toString('hex') };
  const server = await startLocalServer({ database, cpus, id: newId(), isBrief: request.isBrief ?? false }, signal);
  parts.server = server;
  const init = { files: database.init, directory: request.specDirectory, psql: server.psql };
  parts.session = await whileItLives('database', server.group, signal, (linked) =>
    connectDatabase(
      { address: server.owner, role, moreDatabases: database.moreNames ?? [], init, settleMs: 0 },
      linked,
    ),
  );
  const { pooler } = database;
  let at: { host: string; port: number } = server;
  if (pooler !== null) {
    const planned = poolerPlan({ image: null, cpus, pooler, database, role, server });
    const port = await freePort();
    parts.pooler = await startProcess(planned, { id: newId(), port }, signal);
    await parts.pooler.ready(signal);
    at = { host: parts.pooler.host, port };
  }
  const failure = failureOf('database', server.group);
  if (failure !== null) throw failure;
  return databasePlaceholders(database, { host: at.host, port: at.port, ...role });
}

/** Each step when the one before is up. Resolves to what `${redis.host}` and the like stand for. */
async function startDependencies(
  parts: Parts,
  request: TestbedRequest,
  ofDatabase: PlaceholderValues,
  newId: () => string,
  signal: AbortSignal,
): Promise<PlaceholderValues> {
  const { first, then, stuck } = startOrder(request.spec.dependencies ?? []);
  if (stuck.length > 0) throw circle(stuck);
  for (const step of [first, ...then]) {
    for (const dependency of step) {
      const placeholders = { ...ofDatabase, ...dependencyPlaceholders(parts.dependencies) };
      const planned = dependencyPlan(dependency, { ...programWish(request), placeholders });
      const port = choosesItsPort(dependency) ? await freePort() : dependency.port;
      if (port !== null && port === dependency.port) await checkPortFree(port, planned.title, 'the dependency');
      parts.dependencies.set(dependency.name, await startProcess(planned, { id: newId(), port }, signal));
    }
    await Promise.all(step.map(({ name }) => parts.dependencies.get(name)!.ready(signal)));
  }
  return dependencyPlaceholders(parts.dependencies);
}

/** A spec that is checked has none. */
function circle(stuck: readonly Dependency[]): TestbedError {
  const names = stuck.map(({ name }) => name).join(', ');
  return new TestbedError(
    'start-failed',
    `The dependencies ${names} cannot be started: each waits for another of them. Leave one of their \${NAME.host} out.`,
  );
}
