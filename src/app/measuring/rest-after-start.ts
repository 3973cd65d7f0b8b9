import type { Variant } from '../../core/measurement/names.ts';
import type { Clock } from '../ports/machine.ts';
import { type Testbed, UncountedStatements } from '../ports/testbed.ts';

/** Of one testbed, in all: what goes on for longer is no part of its start. */
const MOST_SECONDS = 20;
const WINDOW_SECONDS = 0.5;
/** Of the statements of a pass: a timer sends fewer, and is told from requests by a window without any. */
const BUSY_SHARE = 0.05;

/**
 * Waits until a service has done what it began at its start: an index is filled, a cache is warmed, and what is counted meanwhile is no
 * request's. Resolves to whether it was at that and has ended, by the statements of its database, of which `perSecond` were sent while it
 * was asked.
 */
export type RestAfterStart = (perSecond: number, signal: AbortSignal) => Promise<boolean>;

/** `neverAtRest`: sides that are not waited for; one that does not end in time is added. */
export function restAfterStart(
  { database, variant }: Testbed,
  clock: Pick<Clock, 'sleep'>,
  neverAtRest: Set<Variant>,
): RestAfterStart {
  let secondsLeft = MOST_SECONDS;
  /** Null where they cannot be counted. */
  const statementsInWindow = async (signal: AbortSignal) => {
    await database!.resetStatements();
    await clock.sleep(WINDOW_SECONDS, signal);
    secondsLeft -= WINDOW_SECONDS;
    const statements = await database!.statements().catch(uncounted);
    return statements?.reduce((sum, { calls }) => sum + calls, 0) ?? null;
  };
  return async (perSecond, signal) => {
    if (database === null || neverAtRest.has(variant)) return false;
    for (let isFirst = true; secondsLeft > 0; isFirst = false) {
      const sent = await statementsInWindow(signal);
      if (sent === null) return false;
      if (sent <= BUSY_SHARE * perSecond * WINDOW_SECONDS) return !isFirst;
    }
    neverAtRest.add(variant);
    return false;
  };
}

function uncounted(error: unknown): null {
  if (error instanceof UncountedStatements) return null;
  throw error;
}
