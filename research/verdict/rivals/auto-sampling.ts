import { mean, sampleVariance } from '../../../src/core/statistics/moderated-variance.ts';
import { studentQuantile } from '../../../src/core/statistics/student.ts';
import { METRICS } from '../source.ts';
import { changed, type Observed, type Rival, thresholdFactor } from './rival.ts';

/** tachometer begins with 50 and goes on in tens; so many rounds nobody waits for. */
const FIRST = 5;

/**
 * Samples in turn until the 95 % intervals of all relative differences of means lie on one side of the horizon, or time is
 * up, and is read then: tachometer (https://github.com/google/tachometer, "Auto sampling"; src/stats.ts, src/runner.ts).
 * The horizon is the threshold.
 */
export const autoSampling: Rival = {
  name: 'auto-sampling to a 95 % interval',
  source: 'tachometer',
  thresholds: true,
  reds(matrix) {
    const most = Math.max(0, ...matrix.map(({ today }) => today.length));
    for (let count = Math.min(FIRST, most); ; count += 1) {
      const sides = matrix.map((observed) => sideOfHorizon(observed, count));
      if (count >= most || sides.every((side) => side !== 'unsure')) return sides.map((side) => side === 'beyond');
    }
  },
};

/** Where the interval of the first so many rounds lies. */
function sideOfHorizon(observed: Observed, count: number): 'beyond' | 'within' | 'unsure' {
  const seen = observed.today.slice(0, count);
  if (seen.length < 2) return 'unsure';
  const baseline = seen.map((side) => side.baseline);
  const candidate = seen.map((side) => changed(side.candidate, observed));
  const [low, high] = relativeDifference(baseline, candidate);
  const isLower = METRICS[observed.metric].better === 'lower';
  const [least, most] = isLower ? [low, high] : [-high, -low];
  const border = isLower ? thresholdFactor(observed) - 1 : 1 - 1 / thresholdFactor(observed);
  return least > border ? 'beyond' : most < border ? 'within' : 'unsure';
}

/** 95 % interval of (b - a) / a, with the variance (var(a) b^2 + var(b) a^2) / a^4 of means, t with n - 1 degrees. */
function relativeDifference(baseline: readonly number[], candidate: readonly number[]): [number, number] {
  const [a, b] = [mean(baseline), mean(candidate)];
  const [ofA, ofB] = [baseline, candidate].map((side) => sampleVariance(side)!.value / side.length);
  const error = Math.sqrt((ofA! * b ** 2 + ofB! * a ** 2) / a ** 4);
  const half = studentQuantile(0.975, baseline.length - 1) * error;
  return [(b - a) / a - half, (b - a) / a + half];
}
