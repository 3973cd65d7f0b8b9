/**
 * How many independent series as many as these are worth, of residuals about their own means in the same rounds: all of them
 * where they have nothing in common, 1 where they are all alike. With k series whose usual correlation is r, which the variance
 * of their mean (1 + (k - 1) r) / k gives:
 *
 *     k / (1 + (k - 1) r^2)
 *
 * What is known from their squares and products, as autocorrelation and skewness are, is known as if from so many. Series of
 * another length than `count` are left out.
 */
export function independentSeries(series: readonly (readonly number[])[], count: number): number {
  const standardised = series.flatMap((residuals) => {
    const deviation = Math.sqrt(residuals.reduce((sum, each) => sum + each ** 2, 0) / residuals.length);
    return residuals.length === count && deviation > 0 ? [residuals.map((each) => each / deviation)] : [];
  });
  const k = standardised.length;
  if (k < 2) return 1;
  const means = Array.from({ length: count }, (_, at) => standardised.reduce((sum, own) => sum + own[at]!, 0) / k);
  const ofMean = means.reduce((sum, each) => sum + each ** 2, 0) / count;
  const r = Math.min(1, Math.max(0, (k * ofMean - 1) / (k - 1)));
  return k / (1 + (k - 1) * r ** 2);
}
