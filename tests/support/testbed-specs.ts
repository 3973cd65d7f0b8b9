import type { Dependency } from '../../src/core/config/dependency.ts';
import type { Database, Gateway, ResolvedSpec, Service } from '../../src/core/config/resolved.ts';

/** What tests of testbeds start where they say nothing else: one service that answers `GET /ping` at port 8080. */
export const plainService = (source: Pick<Service, 'image' | 'command'>, changes: Partial<Service> = {}): Service => ({
  name: 'plain',
  workingDirectory: '.',
  port: 8080,
  env: {},
  ready: { path: '/ping', timeoutSeconds: 20 },
  memoryBytes: null,
  openFiles: 4096,
  basePath: '',
  network: 'open',
  protocol: 'h1',
  role: 'subject',
  ...source,
  ...changes,
});

/** Small and quickly there. */
export const plainDatabase = (image: string, changes: Partial<Database> = {}): Database => ({
  image,
  settings: { fsync: 'off', shared_buffers: '32MB', max_connections: '60' },
  init: [],
  name: 'bench',
  user: 'app',
  pooler: null,
  readyTimeoutSeconds: 60,
  ...changes,
});

/** One that listens on its port and is up when that is open. */
export const plainDependency = (
  source: Pick<Dependency, 'image' | 'command'>,
  changes: Partial<Dependency> = {},
): Dependency => ({
  name: 'beside',
  env: {},
  port: 6379,
  ready: { kind: 'port', timeoutSeconds: 20 },
  memoryBytes: null,
  ...source,
  ...changes,
});

/** Of one service, which nothing loads. */
export const plainSpec = (
  service: Service,
  { database = null, gateway = null }: { database?: Database | null; gateway?: Gateway | null } = {},
): ResolvedSpec => ({
  name: 'testbed test',
  services: [service],
  database,
  gateway,
  endpoints: [],
  load: { wrk: null, k6: null, ab: null, h2load: null, warmUp: { kind: 'fixed', seconds: 0 }, coolDownSeconds: 0 },
  placement: 'auto',
  gate: { baseline: 'none', metrics: {}, cases: {}, budgetSeconds: 300 },
});
