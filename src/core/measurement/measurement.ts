import type { GeneratorOutcome } from '../generators/outcome.ts';
import type { GeneratorName } from '../generators/registry.ts';
import type { Reason, Variant } from './names.ts';

/**
 * What one trial gave, as it was read: nothing derived, so that metrics and validity can be worked out again from a
 * journal. All times are of the machine's monotonic clock, in nanoseconds.
 */
export interface TrialMeasurement {
  caseKey: string;
  variant: Variant;
  round: number;
  trial: number;
  pair: number | null;
  mode: 'solo' | 'duet';
  startedNs: number;
  durationNs: number;
  /** Seconds of load before the trial, and whether throughput had ceased to rise in the end. */
  warmUp: { seconds: number; steady: boolean };
  /** Requests per second that an open-model generator was told to send; null for a closed loop. */
  rate: number | null;
  outcome: GeneratorOutcome<GeneratorName> | null;
  /** Why there is no outcome; null where there is one. */
  generatorFailure: string | null;
  timedOut: boolean;
  cpu: CpuReadings;
  /**
   * CPU time from there on until everything was answered that was still open at the end of the load; absent where the generator closes
   * its connections at that end, and where the service was never at rest. What was sent in the load is what `cpu` and this were
   * spent on:
   *
   *     answered │██████████████████│▓▓▓▓▓▓│ sent before, answered after
   *              │◀──── load ──────▶│      │ at rest
   */
  afterLoad?: CpuOfParts;
  /** What the other side of a duet did meanwhile; absent for a trial alone. */
  duet?: DuetReadings;
  memory: MemoryReadings;
  /** Beside the duets of a round, of a side by itself: what it does on all of its CPUs. Absent of any other trial. */
  ofAllCpus?: true;
  /** Of the service's start before it: until it answered. Absent where older journals do not tell. */
  startUpNs?: number;
  /** TCP connections that the route's entry accepted in the trial; null where those of the other side or of the gateway's own to the service are among them. */
  acceptedConnections: number | null;
  /**
   * How many of them the service may have opened to its database, at most; absent where none of those is among them. One
   * without a pool opens one for each request, and each that is used carries a statement.
   */
  databaseConnectionsAmong?: number;
  /** Local ports that could not be taken again yet at the end (TIME_WAIT), of those that the machine has for outgoing connections. */
  ports: { timeWait: number; available: number };
  /** Statements of the service's role in the trial; indicative, since one may be counted a little late. */
  statements: { calls: number; rows: number; totalMs: number } | null;
  /** Calendar time less monotonic time over the trial: not 0 where somebody set the clock. */
  clockStepMs: number;
  /** Each difference between the endpoint's answer after the load and what the spec expects. */
  differencesAfter: string[];
  /** Of the failures that the generator counted; absent where none were, or nobody printed anything. */
  failureWords?: WordsOfFailure;
  /** What became of a part of the testbed in the trial. */
  testbedFailure: Reason | null;
  /** What the reader should know of how the trial came about. */
  notes: Reason[];
  raw: string[];
}

/** The line that a part printed last of what failed. */
export interface WordsOfFailure {
  service?: string;
  database?: string;
}

/** CPU time between two readings, right before the load began and right after the generator's end. */
export interface CpuReadings {
  /** Between the two readings. */
  windowNs: number;
  serviceNs: number;
  databaseNs: number;
  gatewayNs: number;
  /** Of each dependency, by its name; absent where the spec has none. */
  dependenciesNs?: Record<string, number>;
  /**
   * Of the service: what the threads used that its processes begin with. The others are a runtime's own, which collect garbage and compile, or
   * those of a pool. Absent where the system does not show threads.
   */
  mainThreadsNs?: number;
  generatorNs: number;
  /** Of wrkbench itself: what sampling costs. */
  ownNs: number;
  /** Of the CPUs of service and database: what all the machine's tasks used, interrupts and steal left out. */
  busyNs: number;
  stealNs: number;
  /** Of the generator's CPUs: as `busyNs`; absent where they are the server's as well. */
  generatorBusyNs?: number;
  /** CPUs of service and database together. */
  serverCpuCount: number;
  generatorCpuCount: number;
  /** CPUs' worth of time that the kernel let the service use at most; absent where its CPUs are all that limited it. */
  serviceCpuQuota?: number;
  /** Of the service's thread that used the most; absent in a duet, and where the system does not show threads. */
  busiestThreadNs?: number;
}

/** CPU time of each part of a testbed. */
export type CpuOfParts = Pick<
  CpuReadings,
  'serviceNs' | 'databaseNs' | 'gatewayNs' | 'dependenciesNs' | 'mainThreadsNs'
>;

/** CPU time of all dependencies together. */
export function dependenciesNs({ dependenciesNs: each = {} }: Pick<CpuOfParts, 'dependenciesNs'>): number {
  return Object.values(each).reduce((sum, ns) => sum + ns, 0);
}

/**
 * A duet while both sides were loaded and had their connections open, up to its earlier end:
 *
 *     first   ├─────┬──────────────────┤
 *     second   ├────┴──────────────────────┤
 *              │open│◀──── overlap ───▶│       the second has the CPU to itself from here on
 *
 * Opening 1000 connections to each side takes the generator up to 30 ms, for which the servers wait: 3 to 5 % of a trial of 0.7 s
 * looked idle, after the first 100 ms at most 1 %. A load of less than 200 ms counts from its beginning.
 */
export interface DuetReadings {
  overlapNs: number;
  /** CPU time of this side's service, database, dependencies and gateway in the overlap. */
  ownNs: number;
  /** Of the other side's, in the overlap. */
  partnerNs: number;
  /** Of the CPUs of service and database: what nobody used in the overlap. */
  idleNs: number;
  /** Of the other side's, in this side's whole window. */
  partnerWindowNs: number;
  /** CPU time of the other side's generator. */
  partnerGeneratorNs: number;
}

/** Of the service where nothing else is said, without page cache. */
export interface MemoryReadings {
  /** After it got ready, before its first load. */
  idleBytes: number;
  peakBytes: number;
  /** After the cool-down; 0 where there was none to speak of, as after a duet. */
  settledBytes: number;
  /** Peak of each dependency, by its name; absent where the spec has none. */
  dependencyPeakBytes?: Record<string, number>;
}

/** Code of the mark on a case whose statements the database has not counted. */
export const STATEMENTS_UNCOUNTED = 'statements-uncounted';

/** Sequential requests to one endpoint of one testbed, without load: exact counts. */
export interface UnloadedPass {
  service: string;
  variant: Variant;
  round: number;
  endpoint: string;
  route: 'direct' | 'gateway';
  startedNs: number;
  durationNs: number;
  /** That were answered with the status that the endpoint expects. */
  requests: number;
  /** That were not: then the statements are not of `requests` alone, and no count is exact. */
  failures: number;
  /** On the wire, all answers together. */
  bytes: number;
  /** Every answer had the same length. */
  constantSize: boolean;
  /** Null without a database, and where it did not count. */
  statements: { query: string; calls: number; rows: number; totalMs: number }[] | null;
  /** Why `statements` is null although there is a database; absent otherwise. */
  uncounted?: string;
  /**
   * Calls of the service to the kernel (`syscallFilter` says which), less those that it makes in that time without a request.
   * Absent where they could not be counted.
   */
  syscalls?: number;
  /** Left out of `statements`: sent as well in a window without a request, as long at least. Absent where there are none. */
  background?: string[];
}

/** Shares of one core (1 = one core busy all the time), over the solo trials of a case. */
export interface Utilisation {
  service: number;
  database: number;
  gateway: number;
  /** All of them together; absent where the spec has none. */
  dependencies?: number;
  generator: number;
  /** Of wrkbench itself, which samples the others. */
  own: number;
  /** On the CPUs of service and database, by no cgroup or process of ours. */
  foreign: number;
  /** Taken by the hypervisor, on the same CPUs. */
  steal: number;
  /** Of the service's threads the one that used the most; absent where the system does not show threads. */
  busiestThread?: number;
}
