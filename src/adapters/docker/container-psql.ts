import { PSQL_TIMEOUT_SECONDS, type Psql, type PsqlTarget, psqlArguments } from '../postgres/psql.ts';
import type { Engine } from './engine.ts';
import { EngineFailure } from './engine-failure.ts';

/** psql of the database's image, in its container; null where the image has none. */
export async function containerPsql(
  engine: Engine,
  container: string,
  target: PsqlTarget & { password: string },
): Promise<Psql | null> {
  const fixed = ['--env', 'LC_ALL=C', '--env', 'PGCLIENTENCODING=UTF8', '--env', 'PGPASSWORD'];
  const execute = ['container', 'exec', '--interactive', ...fixed, container];
  try {
    await engine.call([...execute, 'psql', '--version']);
  } catch (error) {
    if (error instanceof EngineFailure) return null;
    throw error;
  }
  return async (script, signal) => {
    try {
      await engine.call([...execute, 'psql', ...psqlArguments(target)], {
        input: script,
        // By its name alone above: what a command is given, others on this machine can read.
        env: { PGPASSWORD: target.password },
        signal,
        timeoutSeconds: PSQL_TIMEOUT_SECONDS,
      });
      return null;
    } catch (error) {
      if (error instanceof EngineFailure) return error.output || error.message;
      throw error;
    }
  };
}
