/** Where a measurement stops being one. Shares are of 1. */
export const VALIDITY_LIMITS = {
  /** Errors for each request. Ten times what a healthy 20,000-connection run shows (seen: 120 of 1.2 million). */
  errorShare: 0.001,
  /** Read errors that are as many as answers, within this: how each answer ends is what the generator takes for a failure. */
  readErrorsOfEndings: 0.01,
  /**
   * Times its timeout that a request takes, by a trial that is shorter than that. Less may be the trial's own beginning, in which
   * nobody is answered: it makes a request seem up to twice as long.
   */
  lateBeyondTimeout: 2,
  /** The generator counts as busy above this share of its CPUs … */
  generatorBusyShare: 0.9,
  /** … and the server as idle below this share of its own. */
  serverBusyShare: 0.9,
  /** An answer costs some 5 us of CPU time in the fastest server known; below this, something else answered. */
  leastCpuPerAnswerUs: 0.5,
  /**
   * Iterations that k6 dropped, of those it was to send. A pause of 10 ms in every second, as shared machines have, takes
   * all of 50 connections at 5,000/s; above 1 % what was not sent would have been the slow part of the distribution.
   */
  droppedShare: 0.01,
  /** What was sent, of the rate that was asked for. */
  heldRateShare: 0.98,
  /** With keep-alive off: connections that the server accepted, for each request. */
  connectionsPerRequestOff: 0.9,
  /** With keep-alive on: the same; nginx closes after 1,000 requests by default, which is well below. */
  connectionsPerRequestOn: 0.05,
  /** Where service and others share a network namespace (processes of one machine), so many may be somebody else's. */
  strayConnections: 200,
  /** With keep-alive on: connections that the server accepted, of those the generator was told to open. */
  openedShare: 0.98,
  /** Ports in TIME_WAIT, of those there are. */
  portsShare: 0.8,
  /** Calendar against monotonic clock. A time service slews by 0.5 ms a second. */
  clockStepMs: 100,
  /** What a generator may take to start, before its own duration begins. */
  startSeconds: 10,
  /** Bytes read under load against bytes of the checked answers; the rest is answers cut off at the end. */
  bytesShare: 0.01,
  /** CPU on the server's CPUs that belongs to nobody of ours, and what the hypervisor took: marked above. */
  foreignShare: 0.05,
  stealShare: 0.05,
} as const;
