import { digamma } from './digamma.ts';

/** A variance and how well it is known. */
export interface Variance {
  /** Above 0. */
  value: number;
  degreesOfFreedom: number;
}

/** What the neighbours count for at most, in degrees of freedom. */
export const MOST_PRIOR = 4;

/** Sample variance about the mean; null with fewer than two values. */
export function sampleVariance(values: readonly number[]): Variance | null {
  const degreesOfFreedom = values.length - 1;
  if (degreesOfFreedom < 1) return null;
  const centre = mean(values);
  const value = values.reduce((sum, each) => sum + (each - centre) ** 2, 0) / degreesOfFreedom;
  return { value, degreesOfFreedom };
}

/**
 * The variance that is usual among several, their geometric mean, each corrected for the bias of its own logarithm
 * (Smyth 2004, section 6.2):
 *
 *     ln s0^2 = mean of  ln s^2 - digamma(d/2) + ln(d/2)
 *
 * One that scatters ten times as much as the others would rule an arithmetic mean. Null where there are none.
 */
export function usualVariance(variances: readonly Variance[]): Variance | null {
  if (variances.length === 0) return null;
  const logs = variances.map(({ value, degreesOfFreedom }) => {
    const half = degreesOfFreedom / 2;
    return Math.log(value) - digamma(half) + Math.log(half);
  });
  const degreesOfFreedom = variances.reduce((sum, each) => sum + each.degreesOfFreedom, 0);
  return { value: Math.exp(mean(logs)), degreesOfFreedom };
}

/**
 * A variance that borrows strength from its neighbours: the posterior variance of Smyth (2004),
 * doi:10.2202/1544-6115.1027,
 *
 *     (d0 s0^2 + d s^2) / (d0 + d)   with d0 + d degrees of freedom
 *
 * where s0^2 is what is usual among the neighbours, itself left out. Two things differ, both so that a case that
 * scatters more than its neighbours gives no false alarm:
 *
 * - d0 is not estimated, which a handful of cases cannot do, but 4, and never more than the data have themselves or
 *   than all neighbours have together. One without neighbours is not moderated at all.
 * - The variance is raised and never lowered.
 *
 * `worth`: share of the neighbours' degrees of freedom that count, 1 where they are independent of it.
 */
export function moderatedVariance(own: Variance, neighbours: readonly Variance[], worth = 1): Variance {
  const usual = usualVariance(neighbours);
  if (usual === null) return own;
  const prior = Math.min(MOST_PRIOR, own.degreesOfFreedom, worth * usual.degreesOfFreedom);
  const degreesOfFreedom = prior + own.degreesOfFreedom;
  const posterior = (prior * usual.value + own.degreesOfFreedom * own.value) / degreesOfFreedom;
  return { value: Math.max(own.value, posterior), degreesOfFreedom };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
