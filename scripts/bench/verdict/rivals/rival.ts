import { logBorders } from '../../../../src/core/comparison/thresholds.ts';
import type { Random } from '../../../../src/core/statistics/random.ts';
import type { GatedMetric } from '../source.ts';
import { METRICS } from '../source.ts';

export interface Sides {
  baseline: number;
  candidate: number;
}

/** What a rule may look at: a series in the order of measuring, its true change on top of every candidate. */
export interface Observed {
  metric: GatedMetric;
  /** Both sides of all instances of the recording; without those that were not valid. */
  sides: readonly Sides[];
  /** As a share. */
  threshold: number;
  change: number;
}

/** Another way to come to a red, with the seconds of so many instances. */
export interface Rival {
  name: string;
  /** What it is modelled on. */
  source: string;
  /** Whether it can be told a threshold. */
  thresholds: boolean;
  isRed(observed: Observed, instances: number, random: Random): boolean;
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

/** So many instances in a row, from a random one on, the first following the last; the sides exchanged at random. */
export function block({ sides }: Observed, length: number, random: Random): Sides[] {
  const first = random.below(sides.length);
  const exchanged = random.below(2) === 0;
  return Array.from({ length }, (_, index) => {
    const { baseline, candidate } = sides[(first + index) % sides.length]!;
    return exchanged ? { baseline: candidate, candidate: baseline } : { baseline, candidate };
  });
}
