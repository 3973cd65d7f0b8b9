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
export const DEVIATIONS_SOURCE =
  '26 instances in fixtures/noise/quiet.jsonl (Intel(R) Xeon(R) Processor, 2 CPUs), slices in turn from fewer';

/** `node scripts/noise/deviations.mjs` writes this file from recordings of null comparisons. */
export const DEVIATIONS: readonly Deviation[] = [
  ['throughput', 'wrk', 'duet', 'database', 'any', 'any', 0.0067, 0.02],
  ['cpu-per-request', 'wrk', 'duet', 'database', 'any', 'any', 0.0066, 0.02],
  ['memory-peak', 'wrk', 'duet', 'database', 'keep-alive', 1000, 0, 0.079],
  ['memory-peak', 'wrk', 'duet', 'database', 'close', 100, 0, 0.13],
  ['memory-peak', 'wrk', 'duet', 'database', 'keep-alive', 100, 0, 0.12],
  ['memory-peak', 'wrk', 'duet', 'database', 'close', 1000, 0, 0.11],
  ['latency-p50', 'k6', 'duet', 'no database', 'any', 'any', 0.0051, 0.015],
  ['latency-p90', 'k6', 'duet', 'no database', 'any', 'any', 0.011, 0.032],
  ['latency-p99', 'k6', 'duet', 'no database', 'close', 100, 0.095, 0.28],
  ['latency-p99', 'k6', 'duet', 'no database', 'keep-alive', 100, 0.066, 0.2],
  ['latency-p99', 'k6', 'duet', 'no database', 'keep-alive', 1000, 0.16, 0.47],
  ['latency-p99', 'k6', 'duet', 'no database', 'close', 1000, 0.11, 0.34],
  ['cpu-per-request', 'k6', 'duet', 'no database', 'any', 'any', 0.0065, 0.02],
  ['memory-peak', 'k6', 'duet', 'no database', 'any', 'any', 0, 0.13],
  ['latency-p50', 'k6', 'duet', 'database', 'any', 'any', 0.005, 0.015],
  ['latency-p90', 'k6', 'duet', 'database', 'close', 1000, 0.022, 0.066],
  ['latency-p90', 'k6', 'duet', 'database', 'close', 100, 0.043, 0.13],
  ['latency-p90', 'k6', 'duet', 'database', 'keep-alive', 100, 0.016, 0.048],
  ['latency-p90', 'k6', 'duet', 'database', 'keep-alive', 1000, 0.015, 0.046],
  ['latency-p99', 'k6', 'duet', 'database', 'close', 1000, 0.14, 0.41],
  ['latency-p99', 'k6', 'duet', 'database', 'close', 100, 0.18, 0.55],
  ['latency-p99', 'k6', 'duet', 'database', 'keep-alive', 100, 0.058, 0.17],
  ['latency-p99', 'k6', 'duet', 'database', 'keep-alive', 1000, 0.14, 0.43],
  ['cpu-per-request', 'k6', 'duet', 'database', 'any', 'any', 0.0028, 0.0084],
  ['memory-peak', 'k6', 'duet', 'database', 'close', 1000, 0, 0.098],
  ['memory-peak', 'k6', 'duet', 'database', 'close', 100, 0, 0.16],
  ['memory-peak', 'k6', 'duet', 'database', 'keep-alive', 100, 0, 0.083],
  ['memory-peak', 'k6', 'duet', 'database', 'keep-alive', 1000, 0, 0.081],
  ['throughput', 'wrk', 'duet', 'no database', 'close', 100, 0.0067, 0.02],
  ['throughput', 'wrk', 'duet', 'no database', 'close', 1000, 0.007, 0.021],
  ['throughput', 'wrk', 'duet', 'no database', 'keep-alive', 1000, 0.01, 0.03],
  ['throughput', 'wrk', 'duet', 'no database', 'keep-alive', 100, 0.0092, 0.028],
  ['cpu-per-request', 'wrk', 'duet', 'no database', 'any', 'any', 0.0082, 0.025],
  ['memory-peak', 'wrk', 'duet', 'no database', 'close', 100, 0, 0.09],
  ['memory-peak', 'wrk', 'duet', 'no database', 'close', 1000, 0, 0.14],
  ['memory-peak', 'wrk', 'duet', 'no database', 'keep-alive', 1000, 0, 0.14],
  ['memory-peak', 'wrk', 'duet', 'no database', 'keep-alive', 100, 0, 0.079],
  ['throughput', 'wrk', 'interleaved', 'no database', 'any', 'any', 0.0171, 0.0512],
  ['cpu-per-request', 'wrk', 'interleaved', 'no database', 'any', 'any', 0.0172, 0.0517],
  ['latency-p50', 'k6', 'interleaved', 'no database', 'any', 'any', 0.0171, 0.0512],
  ['latency-p90', 'k6', 'interleaved', 'no database', 'any', 'any', 0.0176, 0.0527],
  ['latency-p99', 'k6', 'interleaved', 'no database', 'any', 'any', 0.116, 0.349],
  ['memory-peak', 'wrk', 'interleaved', 'no database', 'any', 'any', 0.017, 0.024],
];
