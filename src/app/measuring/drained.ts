import type { Clock } from '../ports/machine.ts';
import type { Testbed } from '../ports/testbed.ts';
import { testbedCpuNs } from './readings.ts';

const WINDOW_SECONDS = 0.02;
/** In a row: a server that waits for its turn on a busy machine uses nothing for a moment, either. */
const QUIET_WINDOWS = 2;
/** Of one CPU. Collecting garbage and keeping time is less; answering is more, even beside what takes half of the CPU. */
const BUSY_SHARE = 0.2;
/** A server that works without being asked is never quiet. */
const MOST_SECONDS = 3;

/**
 * Resolves when none of the testbeds works any more, to whether that came to be in time. A generator ends with a request on every connection, and many servers
 * answer those although nobody listens: 100 that take 0.3 ms each are 30 ms of CPU time, 3 % of what one side of a duet of
 * 2 s uses. They would be counted to the requests of the next trial, and the dearer side has fewer of those.
 *
 *     load ────▶│ left over ▁▁ quiet ▁▁ │ meters │ load ────▶│
 */
export async function drained(testbeds: readonly Testbed[], clock: Clock, signal: AbortSignal): Promise<boolean> {
  const startedNs = clock.monotonicNs();
  let quiet = 0;
  let was = usedNs(testbeds);
  let atNs = startedNs;
  while (quiet < QUIET_WINDOWS && atNs - startedNs < MOST_SECONDS * 1e9) {
    await clock.sleep(WINDOW_SECONDS, signal);
    const [used, nowNs] = [usedNs(testbeds), clock.monotonicNs()];
    quiet = used - was < BUSY_SHARE * (nowNs - atNs) ? quiet + 1 : 0;
    [was, atNs] = [used, nowNs];
  }
  return quiet === QUIET_WINDOWS;
}

function usedNs(testbeds: readonly Testbed[]): number {
  return testbeds.reduce((sum, testbed) => sum + testbedCpuNs(testbed), 0);
}
