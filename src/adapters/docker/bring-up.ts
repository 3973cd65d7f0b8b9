import { availableParallelism } from 'node:os';
import type { TestbedRequest } from '../../app/ports/testbed.ts';
import { parseCpuList } from '../../core/config/cpu-list.ts';
import { cpuQuotaOf } from '../../core/config/cpu-quota.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import type { Database } from '../../core/config/resolved.ts';
import { TESTBED_LABEL } from '../../core/topology/labels.ts';
import type { TestbedNames } from '../../core/topology/names.ts';
import { POOLER_PORT } from '../../core/topology/pgbouncer.ts';
import { readyRequestOf } from '../../core/verification/ready-request.ts';
import { gatewayConfiguration } from '../network/gateway-configuration.ts';
import type { OwnerSession } from '../postgres/session.ts';
import { DATABASE_PORT, type DatabasePlan, setUpDatabase, startDatabase } from './database.ts';
import { type DatabaseTemplates, newPasswords } from './database-template.ts';
import type { Engine } from './engine.ts';
import { gatewayOrigin, startGateway, waitForGateway } from './gateway.ts';
import { imageIdOf } from './images.ts';
import { createNetwork } from './networks.ts';
import { type EngineLimits, type Part, type PartFrame, startPart } from './part.ts';
import { type PoolerPlan, startPooler, waitForPooler } from './pooler.ts';
import { createService, requireQuota, type ServicePlan, waitForService } from './service.ts';

export interface TestbedPlan {
  request: TestbedRequest;
  names: TestbedNames;
  cgroupParent: string;
  limits: EngineLimits;
  /** Labels of run and owner. */
  labels: Record<string, string>;
  /** Id of the image that a reference meant when it was prepared. */
  imageOf(reference: string): string;
  templates: DatabaseTemplates;
  /** Told what the testbed lacks although it is up. */
  warn(text: string): void;
}

/** Everything of a testbed that is up. Filled as it comes up, so that what is there can be let go of at any moment. */
export interface Parts {
  service: Part | null;
  database: Part | null;
  pooler: Part | null;
  gateway: Part | null;
  session: OwnerSession | null;
  origins: { direct: string; gateway: string | null };
}

export function noParts(): Parts {
  return {
    service: null,
    database: null,
    pooler: null,
    gateway: null,
    session: null,
    origins: { direct: '', gateway: null },
  };
}

/** Where the service finds its database: the pooler where there is one. */
interface DatabaseAccess {
  host: string;
  port: number;
  /** Of the service's own role. */
  password: string;
  /** Resolves when queries are answered there. */
  ready(signal: AbortSignal): Promise<void>;
}

/**
 * Brings a testbed up: the networks; database and pooler; while the database sets itself up, the service's container is
 * made; then the service and the gateway. Nothing goes on any more once this has rejected; removing is the caller's.
 */
export async function bringUp(engine: Engine, plan: TestbedPlan, parts: Parts, signal: AbortSignal): Promise<void> {
  const { request, names } = plan;
  const { spec, service, placement } = request;
  const labels = { ...plan.labels, [TESTBED_LABEL]: names.base };
  const frame: PartFrame = { labels, cgroupParent: plan.cgroupParent, limits: plan.limits };
  const { database } = spec;

  await together(
    signal,
    async () => {
      const internal = service.network === 'internal';
      const lack = await createNetwork(engine, { name: names.applicationNetwork, internal, labels });
      if (lack !== null) plan.warn(lack);
    },
    async () => {
      if (database) await createNetwork(engine, { name: names.databaseNetwork, internal: true, labels });
    },
  );

  const access = database ? await startDatabaseSide(engine, plan, database, frame, parts, signal) : null;
  signal.throwIfAborted();
  const servicePlan: ServicePlan = {
    service,
    container: names.service,
    image: imageIdOf(request.artifact),
    cpus: placement.service,
    cpuQuota: cpuQuotaOf(service, placement),
    applicationNetwork: names.applicationNetwork,
    databaseNetwork: database ? names.databaseNetwork : null,
    placeholders: placeholderValues(request, access),
  };
  const create = () => createService(engine, servicePlan, frame);
  await together(signal, create, async (linked) => await access?.ready(linked));

  signal.throwIfAborted();
  const servicePart = await startPart(engine, 'service', names.service, frame, create);
  parts.service = servicePart;
  requireQuota(servicePart, servicePlan);
  const address = servicePart.state.addresses[names.applicationNetwork];
  parts.origins.direct = `http://${address}:${service.port}`;
  const gateway = spec.gateway;
  const configuration = await gatewayConfiguration(request);
  const asked = readyRequestOf(service, spec.endpoints);
  await together(
    signal,
    (linked) => waitForService(engine, servicePart, service, asked, parts.origins.direct, linked),
    async () => {
      if (!gateway) return;
      parts.gateway = await startGateway(
        engine,
        {
          container: names.gateway,
          image: plan.imageOf(gateway.image),
          network: names.applicationNetwork,
          cpus: placement.service,
          workers: parseCpuList(placement.service)?.length ?? 1,
          openFiles: service.openFiles,
          upstream: `${address}:${service.port}`,
          configuration,
        },
        frame,
      );
    },
  );
  if (parts.gateway) {
    parts.origins.gateway = gatewayOrigin(parts.gateway, names.applicationNetwork);
    await waitForGateway(engine, parts.gateway, parts.origins.gateway, asked, configuration, signal);
  }
}

async function startDatabaseSide(
  engine: Engine,
  plan: TestbedPlan,
  database: Database,
  frame: PartFrame,
  parts: Parts,
  signal: AbortSignal,
): Promise<DatabaseAccess> {
  const { request, names } = plan;
  signal.throwIfAborted();
  const wanted = {
    database,
    image: plan.imageOf(database.image),
    network: names.databaseNetwork,
    cpus: request.placement.database,
    isBrief: request.isBrief ?? false,
  };
  const { runId, round, specDirectory } = request;
  const template = await plan.templates.of({ runId, round, plan: wanted, specDirectory, frame }, signal);
  const { ownerPassword, servicePassword } = template ?? newPasswords(database);
  const databasePlan: DatabasePlan = {
    ...{ ...wanted, container: names.database, template },
    ...{ ownerPassword, servicePassword },
  };
  const part = await startDatabase(engine, databasePlan, frame);
  parts.database = part;
  const host = part.state.addresses[names.databaseNetwork] ?? '';
  const setUp = async (linked: AbortSignal): Promise<void> => {
    parts.session = await setUpDatabase(engine, part, databasePlan, request.specDirectory, linked);
  };
  const { pooler } = database;
  if (pooler === null) return { host, port: DATABASE_PORT, password: servicePassword, ready: setUp };

  signal.throwIfAborted();
  const poolerPlan: PoolerPlan = {
    pgbouncer: {
      ...{ host, port: DATABASE_PORT, user: database.user, password: servicePassword },
      ...{ mode: pooler.mode, defaultPoolSize: pooler.defaultPoolSize },
      maxClientConnections: pooler.maxClientConnections,
    },
    database: database.name,
    container: names.pooler,
    image: plan.imageOf(pooler.image),
    network: names.databaseNetwork,
    cpus: request.placement.database,
  };
  const poolerPart = await startPooler(engine, poolerPlan, frame);
  parts.pooler = poolerPart;
  return {
    host: poolerPart.state.addresses[names.databaseNetwork] ?? '',
    port: POOLER_PORT,
    password: servicePassword,
    async ready(linked) {
      await setUp(linked);
      await waitForPooler(engine, poolerPart, poolerPlan, linked);
    },
  };
}

function placeholderValues(request: TestbedRequest, access: DatabaseAccess | null): PlaceholderValues {
  const { service, spec, placement } = request;
  const own: PlaceholderValues = {
    port: String(service.port),
    service: service.name,
    cpus: String(parseCpuList(placement.service)?.length ?? availableParallelism()),
  };
  if (access === null || spec.database === null) return own;
  const { user, name } = spec.database;
  const { password } = access;
  const at = `${access.host}:${access.port}`;
  return {
    ...own,
    'database.url': `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${at}/${encodeURIComponent(name)}`,
    'database.host': access.host,
    'database.port': String(access.port),
    'database.name': name,
    'database.user': user,
    'database.password': password,
  };
}

/** One branch of what goes on at the same time; the signal is aborted as soon as another branch has failed. */
type Branch<T> = (signal: AbortSignal) => Promise<T>;

/**
 * Runs branches side by side and ends only when all of them have: whoever cleans up afterwards meets nobody who is still
 * creating things. Rejects with what the first failing branch rejected with.
 */
async function together<A, B>(signal: AbortSignal, first: Branch<A>, second: Branch<B>): Promise<[A, B]> {
  const failure = new AbortController();
  let reason: { error: unknown } | null = null;
  const linked = AbortSignal.any([signal, failure.signal]);
  const guarded = async <T>(branch: Branch<T>): Promise<T> => {
    try {
      linked.throwIfAborted();
      return await branch(linked);
    } catch (error) {
      reason ??= { error };
      failure.abort(error);
      throw error;
    }
  };
  const [one, two] = await Promise.allSettled([guarded(first), guarded(second)]);
  if (one.status === 'fulfilled' && two.status === 'fulfilled') return [one.value, two.value];
  throw (reason as { error: unknown } | null)?.error;
}
