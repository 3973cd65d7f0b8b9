import { randomBytes } from 'node:crypto';
import { TestbedError } from '../../app/ports/testbed.ts';
import type { Database } from '../../core/config/resolved.ts';
import { PUBLISHING_ROUND } from '../../core/measurement/names.ts';
import { type DatabasePlan, type DatabaseTemplate, setUpDatabase, startDatabase } from './database.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';
import { imageEntrypoint } from './images.ts';
import type { PartFrame } from './part.ts';
import { removeContainers, removeVolumes } from './removal.ts';

/** What a template is made of, and where. */
interface TemplateRequest {
  runId: string;
  /** Of the start that asks for it. */
  round: number;
  plan: Omit<DatabasePlan, 'container' | 'ownerPassword' | 'servicePassword' | 'template'>;
  specDirectory: string;
  frame: PartFrame;
}

/** Of one runtime, for all of its runs. */
export interface DatabaseTemplates {
  /**
   * What a database is copied from; null for a start that sets it up itself, since hardly any others will follow or its image does
   * not end cleanly. Rejects as `setUpDatabase` does, and then the next who asks tries again.
   */
  of(request: TemplateRequest, signal: AbortSignal): Promise<DatabaseTemplate | null>;
  /** Removes those of a run; never rejects. */
  release(runId: string): Promise<void>;
}

/** A template takes as long as setting up and stopping. A run without a comparison often starts its database once or twice. */
const STARTS_BEFORE = 2;

interface Known {
  starts: number;
  /** Resolves to null where its image gives none. */
  made: Promise<DatabaseTemplate | null> | null;
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
      const own = known.get(key) ?? { starts: 0, made: null };
      known.set(key, own);
      own.starts += 1;
      if (request.round !== PUBLISHING_ROUND && own.starts <= STARTS_BEFORE) return null;
      while (own.made !== null) {
        // Another side makes it. That it was given up there says nothing of this one.
        const template = await own.made.catch(() => undefined);
        signal.throwIfAborted();
        if (template !== undefined) return template;
      }
      made += 1;
      const making = madeTemplate(engine, request, `${TEMPLATE_PREFIX}${request.runId.toLowerCase()}-${made}`, signal);
      own.made = making;
      try {
        return await making;
      } catch (error) {
        own.made = null;
        throw error;
      }
    },
    async release(runId) {
      const own = [...known].filter(([key]) => key.startsWith(beginning(runId)));
      for (const [key] of own) known.delete(key);
      const templates = await Promise.all(own.map(([, each]) => each.made?.catch(() => null) ?? null));
      await removeVolumes(
        engine,
        templates.flatMap((template) => (template === null ? [] : [template.volume])),
      );
    },
  };
}

const TEMPLATE_PREFIX = 'wrkbench-database-';

const beginning = (runId: string) => `${runId}\n`;

/** Init SQL lies where the spec does: a baseline has its own. */
function keyOf({ runId, plan, specDirectory }: TemplateRequest): string {
  const { name, moreNames = [], user, password = null, init, settings } = plan.database;
  return (
    beginning(runId) + JSON.stringify([plan.image, name, moreNames, user, password, init, settings, specDirectory])
  );
}

/** Of the owner, and of the service's role where the spec names none. */
export function newPasswords({
  password,
}: Pick<Database, 'password'>): Pick<DatabaseTemplate, 'ownerPassword' | 'servicePassword'> {
  const secret = () => randomBytes(16).toString('hex');
  return { ownerPassword: secret(), servicePassword: password ?? secret() };
}

/** Sets a database up on a volume, and stops it cleanly; null where that cannot be told: what was killed would recover in every start. */
async function madeTemplate(
  engine: Engine,
  { plan, specDirectory, frame }: TemplateRequest,
  volume: string,
  signal: AbortSignal,
): Promise<DatabaseTemplate | null> {
  const passwords = newPasswords(plan.database);
  const container = `${volume}-set-up`;
  // Whichever start asks for it: an autovacuum worker that came by would leave its statistics in every copy of one side.
  const ofContainer = { ...plan, ...passwords, container, template: null, isBrief: true };
  try {
    const entrypoint = await imageEntrypoint(engine, plan.image);
    const labels = Object.entries(frame.labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]);
    await engine.call(['volume', 'create', ...labels, volume]);
    const part = await startDatabase(engine, ofContainer, frame, { volume });
    const session = await setUpDatabase(engine, part, ofContainer, specDirectory, signal);
    await session.close();
    await engine.call(['container', 'stop', '--time', String(STOP_SECONDS), container], {
      timeoutSeconds: STOP_SECONDS + 30,
      signal,
    });
    if (await hasEndedCleanly(engine, container)) return { volume, entrypoint, ...passwords };
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
