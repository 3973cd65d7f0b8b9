/** What stands in a spec where nothing is written, as a person would have written it. Those of a generator's own keys are in its folder. */
export const DEFAULTS = {
  service: {
    'working-directory': '.',
    ready: { timeout: '30s' },
    'open-files': 1_048_576,
    'base-path': '',
    network: 'open',
    protocol: 'h1',
    'keep-alive': 'keeps',
    role: 'subject',
    optional: false,
  },
  build: { context: '.', dockerfile: 'Dockerfile' },
  database: { image: 'postgres:18', name: 'bench', user: 'bench', ready: { timeout: '60s' } },
  pooler: {
    image: 'edoburu/pgbouncer:v1.24.1-p1',
    mode: 'session',
    'default-pool-size': 50,
    'max-client-connections': 500,
  },
  gateway: { image: 'nginx:1.29' },
  endpoint: { method: 'GET' },
  expect: { status: 200 },
  load: { preset: 'standard', 'warm-up': 'auto', 'cool-down': '1s' },
  search: {
    find: 'rate',
    connections: 100,
    duration: '5s',
    limits: { errors: '0.1%' },
    precision: '5%',
  },
  placement: 'auto',
  gate: { baseline: 'auto', pairing: 'auto', budget: 'auto', builds: 1 },
} as const;

/** `warm-up: auto`: until a window answers no more than those before it, or the last second is over. */
export const AUTO_WARM_UP = { windowSeconds: 1, tolerance: 0.02, maxSeconds: 15 } as const;

/** Of the machine's memory, for a service whose spec says nothing: two of them leave room for a generator. */
export const DEFAULT_MEMORY_SHARE = 0.4;
/** Docker starts no container with less. */
export const LEAST_MEMORY_BYTES = 6 * 1024 ** 2;
/** Of one service. More take longer to build than they tell. */
export const MOST_BUILDS = 20;
/** No single wait or trial is longer. */
export const LONGEST_SECONDS = 24 * 3600;
/** A plan of more cases than this is a slip: at 10 s each it would take more than a day. */
export const MOST_CASES = 10_000;
