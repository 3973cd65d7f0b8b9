import type { Case } from '../../core/config/case.ts';
import type { Placement, ResolvedSpec, Service } from '../../core/config/resolved.ts';
import type { Route, Variant } from '../../core/measurement/names.ts';
import type { ObservedProcesses } from '../../core/measurement/observation.ts';
import type { RequestValues } from '../../core/requests/request-values.ts';
import type { PartFailureCode, TestbedPart } from '../../core/topology/parts.ts';

/** Docker, or processes of this machine. */
export interface TestbedRuntime {
  kind: 'docker' | 'process';
  /** Version of the engine; null for processes. */
  version(): Promise<string | null>;
  /**
   * Builds or pulls what the spec's services need, once and before anything is measured.
   * Resolves to what was had for each; a service that could not be had is a failure in the list, never a rejection.
   */
  prepare(request: PrepareRequest, signal: AbortSignal): Promise<PreparedService[]>;
  /**
   * One testbed: database, pooler, dependencies, service and gateway of one variant, up and answering.
   * Rejects with `TestbedError`, with everything it had started removed.
   */
  start(request: TestbedRequest, signal: AbortSignal): Promise<Testbed>;
  /** Removes the images that this `prepare` has made and that have no name any more; never rejects. */
  discard(prepared: readonly PreparedService[]): Promise<void>;
  /** Resolves when nothing of stopped testbeds is being removed any more; absent where `stop` resolves no sooner. */
  removed?(): Promise<void>;
  /** Removes what the testbeds of a run had in common, once all of them are stopped; never rejects. */
  release(runId: string): Promise<void>;
  /** What it has made for services to be started with and nobody else may read; absent where it never makes any. */
  secrets?(): readonly string[];
  /** Removes what owners proven dead have left behind; resolves to a sentence for each thing removed. */
  sweep(): Promise<string[]>;
}

export interface PrepareRequest {
  runId: string;
  spec: ResolvedSpec;
  services: Service[];
  /** Folder of the spec file, absolute: what its paths are relative to. */
  specDirectory: string;
  /** How often a service that is built is built; absent for once. A reference is never compared, and built once. */
  builds?: number;
  onLine(line: string): void;
}

export interface PreparedService {
  service: string;
  /** Image id with digest, or a process's command line; of several builds the first. */
  artifact: string;
  /** Size of the image, of several builds of the first; absent where it is none, or nobody tells. */
  imageBytes?: number;
  /** Of each build, where there are several: the rounds of a comparison use them in turn. */
  builds?: string[];
  /** A sentence for a reader: why there is one build although several were asked for. */
  oneBuild?: string;
  failure: TestbedError | null;
}

export interface TestbedRequest {
  runId: string;
  spec: ResolvedSpec;
  service: Service;
  variant: Variant;
  /** Number of this start of the variant: 1 for the first; 0 for that of published figures where others follow to compare. */
  round: number;
  placement: Placement;
  specDirectory: string;
  /** Folder that its images were built in by `prepare`, absolute, where that is not that of the spec. */
  buildDirectory?: string;
  /** Folder that the gateway's configuration is relative to, absolute, before that of the spec. */
  gatewayDirectory?: string;
  /** `artifact` of `prepare`, or one of its `builds`. */
  artifact: string;
  /** What is to be measured on it; absent for all that the spec has of the service. */
  cases?: readonly Case[];
  /** It is up for one round of a comparison: no time for what a database does for its own sake. */
  isBrief?: boolean;
  /** Told what the testbed is busy with while it comes up and while its data are put back; null once that is over. */
  onActivity?(activity: TestbedActivity | null): void;
}

/** What takes as long as the application makes it take. */
export type TestbedActivity =
  /** Number of the step of `prepare`, from 1; of one that sends requests also how many of them are answered. */
  { kind: 'prepare'; step: number; answered?: number } | { kind: 'snapshot' } | { kind: 'restore' } | { kind: 'login' };

/** One running testbed. Several can stand side by side: each has its networks, addresses, database and parent cgroup. */
export interface Testbed {
  service: Service;
  variant: Variant;
  round: number;
  /** `http://ADDRESS:PORT` as the generator reaches it; `gateway` only where the spec has one. */
  origins: Partial<Record<Route, string>>;
  database: DatabaseSession | null;
  /** What its preparation has taken from answers, as it stands for `${prepare.NAME}` in requests; absent where that is nothing. */
  values?: RequestValues;
  meters: PartMeters;
  /** From the start of the service, all beside it being up, until it answered. */
  startUpNs: number;
  /**
   * CPU time of each thread that the service has at this moment, nanoseconds in steps of 10 ms, by a name that no other
   * thread gets. Empty where the system does not show it, and of a service with more threads than are worth reading.
   */
  threadTimes(): ReadonlyMap<string, number>;
  /**
   * CPU time of the main threads that the service's processes have at this moment, those that processes begin with, nanoseconds and exact.
   * Null where the system does not show it.
   */
  mainThreadsNs(): number | null;
  /** Ids on this machine of the service's processes that run now. */
  serviceProcesses(): number[];
  /** TCP connections that the route's entry has accepted since its start, from the kernel's own count. */
  acceptedConnections(route: Route): number;
  /** That count holds what others on this machine have accepted: other testbeds, and the service behind its gateway. */
  countsOthersConnections: boolean;
  /** Looks at the processes and sockets of the service, and for `seconds` at what it writes; rejects only when aborted. */
  observed(seconds: number, signal: AbortSignal): Promise<ObservedProcesses>;
  /** Null while every part runs as it was started; else what became of the first that does not. */
  failure(): Promise<TestbedError | null>;
  /** The last lines that a part printed. */
  logLines(part: TestbedPart, count: number): Promise<string[]>;
  /** What all parts have printed by now is the cause of nothing that comes: `logLines` leaves it out. Absent as `restoreData`. */
  passLog?(): Promise<void>;
  /**
   * Whether anything that keeps data was written to since they were put back, or since it is up. Rejects with `TestbedError`. Absent,
   * as `restoreData`, where nothing keeps data or no endpoint changes them.
   */
  dataChanged?(): Promise<boolean>;
  /**
   * Puts all data back as every start of this testbed begins with; its connections to the database the service has to open anew.
   * One that does not survive that is started anew, and has to be warmed up again. Rejects with `TestbedError`: the testbed is then
   * no longer what was started.
   */
  restoreData?(signal: AbortSignal): Promise<{ serviceRestarted: boolean }>;
  /** Starts the service anew on data that were put back: it does not go on without what it had opened. Rejects, and is absent, as `restoreData`. */
  restartService?(signal: AbortSignal): Promise<void>;
  /** What is written by now is what every start writes: `dataChanged` tells what comes after. Absent as `restoreData`. */
  rememberData?(): Promise<void>;
  /** Ends everything that runs in it, and leaves the rest to `stop`; never rejects. Absent where that is as much work. */
  halt?(): Promise<void>;
  /** Removes everything of this testbed; never rejects, safe to call twice. */
  stop(): Promise<void>;
}

/** Of each part by itself; the database with its pooler. */
interface PartMeters {
  service: ResourceMeter;
  database: ResourceMeter | null;
  gateway: ResourceMeter | null;
  /** By their names; empty where the spec has none. */
  dependencies: Readonly<Record<string, ResourceMeter>>;
}

/** Reads what a part has used so far. Synchronous and cheap (a few small files): it is called while a load runs. */
export interface ResourceMeter {
  /** CPU time of all its processes since its start, nanoseconds; never goes back. */
  cpuNs(): number;
  /** Anonymous, socket and kernel memory; without page cache. Bytes. */
  memoryBytes(): number;
}

/** A connection of the database's owner, beside the service's own. */
export interface DatabaseSession {
  version: string;
  /**
   * Statements of the service's own role since the last reset, without the marks. Rejects with `UncountedStatements` where a mark is
   * not among them.
   */
  statements(): Promise<StatementCount[]>;
  resetStatements(): Promise<void>;
  /** Sends a known statement as the service's own role, which `statements` must then have seen. */
  markStatements(): Promise<void>;
  /** Of all tables, as the server's own statistics have them; null where it does not say. */
  rows(): Promise<number | null>;
  /** Open connections of the service's own role. */
  connections(): Promise<number>;
  /**
   * What one statement gives that only reads, as text, up to one row more than `mostRows`. Rejects with `RefusedStatement`, which says what
   * is wrong with it, or with `TestbedError`.
   */
  selected(sql: string, mostRows: number): Promise<SelectedRows>;
}

export interface SelectedRows {
  columns: string[];
  /** Null is SQL's. */
  rows: (string | null)[][];
}

/** A statement of the spec that Postgres does not carry out. The message is Postgres' own, without an end. */
export class RefusedStatement extends Error {
  override name = 'RefusedStatement';
}

export interface StatementCount {
  /** Normalised text, as pg_stat_statements keeps it. */
  query: string;
  calls: number;
  rows: number;
  totalMs: number;
}

/** The database has not counted what it was sent. The message says so of the figures that are therefore missing. */
export class UncountedStatements extends Error {
  override name = 'UncountedStatements';
}

/** Something on a testbed is not as it should be. `code` is one of `TESTBED_FAILURES`; the message says what, where and what to do. */
export class TestbedError extends Error {
  override name = 'TestbedError';
  readonly code: TestbedFailureCode;
  /** The last lines of the part's log, oldest first. */
  readonly logLines: string[];
  constructor(code: TestbedFailureCode, message: string, logLines: string[] = []) {
    super(message);
    this.code = code;
    this.logLines = logLines;
  }
}

export type TestbedFailureCode =
  | 'engine-unavailable'
  | 'image-unavailable'
  | 'build-failed'
  | 'start-failed'
  | 'not-ready'
  | 'nothing-listens'
  | 'port-in-use'
  | PartFailureCode
  | 'server-restarted'
  | 'out-of-memory'
  | 'database-not-ready'
  | 'init-sql-failed'
  | 'pooler-failed'
  | 'gateway-failed'
  | 'login-failed'
  | 'variable-missing'
  | 'prepare-failed'
  | 'data-not-restored'
  | 'tool-missing';
