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

/** Its derivative, x > 0: the variance of the logarithm of a gamma variable (6.4.6 and 6.4.12 there). Exact to some 1e-10. */
export function trigamma(x: number): number {
  let sum = 0;
  let at = x;
  for (; at < 10; at += 1) sum += 1 / (at * at);
  const square = 1 / (at * at);
  const series = square * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square / 30)));
  return sum + 1 / at + square / 2 + series / at;
}
