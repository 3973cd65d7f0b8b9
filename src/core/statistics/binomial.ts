/** The chance of `least` or more successes in so many trials; each term follows from the one before it. */
export function binomialUpperTail(least: number, trials: number, probability: number): number {
  if (least <= 0) return 1;
  if (least > trials || probability <= 0) return 0;
  if (probability >= 1) return 1;
  // The shorter way around: what is left of 1 has no digits to lose where it is the larger part.
  if (least <= trials * probability) return 1 - binomialUpperTail(trials - least + 1, trials, 1 - probability);
  let log = (trials - least) * Math.log1p(-probability) + least * Math.log(probability);
  for (let each = 1; each <= least; each++) log += Math.log((trials - least + each) / each);
  let term = Math.exp(log);
  let sum = term;
  for (let successes = least; successes < trials; successes++) {
    term *= ((trials - successes) / (successes + 1)) * (probability / (1 - probability));
    if (term < sum * 1e-15) break;
    sum += term;
  }
  return Math.min(1, sum);
}
