import type { Case } from '../../core/config/case.ts';
import type { Clock } from '../ports/machine.ts';
import type { Testbed } from '../ports/testbed.ts';
import { testbedCpuNs } from './readings.ts';

const WINDOW_SECONDS = 0.02;
/** In a row: a server that waits for its turn on a busy machine uses nothing for a moment, either. */
const QUIET_WINDOWS = 2;
/** Of one CPU. Collecting garbage and keeping time is less; answering is more, even beside what takes half of the CPU. */
const BUSY_SHARE = 0.2;
/** A server that works without being asked is never quiet. */
export const USUAL_REST_SECONDS = 3;
/** Both sides have as many to answer, and some requests cost more than others. */
const TIMES_EXPECTED = 2 * 1.5;
const MOST_SECONDS = 30;

/**
 * Seconds at most until a service has answered what a load of the case left over: 1000 connections to one that answers 400 requests/s
 * in all take 2.5 s, and on both sides of a duet 5 s. `requestsPerSecond` is what a closed loop reaches; null where that is not known.
 */
export function mostRestSeconds({ connections }: Case, requestsPerSecond: number | null): number {
  if (requestsPerSecond === null) return USUAL_REST_SECONDS;
  const expected = (TIMES_EXPECTED * connections) / requestsPerSecond;
  return Math.min(MOST_SECONDS, Math.max(USUAL_REST_SECONDS, expected));
}

/** Of that while the generator keeps its connections open, which is stopped where it does not end ten seconds after its timeout. */
export function mostOpenSeconds({ load }: Case, mostSeconds: number): number {
  return Math.min(mostSeconds, (load.timeoutSeconds ?? 0) + USUAL_REST_SECONDS);
}

/**
 * Resolves when none of the testbeds works any more, to whether that came to be in time. A generator ends with a request on every connection, and many servers
 * answer those although nobody listens: 100 that take 0.3 ms each are 30 ms of CPU time, 3 % of what one side of a duet of
 * 2 s uses. They would be counted to the requests of the next trial, and the dearer side has fewer of those.
 *
 *     load ────▶│ left over ▁▁ quiet ▁▁ │ meters │ load ────▶│
 */
export async function drained(
  testbeds: readonly Testbed[],
  clock: Clock,
  signal: AbortSignal,
  mostSeconds = USUAL_REST_SECONDS,
): Promise<boolean> {
  const startedNs = clock.monotonicNs();
  let quiet = 0;
  let was = usedNs(testbeds);
  let atNs = startedNs;
  while (quiet < QUIET_WINDOWS && atNs - startedNs < mostSeconds * 1e9) {
    await clock.sleep(WINDOW_SECONDS, signal);
    const [used, nowNs] = [usedNs(testbeds), clock.monotonicNs()];
    quiet = used - was < BUSY_SHARE * (nowNs - atNs) ? quiet + 1 : 0;
    [was, atNs] = [used, nowNs];
  }
  return quiet === QUIET_WINDOWS;
}

/** The same, while no generator waits for its load: as long as a slow service may take for what many connections left to it. */
export async function drainedBetweenTrials(
  testbeds: readonly Testbed[],
  mostSeconds: number,
  clock: Clock,
  signal: AbortSignal,
): Promise<void> {
  // Others are waited for right before their load.
  if (mostSeconds > USUAL_REST_SECONDS) await drained(testbeds, clock, signal, mostSeconds);
}

function usedNs(testbeds: readonly Testbed[]): number {
  return testbeds.reduce((sum, testbed) => sum + testbedCpuNs(testbed), 0);
}

/** Of a load, which is followed by another one as long: less of it that goes into what was left over is no matter. */
const LEFT_OVER_SHARE = 0.5;
const MOST_LEFT_OVER_SECONDS = 5;

/**
 * Seconds that a service needs for what a load of so many connections has left over, where it has reached so many requests a second in that.
 * Not all see that nobody waits for their answers any more, and one that sleeps shows by no CPU time that it is at work.
 */
export function leftOverSeconds(connections: number, perSecond: number, loadSeconds: number): number {
  const left = perSecond === 0 ? loadSeconds : connections / perSecond;
  return left < LEFT_OVER_SHARE * loadSeconds ? 0 : Math.min(MOST_LEFT_OVER_SECONDS, left);
}
