import { mean } from '../../../src/core/statistics/moderated-variance.ts';
import { changed, ofEach, type Rival, worseBy } from './rival.ts';

/**
 * One figure a run, held against that of the run before: `findAlerts` of github-action-benchmark (src/write.ts), with its
 * `alert-threshold`. Both runs are from neighbouring minutes of one recording, which is kinder than yesterday's machine.
 */
export function lastRun(percent: number): Rival {
  return {
    name: `ratio to the last run, ${percent} %`,
    source: 'github-action-benchmark, alert-threshold',
    thresholds: false,
    reds: ofEach((observed) => {
      const last = observed.past.at(-1) ?? [];
      if (last.length === 0) return false;
      const stored = mean(last.map(({ baseline }) => baseline));
      const today = changed(mean(observed.today.map(({ candidate }) => candidate)), observed);
      return worseBy(stored, today, observed.metric) > percent / 100;
    }),
  };
}
