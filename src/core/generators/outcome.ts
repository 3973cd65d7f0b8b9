/**
 * What one generator execution reported, whichever generator it was: the object that `wrkbench parse` prints.
 * A figure that the output does not hold is absent, never 0. Figures are as the tool rounded them.
 */
export interface GeneratorOutcome<Tool extends string = string> {
  tool: Tool;
  requests?: number;
  /** k6: sent before `requests` began to count, to open connections and to warm k6 itself up; they cost CPU time too. */
  leadInRequests?: number;
  /** wrk: those included that nobody had answered when its load ended; of a case without a script of its own. */
  sentRequests?: number;
  /** The tool's own total of requests that went wrong, where it prints one; `errors` says how. */
  failedRequests?: number;
  /** ab: requests that reused a connection. 0 with `-k` means that the server does not keep HTTP/1.0 connections. */
  keepAliveRequests?: number;
  durationSeconds?: number;
  /** Requests per second, as the tool printed it. */
  throughput?: number;
  bytes?: number;
  bytesPerSecond?: number;
  /** As the tool says it was told; wrk opens `threads × ⌊connections ÷ threads⌋`. */
  connections?: number;
  threads?: number;
  latencyMs?: LatencyMs;
  /** Parts of `latencyMs` (ab: `connect`, `processing`, `waiting`), each a summary of its own. */
  phasesMs?: Record<string, LatencyMs>;
  /** wrk: requests per second of one thread, over windows of 100 ms. */
  threadThroughput?: { mean?: number; stdev?: number; max?: number };
  /** Disjoint: their sum is what went wrong (a late answer with a bad status excepted, which wrk counts as both). */
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
  /** ab: receive, exceptions. k6: failed checks. `failed`: those of `failedRequests` of which the tool says no more. */
  [kind: string]: number | undefined;
}
