import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import { processRuntime } from '../../../src/adapters/process-runtime/runtime.ts';
import type { TestbedRuntime } from '../../../src/app/ports/testbed.ts';
import type { PrepareStep } from '../../../src/core/config/prepare.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { ResolvedSpec } from '../../../src/core/config/resolved.ts';
import { IMAGES } from '../../../tests/support/images.ts';

/** A service with data that it has prepared, in one of the runtimes. */
export interface BenchSide {
  name: string;
  runtime: TestbedRuntime;
  spec: ResolvedSpec;
  /** What is asked so that there is something to put back; it is answered with 201. */
  write: { path: string; body: string };
  /** What is answered while the data are those that were prepared: a path, and the body. */
  whole: { path: string; body: string };
}

/** How the application is started, and what it is given as a job, in each runtime. */
interface Way {
  name: string;
  runtime: TestbedRuntime;
  service: string;
  job(...words: string[]): PrepareStep;
  redis(options: readonly string[]): string;
}

export function waysOf(program: string): Way[] {
  const job = (command: string[]): PrepareStep => ({ kind: 'job', command, env: {}, timeoutSeconds: 60 });
  const serve = JSON.stringify(['node', program, 'serve']);
  return [
    {
      name: 'processes',
      runtime: processRuntime(),
      service: `command: ${serve}`,
      job: (...words) => job(['node', program, ...words]),
      redis: (options) =>
        `command: ${JSON.stringify(['redis-server', '--port', '${port}', '--dir', '${folder}', ...options])}`,
    },
    {
      name: 'containers',
      runtime: dockerRuntime({ environment: process.env }),
      service: `image: "${IMAGES.itemStore}"`,
      job: (...words) => job(words),
      redis: (options) => `image: "${IMAGES.redis}", command: ${JSON.stringify(['redis-server', ...options])}`,
    },
  ];
}

const ROWS = 1000;

/** Beside the table that is written to one of so many megabytes, made by `SIZE.sql` in the folder of the spec. */
export function postgresSide({ name, runtime, service, job }: Way, megabytes: number): BenchSide {
  const spec = readSpec(
    `
name: restore
services:
  store: {${service}, port: 8080, env: {PORT: "\${port}", DATABASE_URL: "\${database.url}"}, ready: /ping}
database: {image: "${IMAGES.postgres}", settings: {fsync: "off", shared_buffers: 256MB}}
endpoints:
  create: {method: POST, path: /items, body: '{"name": "x"}', expect: 201}
`,
    'bench',
  );
  return {
    ...{ name: `${name}, Postgres of ${megabytes} MB`, runtime },
    spec: { ...spec, prepare: [job('migrate'), { kind: 'sql', files: [`${megabytes}.sql`] }] },
    write: { path: '/items', body: '{"name": "x"}' },
    whole: { path: '/count', body: `{"count":${ROWS}}` },
  };
}

/** Rows of 1 kB, and an index of as many keys. */
export function fillingSql(megabytes: number): string {
  return `CREATE TABLE filling (id bigint PRIMARY KEY, text text NOT NULL);
ALTER TABLE filling ALTER COLUMN text SET STORAGE PLAIN;
INSERT INTO filling SELECT n, repeat(md5(n::text), 29) FROM generate_series(1, ${megabytes * 1000}) AS n;
INSERT INTO items (name) SELECT 'item ' || n FROM generate_series(1, ${ROWS}) AS n;
`;
}

/** How Redis keeps its keys; what is in memory alone is gone when it ends. */
export const REDIS_WAYS = [
  { what: 'written when it ends', options: [], keepsKeys: true },
  { what: 'in an append-only file', options: ['--appendonly', 'yes'], keepsKeys: true },
  { what: 'in memory alone', options: ['--save', '', '--appendonly', 'no'], keepsKeys: false },
] as const;

/** Keys of 100 bytes. */
export function redisSide(
  { name, runtime, service, job, redis }: Way,
  keys: number,
  { what, options, keepsKeys }: (typeof REDIS_WAYS)[number],
): BenchSide {
  const spec = readSpec(
    `
name: restore
services:
  store:
    {${service}, port: 8080, env: {PORT: "\${port}", DATABASE_URL: nowhere, REDIS: "\${redis.host} \${redis.port}"}, ready: /ping}
dependencies:
  redis: {${redis(options)}, port: 6379, volumes: [/data]}
endpoints:
  keys: {path: /keys}
  session: {method: POST, path: /sessions, expect: 201}
`,
    'bench',
  );
  return {
    ...{ name: `${name}, Redis of ${keys.toLocaleString('en-US')} keys ${what}`, runtime },
    spec: { ...spec, prepare: [job('keys', String(keys))] },
    write: { path: '/sessions', body: '' },
    whole: { path: '/keys', body: `{"keys":${keepsKeys ? keys : 0}}` },
  };
}
