import { mean, sampleVariance } from '../../../../src/core/statistics/moderated-variance.ts';
import { studentQuantile } from '../../../../src/core/statistics/student.ts';
import { METRICS } from '../source.ts';
import { block, changed, type Rival, thresholdFactor } from './rival.ts';

const FIRST = 5;

/**
 * Samples in turn until the 95 % interval of the relative difference of means lies on one side of the horizon, or time is
 * up: tachometer (https://github.com/google/tachometer, "Auto sampling"), which looks again after each round. Welch's
 * interval; the horizon is the threshold.
 */
export const autoSampling: Rival = {
  name: 'auto-sampling to a 95 % interval',
  source: 'tachometer',
  thresholds: true,
  isRed(observed, instances, random) {
    const sides = block(observed, instances, random);
    const horizon = thresholdFactor(observed);
    for (let count = Math.min(FIRST, instances); count <= instances; count += 1) {
      const seen = sides.slice(0, count);
      const baseline = seen.map((side) => side.baseline);
      const candidate = seen.map((side) => changed(side.candidate, observed));
      const [low, high] = differenceOf(baseline, candidate);
      const [worst, best] = METRICS[observed.metric].better === 'lower' ? [low, high] : [-high, -low];
      const border = METRICS[observed.metric].better === 'lower' ? horizon - 1 : 1 - 1 / horizon;
      if (worst > border) return true;
      if (best < border) return false;
    }
    return false;
  },
};

/** Welch's 95 % interval of (candidate - baseline) / baseline (Biometrika 34, 1947). */
function differenceOf(baseline: readonly number[], candidate: readonly number[]): [number, number] {
  const errors = [baseline, candidate].map((side) => sampleVariance(side)!.value / side.length);
  const total = errors[0]! + errors[1]!;
  const degreesOfFreedom =
    total ** 2 / (errors[0]! ** 2 / (baseline.length - 1) + errors[1]! ** 2 / (candidate.length - 1));
  const half = total === 0 ? 0 : studentQuantile(0.975, degreesOfFreedom) * Math.sqrt(total);
  const difference = mean(candidate) - mean(baseline);
  return [(difference - half) / mean(baseline), (difference + half) / mean(baseline)];
}
