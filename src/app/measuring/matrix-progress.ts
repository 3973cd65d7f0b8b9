import type { Clock } from '../ports/machine.ts';
import type { Progress } from '../ports/progress.ts';

/** Where a run is in its plan, and when it will be through. */
export interface MatrixProgress {
  /** `isForeseen`: false where something comes first that nobody knows the length of. */
  at(what: string, isForeseen?: boolean): void;
  /** One case is measured. */
  done(): void;
  /** That many cases will not be measured. */
  skip(cases: number): void;
}

/** `clock` stands still while nothing is done that the estimate knows of. */
export function matrixProgressOf(
  total: number,
  estimatedSeconds: number,
  clock: Pick<Clock, 'monotonicNs'>,
  progress: Pick<Progress, 'at'>,
): MatrixProgress {
  const startedNs = clock.monotonicNs();
  let done = 0;
  let left = total;
  return {
    at(what, isForeseen = true) {
      const elapsed = (clock.monotonicNs() - startedNs) / 1e9;
      // The estimate until there is something to go by: the first case bears the start of the testbed.
      const secondsEach = done >= 2 ? elapsed / done : estimatedSeconds / Math.max(1, total);
      progress.at({ done: total - left, total, what, remainingSeconds: isForeseen ? secondsEach * left : null });
    },
    done() {
      done += 1;
      left -= 1;
    },
    skip(cases) {
      left -= cases;
    },
  };
}
