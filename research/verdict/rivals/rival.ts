import { logBorders } from '../../../src/core/comparison/thresholds.ts';
import type { GatedMetric } from '../source.ts';
import { METRICS } from '../source.ts';

/** What a round measured of either side. */
export interface Sides {
  baseline: number;
  candidate: number;
}

/** What a rule may look at of a series. Rounds that were not valid are left out. */
export interface Observed {
  metric: GatedMetric;
  /** As a share. */
  threshold: number;
  /** True change, as a share: it is still to be put on the candidate of today. */
  change: number;
  /** Of this run, in the order of measuring. */
  today: readonly Sides[];
  /** Earlier runs with as many rounds, the latest last. */
  past: readonly (readonly Sides[])[];
}

/** Another way to come to a red, with the same rounds. */
export interface Rival {
  name: string;
  /** What it is modelled on. */
  source: string;
  /** Whether it can be told a threshold. */
  thresholds: boolean;
  /** Of a whole matrix: whether each series is red. */
  reds(matrix: readonly Observed[]): boolean[];
}

/** Of a rule that looks at one series at a time; what has fewer than two rounds is never red. */
export function ofEach(isRed: (observed: Observed) => boolean): Rival['reds'] {
  return (matrix) => matrix.map((observed) => observed.today.length > 1 && isRed(observed));
}

/** The candidate's side as it would have been measured with the true change. */
export function changed(value: number, { metric, change }: Observed): number {
  return value * (METRICS[metric].better === 'lower' ? 1 + change : 1 - change);
}

/** How much worse `candidate` is, as a factor. */
export function worseBy(baseline: number, candidate: number, metric: GatedMetric): number {
  return METRICS[metric].better === 'lower' ? candidate / baseline : baseline / candidate;
}

/** What `worseBy` is at the threshold. */
export function thresholdFactor({ metric, threshold }: Observed): number {
  return Math.exp(logBorders(METRICS[metric], { kind: 'ratio', value: threshold }, 1).worse);
}
