import type { TestbedRequest } from '../../app/ports/testbed.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import type { Database } from '../../core/config/resolved.ts';
import { changesData } from '../../core/config/writes.ts';
import type { RequestValues } from '../../core/requests/request-values.ts';
import { databasePlaceholders } from '../../core/topology/database-placeholders.ts';
import { gatewayPlan } from '../../core/topology/gateway-plan.ts';
import { poolerPlan } from '../../core/topology/pooler-plan.ts';
import { servicePlan } from '../../core/topology/service-plan.ts';
import { readyRequestOf } from '../../core/verification/ready-request.ts';
import { gatewayConfiguration } from '../network/gateway-configuration.ts';
import { withRefusals } from '../parts/readiness.ts';
import { type KeptData, keptSession, sessionWithSnapshot } from '../postgres/kept-data.ts';
import { type LocalServer, startLocalServer } from '../postgres/local-server.ts';
import { connectDatabase, type OwnerSession } from '../postgres/session.ts';
import type { Keeper, ServiceBeforeData } from '../prepare/restored-data.ts';
import type { NetworkNamespace } from '../process/network-namespace.ts';
import { ERROR_LOG_LINES, failureOf, whileItLives } from '../process/part.ts';
import { freePort } from '../process/tcp-ports.ts';
import { startDependencies } from './dependencies.ts';
import { keptService } from './kept-service.ts';
import { type PartProcess, startProcess } from './part-process.ts';
import { newRole, type PreparedData, type PreparedDatas } from './prepared-data.ts';
import { serviceWish } from './program-wish.ts';
import { seatPorts } from './seat-ports.ts';
import { enterOf, sideNetwork } from './side-network.ts';

/** What is up of a testbed. Filled as it comes up, so that what is there can be let go of at any moment. */
export interface Parts {
  /** Of all of them; null for that of this machine. */
  network: NetworkNamespace | null;
  server: LocalServer | null;
  session: OwnerSession | null;
  /** Of the database, where they are put back between cases. */
  data: KeptData | null;
  /** The service before its data. */
  kept: ServiceBeforeData | null;
  /** Of the dependencies that may keep what requests write. */
  keepers: Keeper[];
  /** What its preparation has taken. */
  values: RequestValues;
  pooler: PartProcess | null;
  /** By their names in the spec, in the order that they were started. */
  dependencies: Map<string, PartProcess>;
  service: PartProcess | null;
  startUpNs: number;
  gateway: PartProcess | null;
}

export function noParts(): Parts {
  return {
    ...{ network: null, server: null, session: null, data: null, kept: null, keepers: [], values: {} },
    ...{ pooler: null, dependencies: new Map(), service: null, startUpNs: 0, gateway: null },
  };
}

/** What a testbed needs of its runtime. */
export interface ProcessTestbedPlan {
  request: TestbedRequest;
  newId(): string;
  prepared: PreparedDatas;
}

/** Brings up database, pooler, dependencies, service and gateway, each when the one before answers; removing is the caller's. */
export async function bringUp(parts: Parts, plan: ProcessTestbedPlan, signal: AbortSignal): Promise<void> {
  const { request, newId } = plan;
  const { spec, service, placement } = request;
  const from = await plan.prepared.of(request, newId, signal);
  parts.values = from?.values ?? {};
  const network = await sideNetwork(service, newId, signal);
  parts.network = network;
  const ofDatabase =
    spec.database === null ? {} : await databaseSide(parts, plan, spec.database, from?.database ?? null, signal);
  const beside = await startDependencies(parts.dependencies, request, ofDatabase, newId, signal, {
    ...{ from: from?.dependencies ?? new Map(), keepers: parts.keepers, network },
  });
  const planned = servicePlan(service, spec.endpoints, await serviceWish(request, { ...ofDatabase, ...beside }));
  const seat = { ...(await seatPorts(service, planned.title, { network })), network };
  const startedAt = performance.now();
  parts.service = await startProcess(planned, { id: newId(), ...seat }, signal);
  parts.kept = keptService(parts.service, planned, plan, parts.pooler);
  const { server } = parts;
  const printed = server === null ? null : () => server.group.lastLines(ERROR_LOG_LINES);
  await withRefusals(parts.service.ready(signal), printed);
  parts.startUpNs = 1e6 * (performance.now() - startedAt);
  await parts.data?.remember();
  if (spec.gateway === null) return;
  const gateway = gatewayPlan({
    image: null,
    cpus: placement.service,
    workers: parseCpuList(placement.service)?.length ?? 1,
    openFiles: service.openFiles,
    upstream: `${parts.service.host}:${seat.port}`,
    asked: readyRequestOf(service, spec.endpoints),
    configuration: await gatewayConfiguration(request),
  });
  parts.gateway = await startProcess(gateway, { id: newId(), port: await freePort(), network }, signal);
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
  await parts.network?.stop();
}

async function databaseSide(
  parts: Parts,
  { request, newId }: ProcessTestbedPlan,
  database: Database,
  from: PreparedData['database'],
  signal: AbortSignal,
): Promise<PlaceholderValues> {
  const cpus = request.placement.database;
  const role = from?.role ?? newRole(database);
  const isBrief = request.isBrief ?? false;
  const begun = from === null ? {} : { from: from.folder };
  const plan = { database, cpus, id: newId(), isBrief, ...begun, ...enterOf(parts.network) };
  const server = await startLocalServer(plan, signal);
  parts.server = server;
  const init = { files: database.init, directory: request.specDirectory, psql: server.psql };
  const connected = { address: server.owner, role, moreDatabases: database.moreNames ?? [] };
  const { session, data } = await whileItLives('database', server.group, signal, async (linked) => {
    const first = await connectDatabase({ ...connected, init: from === null ? init : null, settleMs: 0 }, linked);
    if (!changesData(request.spec, request.service)) return { session: first, data: null };
    return from === null ? await sessionWithSnapshot(first, connected, linked) : keptSession(first, connected);
  });
  parts.session = session;
  parts.data = data;
  const { pooler } = database;
  let at: { host: string; port: number } = server;
  if (pooler !== null) {
    const planned = poolerPlan({ image: null, cpus, pooler, database, role, server });
    const port = await freePort();
    parts.pooler = await startProcess(planned, { id: newId(), port, network: parts.network }, signal);
    await parts.pooler.ready(signal);
    at = { host: parts.pooler.host, port };
  }
  const failure = failureOf('database', server.group);
  if (failure !== null) throw failure;
  return databasePlaceholders(database, { host: at.host, port: at.port, ...role });
}
