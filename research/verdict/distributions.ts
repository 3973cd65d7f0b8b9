import type { Random } from '../../src/core/statistics/random.ts';

/** Box and Muller (Annals of Mathematical Statistics 29, 1958). */
export function normal(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random.next())) * Math.cos(2 * Math.PI * random.next());
}

/** With a variance of 1. */
export function studentOf3(random: Random): number {
  const squares = normal(random) ** 2 + normal(random) ** 2 + normal(random) ** 2;
  return normal(random) / Math.sqrt(squares);
}

/** A centred gamma distribution turned round: rare low values, mean 0, variance 1, skewness -2 / sqrt(shape). */
export function skewedDown(random: Random, shape: number): number {
  let sum = 0;
  for (let index = 0; index < shape; index += 1) sum -= Math.log(1 - random.next());
  return (shape - sum) / Math.sqrt(shape);
}

/** So many rounds of a stationary first-order autoregression with mean 0 and variance 1. */
export function autoregression(random: Random, rounds: number, rho: number): number[] {
  const values: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const before = values.at(-1);
    const fresh = normal(random);
    values.push(before === undefined ? fresh : rho * before + Math.sqrt(1 - rho ** 2) * fresh);
  }
  return values;
}
