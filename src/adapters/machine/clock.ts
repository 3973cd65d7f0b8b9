import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../app/ports/machine.ts';

export function createClock(): Clock {
  return {
    // A number holds whole nanoseconds up to 104 days since boot, then steps of 2 ns.
    monotonicNs: () => Number(process.hrtime.bigint()),
    now: () => new Date(),
    async sleep(seconds, signal) {
      signal.throwIfAborted();
      try {
        await setTimeout(seconds * 1000, undefined, { signal });
      } catch (error) {
        // The timer rejects with an error of its own; callers want to know why they were stopped.
        signal.throwIfAborted();
        throw error;
      }
    },
  };
}
