/** How ln(candidate/baseline) scatters where both sides are the same. */
export type Deviation = [
  metric: string,
  generator: 'wrk' | 'k6',
  pairing: 'duet' | 'interleaved',
  endpoint: 'database' | 'no database',
  held: 'keep-alive' | 'close' | 'any',
  connections: number | 'any',
  /** Standard deviations: from instance to instance, and from pair to pair within one. */
  between: number,
  within: number,
];

/** Where `DEVIATIONS` are from. */
export const DEVIATIONS_SOURCE = 'recordings of 6 to 53 pairs on a shared virtual machine with 2 CPUs';

/** `node scripts/noise/deviations.mjs` writes this file from recordings of null comparisons. */
export const DEVIATIONS: readonly Deviation[] = [
  ['throughput', 'wrk', 'duet', 'no database', 'any', 'any', 0.0025, 0.0076],
  ['throughput', 'wrk', 'duet', 'database', 'any', 'any', 0.0093, 0.0278],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'any', 'any', 0.0024, 0.0072],
  ['cpu-per-request', 'wrk', 'duet', 'database', 'any', 'any', 0.0093, 0.0278],
  ['cpu-per-request', 'k6', 'duet', 'database', 'any', 'any', 0.006, 0.018],
  ['latency-p50', 'k6', 'duet', 'database', 'any', 'any', 0.0027, 0.0082],
  ['latency-p90', 'k6', 'duet', 'database', 'any', 'any', 0.0168, 0.0504],
  ['latency-p99', 'k6', 'duet', 'database', 'any', 'any', 0.064, 0.192],
  ['memory-peak', 'wrk', 'duet', 'no database', 'any', 'any', 0.017, 0.024],
  ['throughput', 'wrk', 'interleaved', 'no database', 'any', 'any', 0.0171, 0.0512],
  ['cpu-per-request', 'wrk', 'interleaved', 'no database', 'any', 'any', 0.0172, 0.0517],
  ['latency-p50', 'k6', 'interleaved', 'no database', 'any', 'any', 0.0171, 0.0512],
  ['latency-p90', 'k6', 'interleaved', 'no database', 'any', 'any', 0.0176, 0.0527],
  ['latency-p99', 'k6', 'interleaved', 'no database', 'any', 'any', 0.116, 0.349],
  ['memory-peak', 'wrk', 'interleaved', 'no database', 'any', 'any', 0.017, 0.024],
];
