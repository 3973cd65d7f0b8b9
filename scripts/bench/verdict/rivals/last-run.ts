import { mean } from '../../../../src/core/statistics/moderated-variance.ts';
import { block, changed, type Rival, worseBy } from './rival.ts';

/**
 * One figure a run, held against that of the run before: `findAlerts` of github-action-benchmark (src/write.ts), with its
 * `alert-threshold`. Both runs are from neighbouring minutes of one recording, which is kinder than yesterday's machine.
 */
export function lastRun(percent: number): Rival {
  return {
    name: `ratio to the last run, ${percent} %`,
    source: 'github-action-benchmark, alert-threshold',
    thresholds: false,
    isRed(observed, instances, random) {
      const blocks = block(observed, 2 * instances, random);
      const stored = mean(blocks.slice(0, instances).map(({ baseline }) => baseline));
      const today = changed(mean(blocks.slice(instances).map(({ candidate }) => candidate)), observed);
      return worseBy(stored, today, observed.metric) > percent / 100;
    },
  };
}
