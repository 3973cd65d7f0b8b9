import { mean, sampleVariance } from '../../../src/core/statistics/moderated-variance.ts';
import { studentQuantile } from '../../../src/core/statistics/student.ts';
import { METRICS } from '../source.ts';
import { changed, ofEach, type Rival } from './rival.ts';

const BOUNDARY = 0.99;

/**
 * One figure a run, alerted where it lies beyond mean + t(0.99) x standard deviation of those of past runs: the `t_test`
 * threshold of Bencher (https://bencher.dev/docs/explanation/thresholds/). The history is as long as the recording.
 */
export const storedHistory: Rival = {
  name: 't-test on stored history',
  source: 'Bencher, t_test with a boundary of 0.99',
  thresholds: false,
  reds: ofEach((observed) => {
    const past = observed.past.flatMap((run) => (run.length === 0 ? [] : [mean(run.map(({ baseline }) => baseline))]));
    if (past.length < 2) return false;
    const today = changed(mean(observed.today.map(({ candidate }) => candidate)), observed);
    const { value, degreesOfFreedom } = sampleVariance(past)!;
    const reach = studentQuantile(BOUNDARY, degreesOfFreedom) * Math.sqrt(value);
    return METRICS[observed.metric].better === 'lower' ? today > mean(past) + reach : today < mean(past) - reach;
  }),
};
