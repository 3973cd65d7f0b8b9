/**
 * What one generator execution reported, whichever generator it was: the object that `wrkbench parse` prints.
 * A figure that the output does not hold is absent, never 0. Figures are as the tool rounded them.
 */
export interface GeneratorOutcome {
  tool: 'wrk' | 'k6' | 'ab';
  requests?: number;
  durationSeconds?: number;
  /** Requests per second, as the tool printed it. */
  throughput?: number;
  bytes?: number;
  latencyMs?: LatencyMs;
  errors?: GeneratorErrors;
  /** Open model only: iterations that k6 could not start in time. */
  droppedIterations?: number;
  /** The tool's own version where the output names it. */
  version?: string;
}

/** Milliseconds. Percentile keys are `p50`, `p99`, `p99.9`. */
export interface LatencyMs {
  mean?: number;
  stdev?: number;
  min?: number;
  max?: number;
  [percentile: `p${string}`]: number;
}

export interface GeneratorErrors {
  connect?: number;
  read?: number;
  write?: number;
  timeout?: number;
  /** Answers with a status that the generator counts as an error (wrk: above 399). */
  status?: number;
  /** ab: answers whose length differs from the first one's. */
  length?: number;
  /** ab: receive, exceptions. k6: failed requests and failed checks. */
  [kind: string]: number | undefined;
}
