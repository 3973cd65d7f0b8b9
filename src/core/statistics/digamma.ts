/**
 * The logarithmic derivative of the gamma function, x > 0: its recurrence up to 10, then the asymptotic series
 * (Abramowitz and Stegun 6.3.5 and 6.3.18). Exact to some 1e-12.
 */
export function digamma(x: number): number {
  let shift = 0;
  let at = x;
  for (; at < 10; at += 1) shift += 1 / at;
  const square = 1 / (at * at);
  const series = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))));
  return Math.log(at) - 1 / (2 * at) - series - shift;
}
