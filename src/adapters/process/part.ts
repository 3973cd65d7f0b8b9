import { TestbedError } from '../../app/ports/testbed.ts';
import { endedPart, unreadySentence } from '../../core/topology/ended-part.ts';
import { moreMemory } from '../../core/topology/memory-limit.ts';
import { endCode, type TestbedPart } from '../../core/topology/parts.ts';
import type { PortPlace } from '../../core/topology/port-conflict.ts';
import type { ProcessGroup } from './process-group.ts';
import { portHolder } from './tcp-ports.ts';

/** Lines of the log that an error carries. */
export const ERROR_LOG_LINES = 60;

/** What became of a part that no longer runs as it was started, and `when`; null while it does. */
export function failureOf(part: TestbedPart, group: ProcessGroup, when = ''): TestbedError | null {
  const ending = group.ending();
  if (ending === null) return null;
  const logLines = group.lastLines(ERROR_LOG_LINES);
  if (ending.outOfMemory) {
    return new TestbedError(
      'out-of-memory',
      `${group.title} ${ending.words}: the kernel ended a process of it. ${moreMemory(part)}`,
      logLines,
    );
  }
  const ended = `${group.title} ${ending.words}${when}${ending.doubt}`;
  const { code, message } = endedPart(endCode(part), ended, { logLines, place: portPlaceOf(group) });
  return new TestbedError(code, message, logLines);
}

function portPlaceOf({ hasOwnNetwork }: ProcessGroup): PortPlace {
  return hasOwnNetwork ? { kind: 'own' } : { kind: 'machine', holderOf: portHolder };
}

/** Runs a wait for a part to answer; ends it as soon as the part has ended, and gives a failure the part's log lines. */
export async function whileItLives<T>(
  part: TestbedPart,
  group: ProcessGroup,
  signal: AbortSignal,
  wait: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const ended = new AbortController();
  const timer = setInterval(() => {
    if (group.ending() !== null) ended.abort();
  }, 25);
  try {
    return await wait(AbortSignal.any([signal, ended.signal]));
  } catch (error) {
    signal.throwIfAborted();
    const failure = failureOf(part, group, ' before it was ready');
    if (failure !== null) throw failure;
    if (!(error instanceof TestbedError) || error.logLines.length > 0) throw error;
    const logLines = group.lastLines(ERROR_LOG_LINES);
    throw new TestbedError(error.code, unreadySentence(error.message, logLines, portPlaceOf(group)), logLines);
  } finally {
    clearInterval(timer);
  }
}
