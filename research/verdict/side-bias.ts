import { mean, sampleVariance } from '../../src/core/statistics/moderated-variance.ts';
import { studentQuantile } from '../../src/core/statistics/student.ts';
import type { RecordedSource } from './recorded.ts';

export interface SideBias {
  /** Series in which the two sides, which are the same, differ most clearly. */
  series: string;
  /** Mean of ln(candidate/baseline) over its standard error; sides not exchanged. */
  t: number;
  /** What no series of as many would exceed in 99 of 100 recordings without a bias, were they independent (Bonferroni). */
  limit: number;
}

/** Exchanging sides at random hides what makes one of them look worse throughout: who starts first, which CPU it gets. */
export function sideBias({ series, logRatios, leastValid }: RecordedSource): SideBias {
  const bias = series.map(({ id }, index) => {
    const own = logRatios[index]!.filter((value) => !Number.isNaN(value));
    return { series: id, t: mean(own) / Math.sqrt(sampleVariance(own)!.value / own.length) };
  });
  const most = bias.reduce((one, other) => (Math.abs(other.t) > Math.abs(one.t) ? other : one));
  return { ...most, limit: studentQuantile(1 - 0.005 / series.length, leastValid - 1) };
}
