import type { PassRequests } from '../unloaded-passes.ts';

/** Both sides are asked as often, or a count of one in a pass would differ between them: as often as fits the baseline. */
export interface SharedPassRequests {
  baseline: PassRequests;
  /** Waits for the baseline's number. Its own counts where the baseline has none, since its endpoint or all of it is lost. */
  candidate: PassRequests;
  /** There will be no further number of the baseline. */
  baselineEnded(): void;
}

export function sharedPassRequests(): SharedPassRequests {
  const decided = new Map<string, number>();
  let ended = false;
  let waiting: (() => void)[] = [];
  const wake = () => {
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    async baseline(key, fitting) {
      decided.set(key, fitting);
      wake();
      return fitting;
    },
    async candidate(key, fitting) {
      while (!ended && !decided.has(key)) await new Promise<void>((resolve) => waiting.push(resolve));
      return decided.get(key) ?? fitting;
    },
    baselineEnded() {
      ended = true;
      wake();
    },
  };
}
