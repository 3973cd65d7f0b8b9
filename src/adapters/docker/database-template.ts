import { randomBytes } from 'node:crypto';
import { TestbedError } from '../../app/ports/testbed.ts';
import type { Database } from '../../core/config/resolved.ts';
import { PUBLISHING_ROUND } from '../../core/measurement/names.ts';
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
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { imageEntrypoint } from './images.ts';
import { type Part, type PartFrame, whileItLives } from './part.ts';
import { removeContainers, removeVolumes } from './removal.ts';

/** What a template is made of, and where. */
interface TemplateRequest {
  runId: string;
  /** Of the start that asks for it. */
  round: number;
  plan: Omit<DatabasePlan, 'container' | 'ownerPassword' | 'servicePassword' | 'template'>;
  specDirectory: string;
  frame: PartFrame;
  /** What makes its data after the init SQL; null where nothing does. */
  preparation: Preparation | null;
}

export interface Preparation {
  /** All that its outcome depends on, besides the init SQL and the folder of the spec. */
  key: readonly unknown[];
  /** Runs beside the database while that is up. Rejects with `TestbedError`. */
  run(database: PreparedDatabase, signal: AbortSignal): Promise<void>;
}

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
  of(request: TemplateRequest, signal: AbortSignal): Promise<DatabaseTemplate | null>;
  /** Removes those of a run; never rejects. */
  release(runId: string): Promise<void>;
}

/** A template takes as long as setting up and stopping. A run without a comparison often starts its database once or twice. */
const STARTS_BEFORE = 2;

interface Known {
  starts: number;
  /** Null where its image gives none. */
  template: SharedMaking<DatabaseTemplate | null>;
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
      const key = keyOf(request);
      const own = known.get(key) ?? { starts: 0, template: sharedMaking<DatabaseTemplate | null>() };
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
        templates.flatMap((template) => (template === null ? [] : [template.volume])),
      );
    },
  };
}

const TEMPLATE_PREFIX = 'wrkbench-database-';

const beginning = (runId: string) => `${runId}\n`;

/** SQL lies where the spec does: a baseline has its own. */
function keyOf({ runId, plan, specDirectory, preparation }: TemplateRequest): string {
  const { name, moreNames = [], user, password = null, init, settings } = plan.database;
  const made = [plan.image, name, moreNames, user, password, init, settings, specDirectory];
  return beginning(runId) + JSON.stringify([...made, plan.hasSnapshot ?? false, preparation?.key ?? null]);
}

/** Of the owner, and of the service's role where the spec names none. */
export function newPasswords({
  password,
}: Pick<Database, 'password'>): Pick<DatabaseTemplate, 'ownerPassword' | 'servicePassword'> {
  const secret = () => randomBytes(16).toString('hex');
  return { ownerPassword: secret(), servicePassword: password ?? secret() };
}

/**
 * Sets a database up on a volume, and stops it cleanly; null where that cannot be told: what was killed would recover in every start.
 * That is still less than to prepare it in every start.
 */
async function madeTemplate(
  engine: Engine,
  { plan, specDirectory, frame, preparation }: TemplateRequest,
  volume: string,
  signal: AbortSignal,
): Promise<DatabaseTemplate | null> {
  const passwords = newPasswords(plan.database);
  const container = `${volume}-set-up`;
  // Whichever start asks for it: an autovacuum worker that came by would leave its statistics in every copy of one side.
  const ofContainer = { ...plan, ...passwords, container, template: null, isBrief: true, hasSnapshot: false };
  try {
    const entrypoint = await imageEntrypoint(engine, plan.image);
    const labels = Object.entries(frame.labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
    await engine.call(['volume', 'create', ...labels, volume]);
    const part = await startDatabase(engine, ofContainer, frame, { volume });
    const { session } = await setUpDatabase(engine, part, ofContainer, specDirectory, signal);
    await session.close();
    const database = { part, ...connectedAs(part, ofContainer), psql: psqlOf(engine, ofContainer) };
    await preparation?.run(database, signal);
    await whileItLives(part, engine, signal, async (linked) => {
      if (preparation !== null) await settleData(database, linked);
      if (plan.hasSnapshot === true) await takeSnapshot(database, linked);
    });
    part.meter.close();
    await engine.call(['container', 'stop', '--time', String(STOP_SECONDS), container], {
      timeoutSeconds: STOP_SECONDS + 30,
      signal,
    });
    if (preparation !== null || (await hasEndedCleanly(engine, container))) return { volume, entrypoint, ...passwords };
    await removeContainers(engine, [container]);
    await removeVolumes(engine, [volume]);
    return null;
  } catch (error) {
    await removeContainers(engine, [container]);
    await removeVolumes(engine, [volume]);
    signal.throwIfAborted();
    throw error instanceof EngineFailure ? new TestbedError('start-failed', error.message) : error;
  } finally {
    await removeContainers(engine, [container]);
  }
}

/** A clean end writes all pages of a database, which may be large. */
const STOP_SECONDS = 120;

async function hasEndedCleanly(engine: Engine, container: string): Promise<boolean> {
  const { stdout } = await engine.call(['container', 'inspect', '--format', '{{.State.ExitCode}}', container]);
  return stdout.trim() === '0';
}
