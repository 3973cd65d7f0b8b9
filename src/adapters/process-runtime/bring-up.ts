import { randomBytes } from 'node:crypto';
import type { TestbedRequest } from '../../app/ports/testbed.ts';
import type { PlaceholderValues } from '../../core/config/placeholders.ts';
import type { Database } from '../../core/config/resolved.ts';
import { readyRequestOf } from '../../core/verification/ready-request.ts';
import { gatewayConfiguration } from '../network/gateway-configuration.ts';
import { type LocalServer, startLocalServer } from '../postgres/local-server.ts';
import { connectDatabase, type OwnerSession, type ServiceRole } from '../postgres/session.ts';
import { failureOf, whileItLives } from '../process/part.ts';
import type { TestbedFolder } from '../process/testbed-folder.ts';
import { type GatewayProcess, startGateway } from './gateway-process.ts';
import { type PoolerProcess, startPooler } from './pooler-process.ts';
import { type ServiceProcess, startService } from './service-process.ts';

/** What is up of a testbed. Filled as it comes up, so that what is there can be let go of at any moment. */
export interface Parts {
  folder: TestbedFolder;
  server: LocalServer | null;
  session: OwnerSession | null;
  pooler: PoolerProcess | null;
  service: ServiceProcess | null;
  gateway: GatewayProcess | null;
}

/** Brings up database, pooler, service and gateway, each when the one before answers; removing is the caller's. */
export async function bringUp(
  parts: Parts,
  request: TestbedRequest,
  newId: () => string,
  signal: AbortSignal,
): Promise<void> {
  const { spec, service, placement } = request;
  const placeholders = spec.database === null ? {} : await databaseSide(parts, request, spec.database, newId, signal);
  parts.service = await startService({ request, id: newId(), folder: parts.folder, placeholders }, signal);
  if (spec.gateway === null) return;
  parts.gateway = await startGateway(
    {
      id: newId(),
      cpus: placement.service,
      openFiles: service.openFiles,
      upstream: `127.0.0.1:${parts.service.port}`,
      asked: readyRequestOf(service, spec.endpoints),
      configuration: await gatewayConfiguration(request),
    },
    signal,
  );
}

/** Lets go of everything, up or half up, the last first; never rejects. */
export async function dismantle(parts: Parts): Promise<void> {
  await parts.gateway?.stop();
  await parts.service?.group.stop();
  await parts.pooler?.stop();
  await parts.session?.close();
  await parts.server?.stop();
  parts.folder.remove();
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
    connectDatabase({ address: server.owner, role, init, settleMs: 0 }, linked),
  );
  const { pooler } = database;
  if (pooler !== null) parts.pooler = await startPooler({ id: newId(), cpus, database, pooler, role, server }, signal);
  const { host, port } = parts.pooler ?? server;
  const failure = failureOf('database', server.group);
  if (failure !== null) throw failure;
  const { user, password } = role;
  return {
    'database.url': `postgres://${encodeURIComponent(user)}:${encodeURIComponent(password)}@${host}:${port}/${encodeURIComponent(database.name)}`,
    'database.host': host,
    'database.port': String(port),
    'database.name': database.name,
    'database.user': user,
    'database.password': password,
  };
}
