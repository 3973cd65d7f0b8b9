import { randomBytes } from 'node:crypto';
import { TestbedError, type TestbedRequest } from '../../app/ports/testbed.ts';
import type { Database } from '../../core/config/resolved.ts';
import { PUBLISHING_ROUND } from '../../core/measurement/names.ts';
import type { RequestValues } from '../../core/requests/request-values.ts';
import { type Connected, takeSnapshot } from '../postgres/data-snapshot.ts';
import type { InitSql } from '../postgres/init-sql.ts';
import { settleData } from '../postgres/prepared-data.ts';
import { type SharedMaking, sharedMaking } from '../prepare/shared-making.ts';
import {
  connectedAs,
  type DatabasePlan,
  type DatabaseTemplate,
  psqlOf,
  setUpDatabase,
  startDatabase,
} from './database.ts';
import { type DependencyData, dependencyVolumes } from './dependency-data.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { imageEntrypoint } from './images.ts';
import { type Part, type PartFrame, whileItLives } from './part.ts';
import { removeContainers, removeVolumes, stopContainer } from './removal.ts';
import { createVolume } from './volumes.ts';

/** A database, whatever it is copied from. */
export type WantedDatabase = Omit<DatabasePlan, 'container' | 'ownerPassword' | 'servicePassword' | 'template'>;

/** What a template is made of, and where. */
interface TemplateRequest {
  runId: string;
  /** Of the start that asks for it. */
  round: number;
  /** Null where the spec has none, and something else keeps what is prepared. */
  plan: WantedDatabase | null;
  specDirectory: string;
  frame: PartFrame;
  /** What makes its data after the init SQL; null where nothing does. */
  preparation: Preparation | null;
}

export interface Preparation {
  /** All that its outcome depends on, besides the init SQL and the folder of the spec. */
  key: readonly unknown[];
  /** As of the testbed that it is made for. */
  onActivity: TestbedRequest['onActivity'];
  /**
   * Runs beside the database while that is up, and resolves to what it has taken, and left in dependencies, at rest in volumes whose names begin
   * with `volume`. Rejects with `TestbedError`, with none of them left.
   */
  run(database: PreparedDatabase | null, volume: string, signal: AbortSignal): Promise<PreparedBeside>;
}

interface PreparedBeside {
  dependencies: DependencyData;
  /** What requests have taken from their answers. */
  values: RequestValues;
}

/** What all starts begin with. */
export interface Template extends PreparedBeside {
  database: DatabaseTemplate | null;
}

const NOTHING_BESIDE: PreparedBeside = { dependencies: {}, values: {} };

/** A database that is set up, and will be a template. */
export interface PreparedDatabase extends Connected {
  /** Its container. */
  part: Part;
  psql: InitSql['psql'];
}

/** Of one runtime, for all of its runs. */
export interface DatabaseTemplates {
  /**
   * What a database is copied from; null for a start that sets it up itself, since hardly any others will follow or its image does
   * not end cleanly. What is prepared always has one. Rejects as `setUpDatabase` and the preparation do, and then the next who asks
   * tries again.
   */
  of(request: TemplateRequest, signal: AbortSignal): Promise<Template | null>;
  /** Removes those of a run; never rejects. */
  release(runId: string): Promise<void>;
}

/** A template takes as long as setting up and stopping. A run without a comparison often starts its database once or twice. */
const STARTS_BEFORE = 2;

interface Known {
  starts: number;
  /** Null where its image gives none. */
  template: SharedMaking<Template | null>;
}

/**
 * Every round of a comparison starts a database on each side. Setting it up takes 1.5 s, and as long as its init SQL takes; copying
 * what was set up takes a tenth of a second, and all rounds start from the same bytes.
 */
export function databaseTemplates(engine: Engine): DatabaseTemplates {
  const known = new Map<string, Known>();
  let made = 0;
  return {
    async of(request, signal) {
      if (request.plan === null && request.preparation === null) return null;
      const key = keyOf(request);
      const own = known.get(key) ?? { starts: 0, template: sharedMaking<Template | null>() };
      known.set(key, own);
      own.starts += 1;
      const isKept = request.round === PUBLISHING_ROUND || own.starts > STARTS_BEFORE;
      if (request.preparation === null && !isKept) return null;
      const make = () => {
        made += 1;
        return madeTemplate(engine, request, `${TEMPLATE_PREFIX}${request.runId.toLowerCase()}-${made}`, signal);
      };
      return await own.template.of(make, signal);
    },
    async release(runId) {
      const own = [...known].filter(([key]) => key.startsWith(beginning(runId)));
      for (const [key] of own) known.delete(key);
      const templates = await Promise.all(own.map(([, { template }]) => template.made()));
      await removeVolumes(
        engine,
        templates.flatMap((template) => (template === null ? [] : volumesOf(template))),
      );
    },
  };
}

const TEMPLATE_PREFIX = 'wrkbench-database-';

const beginning = (runId: string) => `${runId}\n`;

/** SQL lies where the spec does: a baseline has its own. */
function keyOf({ runId, plan, specDirectory, preparation }: TemplateRequest): string {
  return beginning(runId) + JSON.stringify([databaseKey(plan), specDirectory, preparation?.key ?? null]);
}

function databaseKey(plan: TemplateRequest['plan']): readonly unknown[] {
  if (plan === null) return [];
  const { name, moreNames = [], user, password = null, init, settings } = plan.database;
  return [plan.image, name, moreNames, user, password, init, settings, plan.hasSnapshot ?? false];
}

function volumesOf({ database, dependencies }: Template): string[] {
  return [...(database === null ? [] : [database.volume]), ...dependencyVolumes(dependencies)];
}

/** Of the owner, and of the service's role where the spec names none. */
export function newPasswords({
  password,
}: Pick<Database, 'password'>): Pick<DatabaseTemplate, 'ownerPassword' | 'servicePassword'> {
  const secret = () => randomBytes(16).toString('hex');
  return { ownerPassword: secret(), servicePassword: password ?? secret() };
}

async function madeTemplate(
  engine: Engine,
  request: TemplateRequest,
  volume: string,
  signal: AbortSignal,
): Promise<Template | null> {
  try {
    if (request.plan !== null) return await madeDatabase(engine, request, request.plan, volume, signal);
    return { database: null, ...((await request.preparation?.run(null, volume, signal)) ?? NOTHING_BESIDE) };
  } catch (error) {
    signal.throwIfAborted();
    throw error instanceof EngineFailure ? new TestbedError('start-failed', error.message) : error;
  } finally {
    request.preparation?.onActivity?.(null);
  }
}

/**
 * Sets a database up on a volume, and stops it cleanly; null where that cannot be told: what was killed would recover in every start.
 * That is still less than to prepare it in every start.
 */
async function madeDatabase(
  engine: Engine,
  { specDirectory, frame, preparation }: TemplateRequest,
  plan: WantedDatabase,
  volume: string,
  signal: AbortSignal,
): Promise<Template | null> {
  const passwords = newPasswords(plan.database);
  const container = `${volume}-set-up`;
  // Whichever start asks for it: an autovacuum worker that came by would leave its statistics in every copy of one side.
  const ofContainer = { ...plan, ...passwords, container, template: null, isBrief: true, hasSnapshot: false };
  let beside = NOTHING_BESIDE;
  let part: Part | null = null;
  let isKept = false;
  try {
    const entrypoint = await imageEntrypoint(engine, plan.image);
    await createVolume(engine, volume, frame);
    part = await startDatabase(engine, ofContainer, frame, { volume });
    const { session } = await setUpDatabase(engine, part, ofContainer, specDirectory, signal);
    await session.close();
    const database = { part, ...connectedAs(part, ofContainer), psql: psqlOf(engine, ofContainer) };
    beside = (await preparation?.run(database, volume, signal)) ?? NOTHING_BESIDE;
    await whileItLives(part, engine, signal, async (linked) => {
      if (preparation !== null) await settleData(database, linked);
      if (plan.hasSnapshot === true) await takeSnapshot(database, linked);
    });
    await stopContainer(engine, container, STOP_SECONDS);
    signal.throwIfAborted();
    isKept = preparation !== null || (await hasEndedCleanly(engine, container));
    return isKept ? { database: { volume, entrypoint, ...passwords }, ...beside } : null;
  } finally {
    part?.meter.close();
    await removeContainers(engine, [container]);
    if (!isKept) await removeVolumes(engine, [volume, ...dependencyVolumes(beside.dependencies)]);
  }
}

/** A clean end writes all pages of a database, which may be large. */
const STOP_SECONDS = 120;

async function hasEndedCleanly(engine: Engine, container: string): Promise<boolean> {
  const { stdout } = await engine.call(['container', 'inspect', '--format', '{{.State.ExitCode}}', container]);
  return stdout.trim() === '0';
}
