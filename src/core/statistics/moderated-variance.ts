/** A variance and how well it is known. */
export interface Variance {
  value: number;
  degreesOfFreedom: number;
}

/** How many repetitions of its own the variance of its neighbours counts for; `verdict.ts` of the benches shows why. */
export const PRIOR_DEGREES_OF_FREEDOM = 4;

/** Sample variance about the mean; null with fewer than two values. */
export function sampleVariance(values: readonly number[]): Variance | null {
  const degreesOfFreedom = values.length - 1;
  if (degreesOfFreedom < 1) return null;
  const centre = mean(values);
  const value = values.reduce((sum, each) => sum + (each - centre) ** 2, 0) / degreesOfFreedom;
  return { value, degreesOfFreedom };
}

/** The variance that all have in common, weighted by degrees of freedom; null where there are none. */
export function pooledVariance(variances: readonly Variance[]): Variance | null {
  const degreesOfFreedom = variances.reduce((sum, each) => sum + each.degreesOfFreedom, 0);
  if (degreesOfFreedom === 0) return null;
  const value = variances.reduce((sum, each) => sum + each.value * each.degreesOfFreedom, 0) / degreesOfFreedom;
  return { value, degreesOfFreedom };
}

/**
 * A variance that borrows strength from its neighbours (Smyth 2004, doi:10.2202/1544-6115.1027, the posterior variance):
 *
 *     (d0 s0^2 + d s^2) / (d0 + d)   with d0 + d degrees of freedom
 *
 * s0^2 is that of the neighbours without the one itself. d0 is fixed, since a handful of cases cannot tell it, and never
 * more than the neighbours have themselves: one alone is not moderated, and two of the same count are simply pooled.
 */
export function moderatedVariance(own: Variance, neighbours: Variance | null): Variance {
  if (neighbours === null) return own;
  const prior = Math.min(PRIOR_DEGREES_OF_FREEDOM, neighbours.degreesOfFreedom);
  const degreesOfFreedom = prior + own.degreesOfFreedom;
  const value = (prior * neighbours.value + own.degreesOfFreedom * own.value) / degreesOfFreedom;
  return { value, degreesOfFreedom };
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, each) => sum + each, 0) / values.length;
}
