import type { GateRules, Placement, ResolvedSpec } from '../config/resolved.ts';
import type { GeneratorName } from '../generators/registry.ts';
import type { Utilisation } from '../measurement/measurement.ts';
import type { Reason, Route, Variant } from '../measurement/names.ts';

/** `run.json`: all that one execution measured. `schema.ts` checks it at the door. */
export interface RunRecord {
  schemaVersion: 1;
  id: string;
  /** ISO 8601, UTC. */
  startedAt: string;
  finishedAt: string;
  tool: { name: 'wrkbench'; version: string };
  source: {
    repository: string | null;
    sha: string | null;
    ref: string | null;
    pullRequest: number | null;
    /** Of the spec, from the top of the repository, with `/` between its parts; absent where git does not say. */
    specPath?: string;
  };
  environment: Environment;
  spec: ResolvedSpec;
  seed: number;
  /** What it was compared with; absent for a run on its own. */
  comparing?: Comparing;
  /** Where a baseline was asked for and none was started: the numbers that stood in for it, or why there was nothing. */
  unpaired?: Unpaired;
  /** In place of both, in a record of the data branch: what is left of the comparison. */
  published?: PublishedComparison;
  timing: { wallSeconds: number; loadSeconds: number };
  /** What was started: digests and versions, by service. */
  services: ServiceRecord[];
  cases: CaseRecord[];
  /** Why the run ended early, where it did; its cases are then only those measured before. */
  interrupted: { code: string; message: string } | null;
}

/** All that a comparison of this record with itself needs beside its cases: it can be worked out again from `run.json`. */
export interface Comparing {
  mode: 'duet' | 'interleaved';
  baseline: SideOrigin;
  candidate: SideOrigin;
  /** Limits in force: those of the baseline's spec, where it has one. */
  gate: GateRules;
  /** Why no pair was measured, where both sides are the same. */
  skipped: Reason | null;
  /** What the reader should know of how the baseline was had. */
  warnings: Reason[];
  accepted: AcceptedChange[];
}

/** What later runs want to know of how a stored run compared. */
export interface PublishedComparison {
  accepted: AcceptedChange[];
  baseline: SideOrigin | null;
  /** Null where it was compared with nothing. */
  passed: boolean | null;
}

/** A change for the worse that somebody accepts, with the reason. */
export interface AcceptedChange {
  cases: string;
  metric: string | null;
  reason: string;
}

/** A baseline was asked for, and the candidate was measured without one beside it. */
export interface Unpaired {
  /** Phrase of the baseline, as it was asked for. */
  wanted: string;
  /** The stored run whose numbers the candidate was held against; null where there was nothing. */
  baseline: SideOrigin | null;
  candidate: SideOrigin;
  /** What the reader should know of it: why there was nothing better. */
  warnings: Reason[];
  /** There is something to compare with, and it could not be had: nothing shows that the candidate is no worse. */
  failed: boolean;
  accepted: AcceptedChange[];
}

export interface SideOrigin {
  /** Of the stored record that it was taken from; null where it was built for this run alone. */
  recordId: string | null;
  sha: string | null;
  /** `commit 3f2c1ab (merge-base with main), built in this run`. */
  text: string;
}

export interface Environment {
  cpuModel: string;
  cpuCount: number;
  memoryBytes: number;
  kernel: string;
  os: string;
  runtime: 'docker' | 'process';
  placement: Placement;
  sysctls: Record<string, string>;
  versions: Record<GeneratorName | 'docker' | 'postgres', string | null>;
}

export interface ServiceRecord {
  service: string;
  variant: Variant;
  /** Image id or digest, or the command line of a process; of several builds the first. */
  artifact: string;
  /** Of each build, where there are several: the rounds use them in turn. */
  builds?: string[];
  /** Why there is one build although several were asked for. */
  oneBuild?: string;
  /** Why this service was not measured, where it was not (it never got ready, its image could not be had, …). */
  failure: { code: string; message: string } | null;
}

export interface CaseRecord {
  key: string;
  service: string;
  variant: Variant;
  endpoint: string;
  route: Route;
  generator: GeneratorName;
  keepAlive: boolean;
  connections: number;
  /** Requests per second that an open-model generator was told to send; null for a closed loop. */
  rate: number | null;
  status: 'valid' | 'invalid';
  reasons: Reason[];
  /** Worth knowing, and no reason to distrust the numbers (a neighbour took 7 % of the service's CPU). */
  warnings: Reason[];
  metrics: Record<string, MetricRecord>;
  utilisation: Utilisation | null;
  /** Of its first duets; absent without any. */
  duet?: DuetLoad;
  /** Of the passes without load, per request, of all rounds together; absent without a database. */
  statements?: StatementRecord[];
  /** Paths inside the run's folder, as `raw/…`. */
  raw: string[];
}

/** Medians over a case's duets up to the first look: whether the two sides really competed for the CPU, half and half. */
export interface DuetLoad {
  /** This side's CPU time, of what both sides used. 0.5 where they are equals. */
  cpuShare: number;
  /** Of the CPUs of service and database: what was not idle, whoever used it; 1 where nobody waited. */
  busyShare: number;
}

export interface StatementRecord {
  /** Normalised text, as pg_stat_statements keeps it. */
  query: string;
  callsPerRequest: number;
  rowsPerRequest: number;
  msPerRequest: number;
}

export interface MetricRecord {
  /** Median of the samples alone, of the round for published figures where there is one; comparisons use the paired ones. */
  value: number;
  unit: string;
  samples: Sample[];
}

export interface Sample {
  round: number;
  trial: number;
  /** Number of the pair that the trial belongs to; null for a trial that has no partner. */
  pair: number | null;
  mode: 'solo' | 'duet';
  /** Monotonic clock of the machine. */
  startedNs: number;
  durationNs: number;
  value: number;
  /** Of throughput: requests that were answered as expected, by the generator's own count, without its lead-in. */
  requests?: number;
}
