import type { Database } from '../../core/config/resolved.ts';
import { changesData } from '../../core/config/writes.ts';
import { databasePlaceholders } from '../../core/topology/database-placeholders.ts';
import { POOLER_PORT } from '../../core/topology/pgbouncer.ts';
import { poolerPlan } from '../../core/topology/pooler-plan.ts';
import { DATABASE_PORT, type DatabasePlan, type DatabaseTemplate, setUpDatabase, startDatabase } from './database.ts';
import type { DatabaseAccess } from './database-access.ts';
import { newPasswords, type Template, type WantedDatabase } from './database-template.ts';
import type { Engine } from './engine.ts';
import type { PartFrame } from './part.ts';
import { startPlanned, waitForPart } from './planned-part.ts';
import { preparationOf } from './prepared-database.ts';
import { buildFolderOf, databaseImageKey } from './support-images.ts';
import type { Parts, TestbedPlan } from './testbed-parts.ts';

/** A database but for what it is copied from, and for its passwords. */
function wantedDatabase({ request, names, imageOf }: TestbedPlan, database: Database): WantedDatabase {
  const { placement, spec, service, isBrief = false } = request;
  return {
    ...{ database, network: names.databaseNetwork, cpus: placement.database, isBrief },
    image: imageOf(databaseImageKey(database, buildFolderOf(request))),
    ...(changesData(spec, service) ? { hasSnapshot: true } : {}),
  };
}

/** What the parts of a testbed begin with; null where they begin with nothing, or set themselves up. */
export async function startingData(
  engine: Engine,
  plan: TestbedPlan,
  frame: PartFrame,
  signal: AbortSignal,
): Promise<Template | null> {
  const { runId, round, specDirectory, spec } = plan.request;
  const wanted = spec.database === null ? null : wantedDatabase(plan, spec.database);
  const preparation = preparationOf(engine, plan, frame);
  return await plan.templates.of({ runId, round, plan: wanted, specDirectory, frame, preparation }, signal);
}

/** Database and pooler, started; neither answers yet. */
export async function startDatabaseSide(
  engine: Engine,
  plan: TestbedPlan,
  database: Database,
  template: DatabaseTemplate | null,
  frame: PartFrame,
  parts: Parts,
  signal: AbortSignal,
): Promise<DatabaseAccess> {
  const { names } = plan;
  const { specDirectory } = plan.request;
  signal.throwIfAborted();
  const wanted = wantedDatabase(plan, database);
  const { cpus } = wanted;
  const { ownerPassword, servicePassword } = template ?? newPasswords(database);
  const databasePlan: DatabasePlan = {
    ...{ ...wanted, container: names.database, template },
    ...{ ownerPassword, servicePassword },
  };
  const part = await startDatabase(engine, databasePlan, frame);
  parts.database = part;
  const server = { host: part.state.addresses[names.databaseNetwork] ?? '', port: DATABASE_PORT };
  const role = { user: database.user, password: servicePassword };
  const setUp = async (linked: AbortSignal): Promise<void> => {
    const { session, data } = await setUpDatabase(engine, part, databasePlan, specDirectory, linked);
    parts.session = session;
    parts.data = data;
  };
  const { pooler } = database;
  const accessAt = (
    { host, port }: typeof server,
    ready: DatabaseAccess['ready'],
    passes: DatabaseAccess['passes'],
  ): DatabaseAccess => ({
    host,
    placeholders: databasePlaceholders(database, { host, port, ...role }),
    ready: once(ready),
    passes,
  });
  if (pooler === null) return accessAt(server, setUp, async () => undefined);

  signal.throwIfAborted();
  const planned = poolerPlan({ image: plan.imageOf(pooler.image), cpus, pooler, database, role, server });
  const seat = { container: names.pooler, network: names.databaseNetwork };
  const poolerPart = await startPlanned(engine, planned, seat, frame);
  parts.pooler = poolerPart;
  const host = poolerPart.state.addresses[names.databaseNetwork] ?? '';
  const passes = (linked: AbortSignal) => waitForPart(engine, poolerPart, planned, names.databaseNetwork, linked);
  const ready = async (linked: AbortSignal) => {
    await setUp(linked);
    await passes(linked);
  };
  return accessAt({ host, port: POOLER_PORT }, ready, passes);
}

function once(ready: DatabaseAccess['ready']): DatabaseAccess['ready'] {
  let asked: Promise<void> | null = null;
  return (signal) => {
    asked ??= ready(signal);
    return asked;
  };
}
