import { mean } from './moderated-variance.ts';

/**
 * Skewness of several series of residuals together, each by its own standard deviation. Few values show less of it than there is
 * (of ten exponential ones two thirds), so that it is raised by 1 + 6/n, and by three quarters for what a series of its own hides.
 */
export function skewnessOf(series: readonly (readonly number[])[], count: number): number {
  const cubes = series.flatMap((residuals) => {
    const variance = residuals.reduce((sum, each) => sum + each ** 2, 0) / (residuals.length - 1);
    return variance > 0 ? mean(residuals.map((each) => (each / Math.sqrt(variance)) ** 3)) : [];
  });
  return cubes.length === 0 ? 0 : 1.75 * (1 + 6 / count) * mean(cubes);
}

/**
 * By how much a critical value of Student's t must be greater, where the mean of `count` values is to be called above a border and
 * the values are skewed downwards (Johnson, Journal of the American Statistical Association 73, 1978):
 *
 *     |skewness| (1 + 2 t^2) / (6 sqrt(n))
 *
 * A mean that lacks its rare low values is too high, and its standard error too small, both at once. Never below 0.
 */
export function skewnessAllowance(skewness: number, critical: number, count: number): number {
  return (Math.max(0, -skewness) * (1 + 2 * critical ** 2)) / (6 * Math.sqrt(count));
}
