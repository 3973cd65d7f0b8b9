import { NOISE_FILES } from '../../noise/noise-spec.ts';

/** A kind of live comparison: what is measured, what the candidate costs more, and how often. */
export interface LiveKind {
  name: string;
  server: ServerName;
  /** What the spec says behind its services and endpoints. */
  matrix: string;
  /** Comparisons asked for, by condition. */
  wanted: { quiet: number; disturbed: number };
  /** Null where nothing is injected. */
  cost: Cost | null;
  /** Metric that is to be called a regression; null where nothing is. */
  shows: string | null;
}

/**
 * `cpu`: a share of the baseline's CPU time per request, by `BURN_US`, of all requests or of those to some endpoints, each of what it
 * costs itself; else what the candidate's environment gets.
 */
type Cost =
  | { kind: 'cpu'; share: number; endpoints?: readonly EndpointName[] }
  | { kind: 'environment'; environment: Record<string, string> };

export type ServerName = 'http' | 'database' | 'standard';

/** Of the spec that people write first: two endpoints ask the database. */
export const ENDPOINTS = { ping: '/ping', time: '/time', 'db-ping': '/db/ping', users: '/users' } as const;
export type EndpointName = keyof typeof ENDPOINTS;

/**
 * Both sides of the Go server burn 300 us for each request, so that what is injected is about what it costs. Its own work of
 * some 30 us changes with what is burnt, less so from a higher base. In duets, by the cgroup's clock: from 100 us on, 6.7
 * more cost 7.1 +- 0.1 and 13.4 more 14.4 +- 0.1; from 300 us on, 33 more cost 33.9 +- 0.3.
 */
export const SERVERS: Record<ServerName, { image: string; environment: Record<string, string> }> = {
  http: { image: 'wrkbench-fixture/misbehaving:latest', environment: { BURN_US: '300' } },
  database: { image: 'wrkbench-fixture/rest-node:latest', environment: {} },
  standard: { image: 'wrkbench-fixture/rest-node:latest', environment: {} },
};

const ONLY_CPU =
  'cpu-per-request: {max-increase: 0%}, throughput: off, throughput-solo: off, latency-p50: off, latency-p90: off, latency-p99: off, memory-peak: off, memory-growth: off, start-up: off, queries-per-request: off';
const WRK = 'wrk: {threads: 1, connections: [100], keep-alive: [on], duration: 2s}';
const K6 = 'k6: {rate: 60%, connections: [100], keep-alive: [on], duration: 3s}';
/** Both sides together; beside what steals half of the core 60 % could not be held. */
const SLOW_K6 = K6.replace('60%', '40%');
const bothWays = (load: string) => load.replace('[on]', '[on, off]');
const PING = 'ping: {path: /ping, expect: {json: {ok: true}}}';
const DB_PING = 'db-ping: {path: /db/ping, expect: {json: {ok: true}}}';

function matrix(endpoints: string[], loads: string[], gate: string, budgetSeconds: number): string {
  return `endpoints: {${endpoints.join(', ')}}
load: {${loads.join(', ')}, cool-down: 500ms}
gate: {${gate === '' ? '' : `${gate}, `}budget: ${budgetSeconds}s}
`;
}

const HTTP_CPU = matrix([PING], [WRK], ONLY_CPU, 90);
const DATABASE_CPU = matrix([DB_PING], [K6], ONLY_CPU, 180);

function httpCpu(percent: number, wanted: LiveKind['wanted']): LiveKind {
  const cost: Cost = { kind: 'cpu', share: percent / 100 };
  return { name: `http-cpu-${percent}`, server: 'http', matrix: HTTP_CPU, wanted, cost, shows: 'cpu-per-request' };
}

/** Everything at its default: the standard preset, its limits, `budget: auto`. */
const STANDARD = `endpoints: {${Object.entries(ENDPOINTS)
  .map(([name, path]) => `${name}: ${path}`)
  .join(', ')}}
load: {preset: standard}
`;

function standard(name: string, wanted: number, cost: Cost | null, shows: string | null): LiveKind {
  return {
    name: `standard-${name}`,
    server: 'standard',
    matrix: STANDARD,
    wanted: { quiet: wanted, disturbed: 0 },
    cost,
    shows,
  };
}

const EVERY_ENDPOINT = Object.keys(ENDPOINTS) as EndpointName[];

/** In the order that they are told of. */
export const KINDS: readonly LiveKind[] = [
  standard('null', 40, null, null),
  standard('endpoint-6', 20, { kind: 'cpu', share: 0.06, endpoints: ['ping'] }, 'cpu-per-request'),
  standard('endpoint-8', 20, { kind: 'cpu', share: 0.08, endpoints: ['ping'] }, 'cpu-per-request'),
  standard('all-5', 20, { kind: 'cpu', share: 0.05, endpoints: EVERY_ENDPOINT }, 'cpu-per-request'),
  standard('query', 20, { kind: 'environment', environment: { EXTRA_QUERIES: '1' } }, 'queries-per-request'),
  httpCpu(1, { quiet: 20, disturbed: 0 }),
  httpCpu(2, { quiet: 20, disturbed: 0 }),
  httpCpu(5, { quiet: 20, disturbed: 10 }),
  httpCpu(10, { quiet: 20, disturbed: 0 }),
  {
    name: 'database-cpu-3',
    server: 'database',
    matrix: DATABASE_CPU,
    wanted: { quiet: 20, disturbed: 0 },
    cost: { kind: 'cpu', share: 0.03 },
    shows: 'cpu-per-request',
  },
  {
    name: 'one-query-more',
    server: 'database',
    matrix: matrix([DB_PING], [K6], '', 90),
    wanted: { quiet: 20, disturbed: 0 },
    cost: { kind: 'environment', environment: { EXTRA_QUERIES: '1' } },
    shows: 'queries-per-request',
  },
  {
    name: 'memory-20-mb',
    server: 'http',
    matrix: matrix([PING], [WRK], '', 90),
    wanted: { quiet: 10, disturbed: 0 },
    cost: { kind: 'environment', environment: { HOLD_MB: '20' } },
    shows: 'memory-peak',
  },
  {
    name: 'sleep-2-ms',
    server: 'http',
    matrix: matrix([PING], [K6], '', 90),
    wanted: { quiet: 10, disturbed: 0 },
    cost: { kind: 'environment', environment: { SLEEP_MS: '2' } },
    shows: 'latency-p50',
  },
  {
    name: 'null-http',
    server: 'http',
    matrix: matrix([PING], [bothWays(WRK), bothWays(SLOW_K6)], '', 180),
    wanted: { quiet: 55, disturbed: 20 },
    cost: null,
    shows: null,
  },
  {
    name: 'null-database',
    server: 'database',
    matrix: matrix([PING, DB_PING], [WRK, SLOW_K6], '', 180),
    wanted: { quiet: 55, disturbed: 20 },
    cost: null,
    shows: null,
  },
];

/** Measured before anything is injected into a matrix, to know what a request of its baseline costs. */
export function calibrationOf({ server, matrix: same }: LiveKind): LiveKind {
  return {
    name: `calibration-${server}`,
    server,
    matrix: same,
    wanted: { quiet: 0, disturbed: 0 },
    cost: null,
    shows: null,
  };
}

/** The spec of a comparison, which names the candidate's image. */
export function liveSpec({ server, matrix: rest }: LiveKind, image: string): string {
  const environment = server !== 'http' ? ', env: {DATABASE_URL: "${database.url}"}' : '';
  const database =
    server === 'http'
      ? ''
      : `database: {image: "wrkbench-fixture/postgres:15"${server === 'standard' ? `, init: [${Object.keys(NOISE_FILES).join(', ')}]` : ', settings: {fsync: "off", synchronous_commit: "off"}'}}\n`;
  return `name: live
services:
  server: {image: "${image}", port: 8080, ready: {path: /ping}${environment}}
${database}${rest}`;
}
