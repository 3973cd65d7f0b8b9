import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import { TestbedError, type TestbedRequest } from '../../../src/app/ports/testbed.ts';
import {
  askOnce,
  buildFixtureImages,
  databaseWith,
  docker,
  NGINX,
  never,
  newRunId,
  PGBOUNCER,
  POSTGRES,
  requestFor,
  serviceWith,
  specWith,
  thingsOf,
} from './given.ts';

const MIB = 1024 * 1024;
const runtime = dockerRuntime({ environment: process.env });
let runId = newRunId();
let directory: string | null = null;

beforeAll(() => buildFixtureImages('misbehaving', 'postgres', 'pgbouncer', 'nginx'));
afterEach(() => {
  expect(thingsOf(runId)).toEqual([]);
  runId = newRunId();
  if (directory) rmSync(directory, { recursive: true });
  directory = null;
});

/** What `start` rejects with. */
async function failureOf(request: TestbedRequest): Promise<TestbedError> {
  const testbed = await runtime.start(request, never()).catch((error: unknown) => error);
  if (testbed instanceof TestbedError) return testbed;
  throw new Error(`The testbed came up, or something else was thrown: ${testbed}`);
}

function folderWith(files: Record<string, string>): string {
  directory = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
  for (const [name, content] of Object.entries(files)) writeFileSync(join(directory, name), content);
  return directory;
}

describe('a service that does not come up', () => {
  it('exits at once: status and last log lines', async () => {
    const service = serviceWith({ env: { EXIT_AT_START: '1' } });
    const failure = await failureOf(requestFor(runId, specWith(service)));
    expect(failure.code).toBe('exited');
    expect(failure.message).toBe('The service exited with status 1 before it was ready. Its last log lines say why.');
    expect(failure.logLines).toEqual(['fatal: cannot read /etc/server.conf']);
  });

  it('listens on another port: which it is', async () => {
    const service = serviceWith({ env: { PORT: '9000' }, ready: { path: '/ping', timeoutSeconds: 1 } });
    const failure = await failureOf(requestFor(runId, specWith(service)));
    expect(failure.code).toBe('nothing-listens');
    expect(failure.message).toMatch(
      /^plain was asked for http:\/\/[\d.]+:8080\/ping for 1 s, but nothing listens on port 8080; it listens on port 9000: set the service's port in the spec, or tell the server its port by env\.$/,
    );
    expect(failure.logLines).toEqual(['listening on port 9000']);
  });

  it('listens for IPv6 alone: that it does, and on what it should', async () => {
    const config = 'events {} http { server { listen [::]:8080 ipv6only=on; } }';
    const service = serviceWith({
      image: { kind: 'image', reference: NGINX },
      command: ['sh', '-c', `echo '${config}' > /tmp/nginx.conf && exec nginx -c /tmp/nginx.conf -g 'daemon off;'`],
      ready: { path: '/ping', timeoutSeconds: 1 },
    });
    const failure = await failureOf(requestFor(runId, specWith(service)));
    expect(failure.code).toBe('nothing-listens');
    expect(failure.message).toMatch(
      /^plain was asked for http:\/\/[\d.]+:8080\/ping for 1 s, but it listens on \[::\]:8080 for IPv6 alone, and is asked over IPv4: let it listen on 0\.0\.0\.0\.$/,
    );
  });

  it('answers with an error: its status', async () => {
    const service = serviceWith({ env: { NEVER_READY: '1' }, ready: { path: '/ping', timeoutSeconds: 1 } });
    const failure = await failureOf(requestFor(runId, specWith(service)));
    expect(failure.code).toBe('not-ready');
    expect(failure.message).toContain(
      'answers with status 503. Correct ready.path, or raise ready.timeout in the spec.',
    );
  });

  it('hangs: that it takes the connection and does not answer', async () => {
    const service = serviceWith({ env: { SLEEP_MS: '60000' }, ready: { path: '/ping', timeoutSeconds: 1 } });
    const failure = await failureOf(requestFor(runId, specWith(service)));
    expect(failure.code).toBe('not-ready');
    expect(failure.message).toContain('gives no answer: it took the connection and did not answer within 1 s.');
  });

  it('needs more memory than it has', async () => {
    const service = serviceWith({ env: { HOLD_MB: '200' }, memoryBytes: 32 * MIB });
    const failure = await failureOf(requestFor(runId, specWith(service)));
    expect(failure.code).toBe('out-of-memory');
    expect(failure.message).toBe(
      "The service ran out of memory: the kernel ended a process of it. Its limit is 32.0 MiB. Give it more (the service's `memory` in the spec, without which it gets 40 % of the machine's), or fewer connections.",
    );
  });

  it('has a command that the image does not hold', async () => {
    const image = { kind: 'image', reference: POSTGRES } as const;
    const service = serviceWith({ image, command: ['no-such-program'] });
    const failure = await failureOf(requestFor(runId, specWith(service)));
    expect(failure.code).toBe('exited');
    expect(failure.logLines.join('\n')).toMatch(/no-such-program: not found/);
  });

  it('is placed on a CPU that is not there', async () => {
    const placement = { service: '4000', database: '0', generator: '0' };
    const failure = await failureOf(requestFor(runId, specWith(serviceWith()), { placement }));
    expect(failure.code).toBe('start-failed');
    expect(failure.message).toMatch(/Requested CPUs are not available - requested 4000/);
  });

  it('asks for a database that the spec does not have', async () => {
    const service = serviceWith({ env: { DATABASE_URL: '${database.url}' } });
    const failure = await failureOf(requestFor(runId, specWith(service)));
    expect(failure.code).toBe('start-failed');
    expect(failure.message).toContain('`${database.url}` has no value here: the spec has no `database`');
  });
});

describe('a service that comes to grief while it is measured', () => {
  it('exits', async () => {
    const service = serviceWith({ env: { EXIT_AFTER: '3' } });
    const testbed = await runtime.start(requestFor(runId, specWith(service)), never());
    try {
      for (let i = 0; i < 4; i += 1) await askOnce(`${testbed.origins.direct}/ping`).catch(() => {});
      await expect.poll(async () => (await testbed.failure())?.code).toBe('exited');
      const failure = await testbed.failure();
      expect(failure?.message).toBe('The service exited with status 3. Its last log lines say why.');
      expect(failure?.logLines.at(-1)).toBe('fatal: giving up after 3 requests');
    } finally {
      await testbed.stop();
    }
  });

  it('is ended by the kernel for want of memory', async () => {
    const service = serviceWith({ env: { ALLOCATE_KB: '32768' }, memoryBytes: 48 * MIB });
    const testbed = await runtime.start(requestFor(runId, specWith(service)), never());
    try {
      expect(await testbed.failure()).toBeNull();
      // No request more than it takes: where the container has gone, each waits until the kernel has looked for its address in vain.
      const asked = async () => {
        await askOnce(`${testbed.origins.direct}/ping`).catch(() => {});
        return (await testbed.failure())?.code;
      };
      await expect.poll(asked, { timeout: 30_000 }).toBe('out-of-memory');
      expect((await testbed.failure())?.message).toContain(' Its limit is 48.0 MiB. ');
    } finally {
      await testbed.stop();
    }
  });

  it('lets a supervisor of its own start it anew', async () => {
    const service = serviceWith({ env: { RESTART_AFTER: '5' } });
    const testbed = await runtime.start(requestFor(runId, specWith(service)), never());
    try {
      expect(await testbed.failure()).toBeNull();
      for (let i = 0; i < 6; i += 1) await askOnce(`${testbed.origins.direct}/ping`).catch(() => {});
      await expect.poll(async () => (await testbed.failure())?.code).toBe('server-restarted');
    } finally {
      await testbed.stop();
    }
  });

  it('is restarted from outside', async () => {
    const testbed = await runtime.start(requestFor(runId, specWith(serviceWith())), never());
    try {
      docker('container', 'restart', '--time', '0', `wrkbench-${runId}-plain-candidate-1-service`);
      const failure = await testbed.failure();
      expect(failure?.code).toBe('server-restarted');
    } finally {
      await testbed.stop();
    }
  });

  it('is removed by somebody else', async () => {
    const testbed = await runtime.start(requestFor(runId, specWith(serviceWith())), never());
    try {
      docker('container', 'rm', '--force', `wrkbench-${runId}-plain-candidate-1-service`);
      expect(await testbed.failure()).toMatchObject({
        code: 'exited',
        message:
          'The service was removed by somebody else while it was in use. Leave containers with the label wrkbench.run alone.',
      });
    } finally {
      await testbed.stop();
    }
  });

  it('loses its database', async () => {
    const spec = specWith(serviceWith(), { database: databaseWith() });
    const testbed = await runtime.start(requestFor(runId, spec), never());
    try {
      docker('container', 'kill', `wrkbench-${runId}-plain-candidate-1-database`);
      const failure = await testbed.failure();
      expect(failure?.code).toBe('database-exited');
      expect(failure?.message).toBe('The database was ended by SIGKILL (status 137). Its last log lines say why.');
      await expect(testbed.database?.statements()).rejects.toMatchObject({ code: 'database-exited' });
    } finally {
      await testbed.stop();
    }
  });
});

describe('a database that does not come up', () => {
  const withDatabase = (changes: Parameters<typeof databaseWith>[0]) =>
    specWith(serviceWith(), { database: databaseWith(changes) });

  it('is given a setting that Postgres does not know: what Postgres says', async () => {
    const failure = await failureOf(requestFor(runId, withDatabase({ settings: { no_such_setting: '1' } })));
    expect(failure.code).toBe('database-exited');
    expect(failure.logLines.join('\n')).toContain('unrecognized configuration parameter "no_such_setting"');
  });

  it('is given wrong init SQL: file, line and what Postgres says', async () => {
    const specDirectory = folderWith({ 'init.sql': 'CREATE TABLE a (id int);\n\nINSERT INTO b VALUES (1);\n' });
    const failure = await failureOf(requestFor(runId, withDatabase({ init: ['init.sql'] }), { specDirectory }));
    expect(failure.code).toBe('init-sql-failed');
    expect(failure.message).toContain('init.sql:3:13: relation "b" does not exist');
  });

  it('never answers', async () => {
    // A wrong port is a server that runs, and never answers where it is asked. It makes its cluster first, which takes
    // some seconds beside other tests.
    const settings = { port: '5433' };
    const failure = await failureOf(requestFor(runId, withDatabase({ settings, readyTimeoutSeconds: 12 })));
    expect(failure.code).toBe('database-not-ready');
    expect(failure.message).toMatch(/did not answer a query within 12 s; the last attempt ended with: .*ECONNREFUSED/);
    expect(failure.logLines.join('\n')).toContain('port 5433');
  });

  it('has a pooler whose image holds no pgbouncer', async () => {
    const pooler = {
      kind: 'pgbouncer',
      image: NGINX,
      mode: 'session',
      defaultPoolSize: 1,
      maxClientConnections: 2,
    } as const;
    const failure = await failureOf(requestFor(runId, withDatabase({ pooler })));
    expect(failure.code).toBe('start-failed');
    expect(failure.message).toMatch(/pgbouncer/);
  });
});

describe('images that cannot be had', () => {
  const prepare = async (spec: ReturnType<typeof specWith>, specDirectory = process.cwd()) => {
    const lines: string[] = [];
    const request = { runId, spec, services: spec.services, specDirectory, onLine: (line: string) => lines.push(line) };
    return { prepared: await runtime.prepare(request, never()), lines };
  };

  it('is in no registry: its name and what the engine says', async () => {
    const image = { kind: 'image', reference: '127.0.0.1:1/nobody/nothing:1' } as const;
    const { prepared } = await prepare(specWith(serviceWith({ image })));
    expect(prepared).toMatchObject([{ service: 'plain', failure: { code: 'image-unavailable' } }]);
    expect(prepared[0]?.failure?.message).toMatch(
      /^The image 127\.0\.0\.1:1\/nobody\/nothing:1 is not on this machine and cannot be pulled \(docker pull .*connection refused\)\. Check its name and the network, or build it\.$/,
    );
  });

  it('fails to build: the last lines of the build, each told as it came', async () => {
    const specDirectory = folderWith({
      Dockerfile: `FROM ${POSTGRES}\nRUN echo compiling && echo "main.c:3: error" >&2 && exit 7\n`,
    });
    const image = { kind: 'build', context: '.', dockerfile: 'Dockerfile', target: null, args: {} } as const;
    const { prepared, lines } = await prepare(specWith(serviceWith({ image })), specDirectory);
    const failure = prepared[0]?.failure;
    expect(failure?.code).toBe('build-failed');
    expect(failure?.message).toMatch(
      /^The image of service plain cannot be built from Dockerfile \(.*7\)\. Try it by hand, in the folder of the spec: `docker build \.`$/,
    );
    // Without the colour that the builder gives it.
    expect(failure?.logLines).toContain('main.c:3: error');
    expect(lines.join('\n')).toMatch(/plain: .*compiling/);
    expect(lines.join('\n')).not.toContain('\u001b');
  });

  it('has no Dockerfile', async () => {
    const image = { kind: 'build', context: '.', dockerfile: 'Dockerfile', target: null, args: {} } as const;
    const { prepared } = await prepare(specWith(serviceWith({ image })), folderWith({}));
    expect(prepared[0]?.failure?.code).toBe('build-failed');
    expect(prepared[0]?.failure?.message).toMatch(/Dockerfile.*no such file or directory/);
  });

  it('is the database of all: each service fails', async () => {
    const database = databaseWith({ image: '127.0.0.1:1/nobody/postgres:1' });
    const { prepared } = await prepare(specWith(serviceWith(), { database }));
    expect(prepared).toMatchObject([{ service: 'plain', artifact: '', failure: { code: 'image-unavailable' } }]);
    expect(prepared[0]?.failure?.message).toMatch(/^The image of the database is missing\. The image 127/);
  });

  it('builds and uses what is there otherwise', async () => {
    const specDirectory = folderWith({
      'server.dockerfile': 'ARG BASE\nFROM ${BASE} AS wanted\nENV PORT=8080\nFROM wanted\nENV PORT=1\n',
    });
    const args = { BASE: 'wrkbench-fixture/misbehaving:latest' };
    const image = { kind: 'build', context: '.', dockerfile: 'server.dockerfile', target: 'wanted', args } as const;
    const spec = specWith(serviceWith({ image }), {
      database: databaseWith({
        pooler: { kind: 'pgbouncer', image: PGBOUNCER, mode: 'session', defaultPoolSize: 1, maxClientConnections: 9 },
      }),
      gateway: { kind: 'nginx', image: NGINX },
    });
    const { prepared } = await prepare(spec, specDirectory);
    expect(prepared).toMatchObject([{ service: 'plain', failure: null }]);
    const artifact = prepared[0]?.artifact ?? '';
    expect(artifact).toMatch(/^sha256:[0-9a-f]{64}$/);
    const testbed = await runtime.start(requestFor(runId, spec, { artifact }), never());
    expect(await askOnce(`${testbed.origins.gateway}/ping`)).toBe(200);
    await testbed.stop();
    docker('image', 'rm', 'wrkbench-build/testbed-test/plain:latest');
  });
});

describe('an engine that does not answer', () => {
  it('is not there: where it was looked for and what to do', async () => {
    const { PATH = '' } = process.env;
    const nowhere = dockerRuntime({ environment: { PATH, DOCKER_HOST: 'tcp://127.0.0.1:1' } });
    const spec = specWith(serviceWith());
    const message =
      'No Docker engine answers at DOCKER_HOST=tcp://127.0.0.1:1 (Cannot connect to the Docker daemon at tcp://127.0.0.1:1. Is the docker daemon running?). Start it, or correct or unset DOCKER_HOST.';
    await expect(nowhere.version()).rejects.toMatchObject({ code: 'engine-unavailable', message });
    await expect(nowhere.start(requestFor(runId, spec), never())).rejects.toMatchObject({ code: 'engine-unavailable' });
    const request = { runId, spec, services: spec.services, specDirectory: '/', onLine: () => {} };
    expect(await nowhere.prepare(request, never())).toMatchObject([{ failure: { code: 'engine-unavailable' } }]);
  });

  it('is not installed', async () => {
    const bare = dockerRuntime({ environment: { PATH: '/nonexistent' } });
    await expect(bare.version()).rejects.toMatchObject({
      code: 'engine-unavailable',
      message: expect.stringMatching(/^There is no docker command on this machine\. Install an engine/),
    });
  });
});
