/**
 * The spec with every default filled in and every unit made explicit: the only form that the rest of the program sees.
 * How a person may write it stands in `schema.ts`, what is filled in stands in `defaults.ts`.
 */

import type { Protocol } from '../generators/definition.ts';
import type { GeneratorName, LoadOfEach } from '../generators/registry.ts';

export interface ResolvedSpec {
  name: string;
  /** In the order of the file. */
  services: Service[];
  database: Database | null;
  gateway: Gateway | null;
  /** In the order of the file. */
  endpoints: Endpoint[];
  load: Load;
  /** Absent where nothing is searched for. */
  search?: CapacitySearch;
  placement: PlacementChoice;
  /** For readers; it moves no number and no verdict. Absent where the spec has none. */
  price?: Price;
  gate: GateRules;
}

/** Amounts of `currency`, three letters of ISO 4217. */
export interface Price {
  cpuHour: number;
  gibHour: number;
  currency: string;
}

export interface Service {
  name: string;
  /** What a container is made from; null where the service can only be started as a process. */
  image: ImageSource | null;
  /** What the process runtime starts; in a container it replaces the image's own command. */
  command: string[] | null;
  /** Folder that `command` starts in, relative to the spec file; process runtime only. */
  workingDirectory: string;
  port: number;
  /** Values may hold `${database.url}`, `${database.host}`, `${port}` and the other names of `placeholders.ts`. */
  env: Record<string, string>;
  /** Null where an open port is enough. */
  ready: { path: string | null; timeoutSeconds: number };
  /** Null: see `memoryLimitOf`. */
  memoryBytes: number | null;
  /** Limit of open files, soft and hard. */
  openFiles: number;
  /** Put before every endpoint's path; '' or '/something' without a slash at the end. */
  basePath: string;
  /** `internal`: its network has no way out. Docker only. */
  network: 'open' | 'internal';
  /** What it is asked in, under load and without. */
  protocol: Protocol;
  /** A `reference` only calibrates: it is measured and shown, never ranked or gated. */
  role: 'subject' | 'reference';
  /** What its spec tells readers of it; absent where that is nothing. */
  about?: About;
  /** How many of the CPUs for services it runs on; absent for all. No whole number: with a limit of CPU time besides. */
  cpus?: number;
  /** Globs of the names of endpoints that it has; absent for all. */
  endpoints?: string[];
  /** Of its trials, where that is not the generator's. */
  durationSeconds?: number;
  /** It closes each connection by design; absent for a service that keeps them. */
  keepAlive?: 'closes';
  /** Errors for each request that its cases may have; absent for the usual limit. */
  errors?: { max: number };
  /** Where it cannot be had, the run goes on without it, and nothing fails; absent for a service that has to be there. */
  optional?: true;
}

/** An address is one of the web; the rest is text of one line. */
export interface About {
  title?: string;
  language?: string;
  framework?: string;
  version?: string;
  url?: string;
}

export type ImageSource =
  | { kind: 'image'; reference: string }
  | {
      kind: 'build';
      context: string;
      dockerfile: string;
      target: string | null;
      args: Record<string, string>;
    };

export interface Database {
  image: string;
  /** Postgres settings, passed as `-c name=value`. */
  settings: Record<string, string>;
  /** SQL files, relative to the spec file, run in this order by the database's owner. */
  init: string[];
  name: string;
  user: string;
  /** Of `user`; absent where each run makes one. */
  password?: string;
  pooler: Pooler | null;
  readyTimeoutSeconds: number;
}

export interface Pooler {
  kind: 'pgbouncer';
  image: string;
  mode: 'session' | 'transaction' | 'statement';
  defaultPoolSize: number;
  maxClientConnections: number;
}

export interface Gateway {
  kind: 'nginx';
  image: string;
  /** The whole configuration in place of ours, relative to the spec file; absent for ours. */
  config?: string;
  /** Globs of the names of endpoints that are asked through it; absent for all. */
  endpoints?: string[];
}

export interface Endpoint {
  name: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
  expect: Expectation;
}

/** What an answer must be; every part that is not null or undefined is checked. */
export interface Expectation {
  status: number;
  /** Compared without parameters where the spec names none: `application/json` fits `application/json; charset=utf-8`. */
  contentType: string | null;
  /** The exact body, byte for byte. */
  body: string | null;
  /** A subset: every key and element named here must be there with this value; undefined means not checked. */
  json?: unknown;
  sizeBytes: { min: number; max: number } | null;
  /** An ECMAScript regular expression that the body must match somewhere. */
  matches: string | null;
}

/** Generator → what it is to do; null where it is off. */
export type GeneratorLoads = { [Name in GeneratorName]: LoadOfEach<'ofSpec'>[Name] | null };
export interface Load extends GeneratorLoads {
  warmUp: WarmUp;
  coolDownSeconds: number;
}

/** Which level each service holds: requests per second, or connections. */
export interface CapacitySearch {
  find: 'rate' | 'connections';
  /** Name of the only endpoint that is asked; null for all of them. */
  endpoint: string | null;
  generator: 'k6' | 'h2load' | 'wrk';
  from: number;
  to: number;
  /** That a rate is sent over. */
  connections: number;
  durationSeconds: number;
  /** `p99Ms` is null where latency does not count; `errorShare` is of 1. */
  limits: { p99Ms: number | null; errorShare: number };
  /** Of 1. */
  precision: number;
}

/** `auto`: until a window answers at most `tolerance` more than the best one before it, `maxSeconds` at most. */
export type WarmUp =
  | { kind: 'auto'; windowSeconds: number; tolerance: number; maxSeconds: number }
  | { kind: 'fixed'; seconds: number };

/** Each a list of CPUs in the kernel's notation (`0`, `0-1`, `0,2-3`). */
export type PlacementChoice = 'auto' | Placement;
export interface Placement {
  service: string;
  database: string;
  generator: string;
}

export interface GateRules {
  /** `auto`, `stored`, `none`, `image:…`, `commit:…` or `record:PATH`. */
  baseline: string;
  /** A fixed release to compare with as well: `image:…`, `commit:…` or `record:PATH`. */
  anchor?: string;
  /** How both sides are loaded; absent where the machine decides. */
  pairing?: 'duet' | 'interleaved';
  /** Defaults among them. An empty limit is a metric that is switched off. */
  metrics: Record<string, MetricLimit>;
  /** Glob over `service`, `/path` or the case key → limits that replace those of `metrics`; the nearest match wins. */
  cases: Record<string, Record<string, MetricLimit>>;
  /** Of wall clock, for comparing the whole matrix; null for `auto`. */
  budgetSeconds: number | null;
  /** How often each side is built, the rounds using the builds in turn; absent for once. */
  builds?: number;
}

/** A `ratio` of 0.03 is 3 %; an `absolute` is in the metric's own unit. */
export interface MetricLimit {
  maxIncrease?: Limit;
  maxDecrease?: Limit;
  max?: number;
  min?: number;
}
export type Limit = { kind: 'ratio'; value: number } | { kind: 'absolute'; value: number };
