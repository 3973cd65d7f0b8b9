import { TestbedError } from '../../app/ports/testbed.ts';
import { moreMemory } from '../../core/topology/memory-limit.ts';
import { endCode, type TestbedPart } from '../../core/topology/parts.ts';
import type { ProcessGroup } from './process-group.ts';

/** Lines of the log that an error carries. */
export const ERROR_LOG_LINES = 20;

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
  const said = logLines.length > 0 ? 'Its last log lines say why.' : 'It printed nothing.';
  return new TestbedError(endCode(part), `${group.title} ${ending.words}${when}${ending.doubt}. ${said}`, logLines);
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
    throw new TestbedError(error.code, error.message, group.lastLines(ERROR_LOG_LINES));
  } finally {
    clearInterval(timer);
  }
}
