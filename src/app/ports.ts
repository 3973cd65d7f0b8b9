/** What the verbs need from outside. Each port has its adapters under `adapters/` and a contract suite under `tests/contract`. */
import type { CheckoutFacts } from '../core/baseline/commit.ts';
import type { GeneratorOutcome } from '../core/generators/outcome.ts';
import type { Case, GeneratorName, Route, Variant } from '../core/plan/case.ts';
import type { JournalEntry } from '../core/record/journal.ts';
import type { Reason, RunRecord } from '../core/record/run-record.ts';
import type { Endpoint, Placement, ResolvedSpec, Service } from '../core/spec/resolved.ts';
import type { Answer } from '../core/verification/answer.ts';

export interface Clock {
  /** Monotonic, for every duration. */
  monotonicNs(): number;
  /** Of the calendar; may step. */
  now(): Date;
  /** Rejects with the signal's reason when aborted. */
  sleep(seconds: number, signal: AbortSignal): Promise<void>;
}

// ── Stage ─────────────────────────────────────────────────────────────────────────────────────────────────────────

/** Docker, or processes of this machine. */
export interface StageRuntime {
  kind: 'docker' | 'process';
  /** Version of the engine; null for processes. */
  version(): Promise<string | null>;
  /**
   * Builds or pulls what the spec's services need, once and before anything is measured.
   * Resolves to what was had for each; a service that could not be had is a failure in the list, never a rejection.
   */
  prepare(request: PrepareRequest, signal: AbortSignal): Promise<PreparedService[]>;
  /**
   * One instance: database, pooler, service and gateway of one variant, up and answering.
   * Rejects with `StageError`, with everything it had started removed.
   */
  start(request: StageRequest, signal: AbortSignal): Promise<Stage>;
  /** Removes what owners proven dead have left behind; resolves to a sentence for each thing removed. */
  sweep(): Promise<string[]>;
}

export interface PrepareRequest {
  runId: string;
  spec: ResolvedSpec;
  services: Service[];
  /** Folder of the spec file, absolute: what its paths are relative to. */
  specDirectory: string;
  onLine(line: string): void;
}

export interface PreparedService {
  service: string;
  /** Image id with digest, or a process's command line. */
  artifact: string;
  failure: StageError | null;
}

export interface StageRequest {
  runId: string;
  spec: ResolvedSpec;
  service: Service;
  variant: Variant;
  /** Number of this start of the variant: 1 for the first; 0 for that of published figures where others follow to compare. */
  instance: number;
  placement: Placement;
  specDirectory: string;
  /** `artifact` of `prepare`. */
  artifact: string;
}

/** One running instance. Several can stand side by side: each has its networks, addresses, database and parent cgroup. */
export interface Stage {
  service: Service;
  variant: Variant;
  instance: number;
  /** `http://ADDRESS:PORT` as the generator reaches it; `gateway` only where the spec has one. */
  origins: Partial<Record<Route, string>>;
  database: DatabaseSession | null;
  meters: { service: ResourceMeter; database: ResourceMeter | null; gateway: ResourceMeter | null };
  /** TCP connections that the route's entry has accepted since its start, from the kernel's own count. */
  acceptedConnections(route: Route): number;
  /** Null while every part runs as it was started; else what became of the first that does not. */
  failure(): Promise<StageError | null>;
  /** The last lines that a part printed. */
  logLines(part: StagePart, count: number): Promise<string[]>;
  /** Removes everything of this instance; never rejects, safe to call twice. */
  stop(): Promise<void>;
}

export type StagePart = 'service' | 'database' | 'pooler' | 'gateway';

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
  /** Statements of the service's own role since the last reset. */
  statements(): Promise<StatementCount[]>;
  resetStatements(): Promise<void>;
}

export interface StatementCount {
  /** Normalised text, as pg_stat_statements keeps it. */
  query: string;
  calls: number;
  rows: number;
  totalMs: number;
}

/** Something on stage is not as it should be. `code` is one of `STAGE_FAILURES`; the message says what, where and what to do. */
export class StageError extends Error {
  override name = 'StageError';
  readonly code: StageFailureCode;
  /** The last lines of the part's log, oldest first. */
  readonly logLines: string[];
  constructor(code: StageFailureCode, message: string, logLines: string[] = []) {
    super(message);
    this.code = code;
    this.logLines = logLines;
  }
}

export type StageFailureCode =
  | 'engine-unavailable'
  | 'image-unavailable'
  | 'build-failed'
  | 'start-failed'
  | 'not-ready'
  | 'nothing-listens'
  | 'exited'
  | 'server-restarted'
  | 'out-of-memory'
  | 'database-not-ready'
  | 'database-exited'
  | 'init-sql-failed'
  | 'pooler-failed'
  | 'gateway-failed'
  | 'tool-missing';

// ── Load ──────────────────────────────────────────────────────────────────────────────────────────────────────────

export interface GeneratorRunner {
  /** Null where the generator is not to be found. */
  version(name: GeneratorName): Promise<string | null>;
  /** Runs one generator to its end. Rejects only when aborted or when it could not be started at all. */
  run(request: GeneratorRunRequest, signal: AbortSignal): Promise<GeneratorRun>;
  /**
   * A duet: both loads at the same time on the same CPUs, of the same generator, connections and rate. The first is
   * launched first, the second as soon after it as can be; each has a run of its own, also where one process serves both.
   * A side that fails lets the other come to its end. Rejects as `run` does, once nothing of either is left.
   */
  runTogether(
    requests: readonly [GeneratorRunRequest, GeneratorRunRequest],
    signal: AbortSignal,
  ): Promise<[GeneratorRun, GeneratorRun]>;
}

/** The generator could not be started as asked: no program, no permission. The message is a sentence for people. */
export class GeneratorNotStarted extends Error {
  override name = 'GeneratorNotStarted';
}

export interface GeneratorRunRequest {
  case: Case;
  origin: string;
  durationSeconds: number;
  rate: number | null;
  /** CPUs in the kernel's notation; null leaves it where it is. */
  cpus: string | null;
  /** Called every 100 ms or so while the generator runs, with its CPU time so far. */
  onTick?(tick: { elapsedNs: number }): void;
  /** Called at the moment that its process has ended, however it did: what is read here is of the load and no more. */
  onEnd?(): void;
}

export interface GeneratorRun {
  outcome: GeneratorOutcome | null;
  /** Why there is no outcome: what the generator said. */
  failure: string | null;
  startedNs: number;
  durationNs: number;
  /** User and system time of the generator, all threads. */
  cpuNs: number;
  exitCode: number | null;
  signal: string | null;
  timedOut: boolean;
  /** Name → content of all it printed and left, as it came: what goes into `raw/`. */
  raw: Record<string, string>;
}

/** Asks for an endpoint as a client would, without load. */
export interface HttpProbe {
  ask(origin: string, service: Service, endpoint: Endpoint, signal: AbortSignal): Promise<Answer>;
  /** `count` requests, one after the other on one connection; bytes are those of the wire, headers included. */
  askInTurn(
    origin: string,
    service: Service,
    endpoint: Endpoint,
    count: number,
    signal: AbortSignal,
  ): Promise<{ answers: number; failures: number; bytes: number; constantSize: boolean }>;
}

// ── Machine, files, progress ──────────────────────────────────────────────────────────────────────────────────────

/** CPU time of whole CPUs, for what is used by nobody of ours. Synchronous and cheap. */
export interface CpuMeter {
  /**
   * Of the CPUs named, since boot: tasks of all the machine (interrupts left out), what the hypervisor took, and what
   * nobody used.
   */
  read(cpus: string): { busyNs: number; stealNs: number; idleNs: number };
  /** CPU time of wrkbench itself, without its children. */
  ownNs(): number;
  /** How many CPUs a list in the kernel's notation names. */
  count(cpus: string): number;
}

/** Local ports for outgoing connections. */
export interface PortMeter {
  read(): { timeWait: number; available: number };
}

/** Only one run measures on a machine at a time. */
export interface MachineLock {
  acquire(runId: string, onWait: (holder: string) => void, signal: AbortSignal): Promise<{ release(): Promise<void> }>;
}

/** A run's folder. Every method rejects with `StoreError` where the disk is full or may not be written. */
export interface RunStore {
  directory: string;
  journal: {
    /** Flushed to the disk when it resolves. */
    append(entry: JournalEntry): Promise<void>;
    /** Null where the folder holds none. */
    read(): Promise<JournalEntry[] | null>;
  };
  /** Writes `raw/NAME` and resolves to that path. */
  writeRaw(name: string, content: string): Promise<string>;
  /** Replaces a file of the folder whole: it is the old one or the new one, never half of it. */
  write(name: string, content: string): Promise<void>;
}

export class StoreError extends Error {
  override name = 'StoreError';
}

/** What a run tells while it goes on. */
export interface Progress {
  /** A sentence for the reader. */
  say(text: string): void;
  /** Something to mend or to know, that does not end the run. */
  warn(text: string): void;
  /** A service's cases follow; `end` closes it. */
  begin(title: string): void;
  end(): void;
  /** Where the run is; replaces what was told last. */
  at(state: { done: number; total: number; what: string; remainingSeconds: number }): void;
  /** A case is measured. */
  measured(line: string): void;
}

// ── Baselines ─────────────────────────────────────────────────────────────────────────────────────────────────────

export interface Repositories {
  /** The repository that a folder lies in, or why there is none that can be read. */
  at(directory: string): Promise<Repository | Reason>;
}

/** A git repository. Nothing here touches its checkout, index, configuration or branches. */
export interface Repository {
  /** Top of the checkout, absolute, without symbolic links. */
  root: string;
  /** A file's path relative to `root`; null where it lies elsewhere. */
  pathOf(file: string): Promise<string | null>;
  /**
   * `baseBranch`: that the checkout grew from; null takes that of the remote, or main or master. What lies in `ownFolders`
   * (absolute) is none of its changes.
   */
  facts(baseBranch: string | null, ownFolders: string[]): Promise<CheckoutFacts>;
  /** The commit that a name stands for; null where none is here. No name is ever taken for an option. */
  commitOf(name: string): Promise<string | null>;
  /** From a commit back along first parents, itself first; empty where it is not here. */
  firstParents(sha: string, most: number): Promise<string[]>;
  /** A file's text at a commit; null where it is not there. `path` is relative to `root`. */
  textAt(sha: string, path: string): Promise<string | null>;
  /** Id of the tree of a commit. */
  treeOf(sha: string): Promise<string | null>;
  /** Some of the files and folders that git is told to ignore, relative to `root`. */
  ignored(most: number): Promise<string[]>;
  /** A clean checkout of a commit, with its submodules, in a folder of its own. Rejects with `WorktreeFailure`. */
  worktree(sha: string, signal: AbortSignal): Promise<Worktree>;
}

export interface Worktree {
  /** Absolute, without symbolic links. */
  directory: string;
  /** What is not as its author had it. */
  cautions: Reason[];
  /** Never rejects; safe to call twice. */
  release(): Promise<void>;
}

/** A commit could not be checked out; the message is a sentence for people, without credentials. */
export class WorktreeFailure extends Error {
  override name = 'WorktreeFailure';
}

/** Images that a container engine holds. */
export interface ImageStore {
  /** False too where no engine answers. */
  has(reference: string): Promise<boolean>;
}

/** Records of earlier runs. */
export interface RecordHistory {
  /**
   * The record of a spec that is nearest in `ancestors` (nearest first), or the last one where the commit of neither is
   * known. Null where there is none; interrupted runs do not count.
   */
  latest(specName: string, ancestors: string[]): Promise<RunRecord | null>;
  /** All of a spec, in no particular order. */
  all(specName: string): AsyncIterable<RunRecord>;
  /** Where they are looked for, for a sentence. */
  place: string;
}

/** Files that a baseline is read from. */
export interface BaselineFiles {
  /** Null where there is no such file. */
  text(path: string): Promise<string | null>;
  /** Hash of the content; null where it cannot be read. */
  hash(path: string): Promise<string | null>;
  /** Whether there is a file or folder. */
  exists(path: string): Promise<boolean>;
}
