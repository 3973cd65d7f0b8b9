/** wrk's threads look every 100 ms whether they are to stop. */
const TICKS_PER_SECOND = 10;

/** How wrk is held to a length that it cannot be told: `-d` takes whole seconds only. */
export interface LoadLength {
  /** For `-d`: more than the length, so that it only matters where the interrupt gets lost. */
  toldSeconds: number;
  /**
   * In the middle between two looks of the threads, so that all of them stop at the same tick, the one at the length's
   * end. By `-d` alone wrk wakes up at about a tick, and half of the trials are a tick longer. A thread's ticks fall behind
   * by some 3 ms a second, so that trials of more than 15 s may still end a tick early; nothing loads both sides so long.
   */
  interruptAfterSeconds: number;
}

/** Of a length in tenths of a second; a part of one is rounded up, so that nothing is cut short. */
export function loadLength(durationSeconds: number): LoadLength {
  // 0.7 * 10 is a little more than 7.
  const ticks = Math.max(1, Math.ceil(Number((durationSeconds * TICKS_PER_SECOND).toFixed(6))));
  return {
    toldSeconds: Math.floor(ticks / TICKS_PER_SECOND) + 1,
    interruptAfterSeconds: (ticks - 0.5) / TICKS_PER_SECOND,
  };
}
