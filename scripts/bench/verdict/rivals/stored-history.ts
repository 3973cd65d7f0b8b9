import { mean, sampleVariance } from '../../../../src/core/statistics/moderated-variance.ts';
import { studentQuantile } from '../../../../src/core/statistics/student.ts';
import { METRICS } from '../source.ts';
import { block, changed, type Rival } from './rival.ts';

const BOUNDARY = 0.99;
const MOST_RUNS = 20;

/**
 * One figure a run, alerted where it lies beyond mean + t(0.99) x standard deviation of those of past runs: the `t_test`
 * threshold of Bencher (https://bencher.dev/docs/explanation/thresholds/). The history is as long as the recording.
 */
export const storedHistory: Rival = {
  name: 't-test on stored history',
  source: 'Bencher, t_test with a boundary of 0.99',
  thresholds: false,
  isRed(observed, instances, random) {
    const runs = Math.min(MOST_RUNS, Math.floor(observed.sides.length / instances) - 1);
    if (runs < 2) return false;
    const all = block(observed, (runs + 1) * instances, random);
    const run = (index: number) => all.slice(index * instances, (index + 1) * instances);
    const past = Array.from({ length: runs }, (_, index) => mean(run(index).map(({ baseline }) => baseline)));
    const today = changed(mean(run(runs).map(({ candidate }) => candidate)), observed);
    const { value, degreesOfFreedom } = sampleVariance(past)!;
    const reach = studentQuantile(BOUNDARY, degreesOfFreedom) * Math.sqrt(value);
    return METRICS[observed.metric].better === 'lower' ? today > mean(past) + reach : today < mean(past) - reach;
  },
};
