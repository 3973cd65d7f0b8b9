/** What every runtime of testbeds must do, whatever its parts are made of. */
import http from 'node:http';
import pg from 'pg';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttpProbe } from '../../src/adapters/http/probe.ts';
import { type Testbed, TestbedError, type TestbedRequest, type TestbedRuntime } from '../../src/app/ports/testbed.ts';
import type { Dependency } from '../../src/core/config/dependency.ts';
import type { Database, ResolvedSpec, Service } from '../../src/core/config/resolved.ts';
import type { Protocol } from '../../src/core/values/protocol.ts';
import { endpointAt } from '../support/endpoint-at.ts';
import { REST_NODE_SQL } from '../support/server-programs.ts';
import { plainDatabase, plainDependency, plainService, plainSpec } from '../support/testbed-specs.ts';

export interface TestbedGiven {
  runtime: TestbedRuntime;
  /** Makes what the services are started from; each call the same. */
  prepare(): Promise<void>;
  /** The bundled example, with a database. */
  restNode(): Pick<Service, 'image' | 'command'>;
  /** The server that misbehaves as its environment says. */
  misbehaving(): Pick<Service, 'image' | 'command'>;
  /** Tells what it reaches (`fixtures/servers/dialler`). */
  dialler(): Pick<Service, 'image' | 'command' | 'files'>;
  /** Answers over TLS or not, as its word says (`fixtures/servers/tls`). */
  overTls(way: 'https' | 'h2-tls' | 'plain'): Pick<Service, 'image' | 'command' | 'files'>;
  /** The real one. */
  redis(): Pick<Dependency, 'image' | 'command'>;
  images: { database: string; pooler: string; gateway: string };
  /** A command that ends well when a replica is connected to its primary. */
  replicaIsUp: string[];
  /** Processes share the machine's network; containers of one side cannot reach those of the other. */
  reachesOtherSide: boolean;
  /** Each side has all ports to itself, and so the numbers of the spec. */
  hasOwnPorts: boolean;
  /** What this user cannot see of a service, in sentences. */
  unseen: string[];
  /** Everything of this run that is there: processes, folders, containers, networks. */
  remains(runId: string): string[];
}

const never = () => new AbortController().signal;
let runs = 0;

export function testbedContract(name: string, given: TestbedGiven): void {
  const { runtime } = given;
  let runId = '';
  let before: string[] = [];

  const service = (source: Pick<Service, 'image' | 'command'>, changes: Partial<Service> = {}): Service =>
    plainService(source, { name: 'contract', ...changes, env: { PORT: '${port}', ...changes.env } });
  const withDatabase = (changes: Partial<Service> = {}) =>
    service(given.restNode(), { ...changes, env: { DATABASE_URL: '${database.url}', ...changes.env } });
  const database = (changes: Partial<Database> = {}): Database =>
    plainDatabase(given.images.database, { init: REST_NODE_SQL, ...changes });
  const dialling = (changes: Partial<Service> = {}) => service(given.dialler(), changes);
  const redis = (changes: Partial<Dependency> = {}) => plainDependency(given.redis(), { name: 'redis', ...changes });
  const spec = (one: Service, parts: Partial<ResolvedSpec> = {}): ResolvedSpec => ({ ...plainSpec(one), ...parts });

  async function requestFor(of: ResolvedSpec, changes: Partial<TestbedRequest> = {}): Promise<TestbedRequest> {
    const one = of.services[0]!;
    const preparation = { runId, spec: of, services: of.services, specDirectory: process.cwd(), onLine: () => {} };
    const [prepared] = await runtime.prepare(preparation, never());
    if (prepared?.failure) throw prepared.failure;
    const placement = { service: '0', database: '0', generator: '1' };
    const what = { runId, spec: of, service: one, variant: 'candidate', round: 1, placement } as const;
    return { ...what, specDirectory: process.cwd(), artifact: prepared?.artifact ?? '', ...changes };
  }
  async function running(request: TestbedRequest, use: (testbed: Testbed) => Promise<void>): Promise<void> {
    const testbed = await runtime.start(request, never());
    try {
      await use(testbed);
    } finally {
      await testbed.stop();
    }
  }
  const ownRemains = () => given.remains(runId).filter((thing) => !before.includes(thing));

  describe(`a testbed of the ${name} runtime`, () => {
    beforeAll(() => given.prepare());
    afterEach(() => expect(ownRemains()).toEqual([]));
    const begin = () => {
      runs += 1;
      runId = `contract-${process.pid}-${runs}-${Date.now().toString(36)}`;
      before = given.remains(runId);
    };

    it('is what was asked for, answers at its origin, and is gone after its end, however often that is called', async () => {
      begin();
      const testbed = await runtime.start(await requestFor(spec(service(given.misbehaving())), { round: 3 }), never());
      expect(testbed).toMatchObject({ variant: 'candidate', round: 3, database: null });
      expect(testbed.service.name).toBe('contract');
      expect(Object.keys(testbed.origins)).toEqual(['direct']);
      expect(testbed.meters).toMatchObject({ database: null, gateway: null });
      expect(await ask(`${testbed.origins.direct}/ping`)).toEqual({ status: 200, body: '{"ok":true,"message":"OK"}' });
      expect(await testbed.failure()).toBeNull();
      expect((await testbed.logLines('service', 1)).join()).toMatch(/^listening on port \d+$/);
      expect(await testbed.logLines('database', 1)).toEqual([]);
      await Promise.all([testbed.stop(), testbed.stop()]);
      await testbed.stop();
      expect(ownRemains()).toEqual([]);
      // Where its network is gone, somebody farther away may answer in its place.
      const after = await ask(`${testbed.origins.direct}/ping`).catch(() => null);
      expect(after?.body).not.toBe('{"ok":true,"message":"OK"}');
    });

    it('meters CPU time that never goes back, and memory', async () => {
      begin();
      const env = { BURN_US: '5000', HOLD_MB: '64' };
      await running(await requestFor(spec(service(given.misbehaving(), { env }))), async ({ origins, meters }) => {
        const first = meters.service.cpuNs();
        let last = first;
        for (let i = 0; i < 60; i += 1) {
          await ask(`${origins.direct}/ping`);
          const now = meters.service.cpuNs();
          expect(now).toBeGreaterThanOrEqual(last);
          last = now;
        }
        expect((last - first) / 1e6).toBeGreaterThan(295);
        expect(meters.service.memoryBytes()).toBeGreaterThan(64 * 1024 ** 2);
        expect(meters.service.memoryBytes()).toBeLessThan(128 * 1024 ** 2);
      });
    });

    it('counts accepted connections, so that keep-alive shows', async () => {
      begin();
      await running(await requestFor(spec(service(given.misbehaving()))), async (testbed) => {
        const first = testbed.acceptedConnections('direct');
        for (let i = 0; i < 50; i += 1) await ask(`${testbed.origins.direct}/ping`);
        expect(testbed.acceptedConnections('direct') - first).toBeGreaterThanOrEqual(50);
      });
    });

    it('shows the processes, threads, sockets, CPUs and output of the service', async () => {
      begin();
      await running(await requestFor(spec(service(given.restNode()))), async (testbed) => {
        const threads = testbed.threadTimes();
        expect(threads.size).toBeGreaterThan(1);
        // Of its single process, which began with the thread that has the process's number.
        const main = testbed.mainThreadsNs()!;
        expect(main).toBeGreaterThan(0);
        expect(main).toBeLessThanOrEqual(testbed.meters.service.cpuNs());
        const seen = await testbed.observed(0.3, never());
        const { unseen } = given;
        expect(seen).toMatchObject({ listeners: 1, processes: 1, cpus: '0', threads: threads.size, unseen });
        if (unseen.length > 0) return;
        expect(seen.outputBytesPerSecond).toBe(0);
        expect(seen.backlog).toBeGreaterThan(0);
        expect(['file', 'pipe']).toContain(seen.outputs?.join());
      });
    });

    it('counts the statements of the service exactly: 200 requests are 200 calls', async () => {
      begin();
      await running(await requestFor(spec(withDatabase(), { database: database() })), async (testbed) => {
        expect(testbed.database?.version).toMatch(/^\d+(\.\d+)*\w*$/);
        await ask(`${testbed.origins.direct}/users`);
        await testbed.database?.resetStatements();
        for (let i = 0; i < 200; i += 1) expect((await ask(`${testbed.origins.direct}/users`)).status).toBe(200);
        const statements = (await testbed.database?.statements()) ?? [];
        expect(statements.map(({ calls, rows }) => ({ calls, rows }))).toEqual([{ calls: 200, rows: 200 }]);
        expect(statements[0]?.query).toMatch(/FROM users ORDER BY id LIMIT/);
        expect(await testbed.database?.connections()).toBeGreaterThan(0);
        expect(testbed.meters.database?.cpuNs()).toBeGreaterThan(0);
        expect(testbed.meters.database?.memoryBytes()).toBeGreaterThan(1024 ** 2);
      });
    });

    it("has several databases in one server, each the service's own, and counts what is sent to all of them", async () => {
      begin();
      const jobs = 'postgres://${database.user}:${database.password}@${database.host}:${database.port}/jobs';
      const several = database({ moreNames: ['jobs', 'with "quote"'] });
      const env = { MAIN: '${database.url}', JOBS: jobs };
      await running(await requestFor(spec(dialling({ env }), { database: several })), async (testbed) => {
        const clients = await Promise.all(['MAIN', 'JOBS'].map((name) => connected(testbed, name)));
        try {
          await clients[1]!.query('CREATE TABLE queue (id int)');
          await testbed.database?.resetStatements();
          for (let i = 0; i < 3; i += 1) await clients[1]!.query('SELECT id FROM queue');
          await clients[0]!.query('SELECT id FROM users LIMIT 1');
          const calls = (await testbed.database?.statements())?.map((each) => [each.query, each.calls]);
          expect(calls).toEqual([
            ['SELECT id FROM queue', 3],
            ['SELECT id FROM users LIMIT $1', 1],
          ]);
          expect(await testbed.database?.connections()).toBe(2);
        } finally {
          await Promise.all(clients.map((client) => client.end()));
        }
      });
    });

    it('reaches the database through the pooler, and the service through the gateway too', async () => {
      begin();
      const limits = { mode: 'session', defaultPoolSize: 20, maxClientConnections: 100 } as const;
      const pooler = { kind: 'pgbouncer', image: given.images.pooler, ...limits } as const;
      const parts = {
        database: database({ pooler }),
        gateway: { kind: 'nginx', image: given.images.gateway } as const,
      };
      await running(await requestFor(spec(withDatabase(), parts)), async (testbed) => {
        expect(testbed.origins.gateway).not.toBe(testbed.origins.direct);
        const direct = await ask(`${testbed.origins.direct}/users`);
        expect(direct.status).toBe(200);
        await testbed.database?.resetStatements();
        const gatewayBefore = testbed.meters.gateway?.cpuNs() ?? 0;
        for (let i = 0; i < 20; i += 1) expect(await ask(`${testbed.origins.gateway}/users`)).toEqual(direct);
        expect((await testbed.database?.statements())?.map(({ calls }) => calls)).toEqual([20]);
        await expect.poll(() => (testbed.meters.gateway?.cpuNs() ?? 0) - gatewayBefore).toBeGreaterThan(0);
        expect(await testbed.failure()).toBeNull();
      });
    });

    it('stands beside one of the other variant, each with its own database', async () => {
      begin();
      const both = spec(withDatabase(), { database: database() });
      await running(await requestFor(both, { variant: 'baseline' }), async (baseline) => {
        await running(await requestFor(both, { variant: 'candidate' }), async (candidate) => {
          expect(baseline.origins.direct).not.toBe(candidate.origins.direct);
          await baseline.database?.resetStatements();
          await candidate.database?.resetStatements();
          for (let i = 0; i < 10; i += 1) await ask(`${candidate.origins.direct}/db/ping`);
          expect((await candidate.database?.statements())?.map(({ calls }) => calls)).toEqual([10]);
          expect(await baseline.database?.statements()).toEqual([]);
        });
        expect((await ask(`${baseline.origins.direct}/users`)).status).toBe(200);
        expect(await baseline.failure()).toBeNull();
      });
    });

    it('is not there where the init SQL fails: file, line and column', async () => {
      begin();
      const init = [...REST_NODE_SQL, 'tests/contract/bad.sql'];
      const request = await requestFor(spec(withDatabase(), { database: database({ init }) }));
      const failure = await runtime.start(request, never()).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(TestbedError);
      expect((failure as TestbedError).code).toBe('init-sql-failed');
      expect((failure as TestbedError).message).toBe(
        'The init SQL failed at tests/contract/bad.sql:3:10: column "nmae" of relation "users" does not exist.',
      );
    });

    it('has what a dump with data and commands of psql loads, each file in a session of its own', async () => {
      begin();
      const files = ['tests/contract/dump.sql', 'tests/contract/dump-is-there.sql'];
      const loaded = database({ init: [...REST_NODE_SQL, ...files] });
      await running(await requestFor(spec(withDatabase(), { database: loaded })), async (testbed) => {
        expect((await ask(`${testbed.origins.direct}/users`)).status).toBe(200);
      });
    });

    it.each([
      [
        'tests/contract/dump-fails.sql',
        'The init SQL failed at tests/contract/dump-fails.sql:4: invalid input syntax for type integer: "one". ' +
          'In the data of COPY failing, line 1, column id: "one".',
      ],
      [
        'fixtures/cases/sql/latin1.sql',
        'The init file fixtures/cases/sql/latin1.sql is not valid UTF-8: byte 32 of line 2 is 0xFC. Save it as UTF-8 ' +
          '(a dump: pg_dump --encoding=UTF8; text in Latin-1: iconv -f LATIN1 -t UTF-8).',
      ],
    ])('is not there where what is to be loaded is wrong: %s', async (file, message) => {
      begin();
      const wrong = database({ init: [...REST_NODE_SQL, file] });
      const outcome = runtime.start(await requestFor(spec(withDatabase(), { database: wrong })), never());
      await expect(outcome).rejects.toMatchObject({ code: 'init-sql-failed', message });
    });

    it('has no autovacuum while it is up for one round alone, unless the spec has a setting of it', async () => {
      begin();
      const init = [...REST_NODE_SQL, 'tests/contract/autovacuum-is-off.sql'];
      const started = async (settings: Database['settings'], isBrief: boolean) => {
        const request = await requestFor(spec(withDatabase(), { database: database({ init, settings }) }), { isBrief });
        return await running(request, async () => {}).then(
          () => 'off',
          (error: Error) => error.message,
        );
      };
      const isOn = expect.stringMatching(/autovacuum-is-off\.sql.*: autovacuum is on\.$/);
      expect(await started({}, true)).toBe('off');
      expect(await started({}, false)).toEqual(isOn);
      expect(await started({ autovacuum_naptime: '30s' }, true)).toEqual(isOn);
    });

    it('has its dependencies beside it, up before the service and metered each by itself', async () => {
      begin();
      const spoken = { REDIS: '${redis.host} ${redis.port}', OTHER: '${second.host} ${second.port}' };
      const dependencies = [redis(), redis({ name: 'second' })];
      await running(await requestFor(spec(dialling({ env: spoken }), { dependencies })), async (testbed) => {
        expect(Object.keys(testbed.meters.dependencies)).toEqual(['redis', 'second']);
        const one = await reachedAt(testbed, 'REDIS');
        const other = await reachedAt(testbed, 'OTHER');
        expect(one).not.toEqual(other);
        expect(await dialled(testbed, one, 'SET greeting hello')).toBe('+OK');
        expect(await dialled(testbed, one, 'EXISTS greeting')).toBe(':1');
        expect(await dialled(testbed, other, 'EXISTS greeting')).toBe(':0');
        const used = () => Object.values(testbed.meters.dependencies).map((meter) => meter.cpuNs());
        const before = used();
        for (let i = 0; i < 5; i += 1) await dialled(testbed, one, 'DEBUG SLEEP 0');
        await dialled(testbed, one, "EVAL 'for i=1,20000000 do end return 1' 0");
        const [busy, idle] = used().map((ns, at) => ns - before[at]!);
        expect(busy! / 1e6).toBeGreaterThan(20);
        expect(idle!).toBeLessThan(busy! / 2);
        for (const meter of Object.values(testbed.meters.dependencies)) {
          expect(meter.memoryBytes()).toBeGreaterThan(500_000);
        }
        expect((await testbed.logLines('dependency redis', 5)).join('\n')).toMatch(/Ready to accept connections/);
        expect(await testbed.failure()).toBeNull();
      });
    });

    it('starts a dependency that names another one, or the database, when that is up', async () => {
      begin();
      const replica = redis({
        name: 'replica',
        env: { ...redis().env, PRIMARY: '${redis.host}', DATABASE: '${database.host}' },
        ready: { kind: 'command', command: given.replicaIsUp, timeoutSeconds: 20 },
      });
      replica.command = [...(redis().command ?? ['redis-server']), '--replicaof', '${redis.host}', '${redis.port}'];
      const parts = { database: database(), dependencies: [replica, redis()] };
      const env = { REDIS: '${redis.host} ${redis.port}', OTHER: '${replica.host} ${replica.port}' };
      await running(await requestFor(spec(dialling({ env }), parts)), async (testbed) => {
        expect(await dialled(testbed, await reachedAt(testbed, 'REDIS'), 'SET one 1')).toBe('+OK');
        const replicated = async () => await dialled(testbed, await reachedAt(testbed, 'OTHER'), 'EXISTS one');
        await expect.poll(replicated).toBe(':1');
      });
    });

    it('has dependencies of its own on each side', async () => {
      begin();
      const env = { REDIS: '${redis.host} ${redis.port}' };
      const both = spec(dialling({ env }), { dependencies: [redis()] });
      await running(await requestFor(both, { variant: 'baseline' }), async (baseline) => {
        await running(await requestFor(both, { variant: 'candidate' }), async (candidate) => {
          const [its, others] = [await reachedAt(candidate, 'REDIS'), await reachedAt(baseline, 'REDIS')];
          expect(its).not.toEqual(others);
          expect(await dialled(candidate, its, 'SET mine 1')).toBe('+OK');
          expect(await dialled(baseline, others, 'EXISTS mine')).toBe(':0');
          expect(await dialled(candidate, others, 'PING')).toBe(given.reachesOtherSide ? '+PONG' : 'timeout');
        });
      });
    });

    it('has its further ports on each side at once: the written numbers in containers, free ones as a process', async () => {
      begin();
      const side = (variant: TestbedRequest['variant']) => {
        const env = { FURTHER_PORT: '${ports.metrics}', SIDE: variant };
        return requestFor(spec(dialling({ env, ports: { metrics: 18_242 } })), { variant });
      };
      await running(await side('baseline'), async (baseline) => {
        await running(await side('candidate'), async (candidate) => {
          const ports = await Promise.all([baseline, candidate].map((each) => environmentOf(each, 'FURTHER_PORT')));
          for (const [index, testbed] of [baseline, candidate].entries()) {
            const at = { host: '127.0.0.1', port: ports[index]! };
            expect(await dialled(testbed, at, '')).toBe(testbed.variant);
          }
          expect(new Set(ports).size).toBe(given.hasOwnPorts ? 1 : 2);
        });
      });
    });

    it('is not there where a dependency does not get ready, or ends at once: which, and what it said', async () => {
      begin();
      const rejected = async (changes: Partial<Dependency>) => {
        const request = await requestFor(spec(dialling(), { dependencies: [redis(changes)] }));
        return (await runtime.start(request, never()).catch((error: unknown) => error)) as TestbedError;
      };
      const wrong = [...(redis().command ?? ['redis-server']), '--no-such-option', 'x'];
      const ended = await rejected({ command: wrong });
      expect(ended).toMatchObject({ code: 'dependency-failed' });
      expect(ended.message).toMatch(
        /^The dependency redis exited with status 1 before it was ready\. Its last log lines say why\.$/,
      );
      expect(ended.logLines.join('\n')).toContain('no-such-option');
      const silent = await rejected({ ready: { kind: 'path', path: '/health', timeoutSeconds: 1 } });
      expect(silent.code).toBe('dependency-failed');
      expect(silent.message).toMatch(/^The dependency redis was asked for http:\/\/.*\/health for 1 s and /);
    });

    it('tells that a dependency has ended while it was measured, by its name', async () => {
      begin();
      const env = { REDIS: '${redis.host} ${redis.port}' };
      await running(await requestFor(spec(dialling({ env }), { dependencies: [redis()] })), async (testbed) => {
        expect(await testbed.failure()).toBeNull();
        await dialled(testbed, await reachedAt(testbed, 'REDIS'), 'SHUTDOWN NOSAVE');
        await expect.poll(async () => (await testbed.failure())?.code).toBe('dependency-failed');
        const failure = await testbed.failure();
        expect(failure?.message).toMatch(/^The dependency redis exited with status 0\. Its last log/);
        expect(failure?.logLines.join('\n')).toContain('bye bye');
      });
    });

    const secured = (way: 'https' | 'h2-tls' | 'plain', protocol: Protocol) =>
      service(given.overTls(way), {
        protocol,
        env: { CERTIFICATE: '${tls.certificate}', KEY: '${tls.key}' },
      });
    it.each([
      ['https', '1.1'],
      ['h2-tls', '2.0'],
    ] as const)(
      'is asked over TLS in %s, where the service shows the certificate of the run',
      async (protocol, version) => {
        begin();
        const one = secured(protocol, protocol);
        await running(await requestFor(spec(one)), async ({ origins }) => {
          expect(origins.direct).toMatch(/^https:\/\//);
          const answer = await createHttpProbe().ask(origins.direct!, one, endpointAt('/version'), never());
          expect(answer).toMatchObject({ kind: 'answered', status: 200 });
          expect(answer.kind === 'answered' && new TextDecoder().decode(answer.body)).toBe(version);
        });
      },
    );

    it('tells in one sentence that a service answers in plain HTTP which is asked over TLS', async () => {
      begin();
      const started = runtime.start(await requestFor(spec(secured('plain', 'https'))), never());
      const failure = await started.catch((error: TestbedError) => error);
      expect(failure).toMatchObject({
        code: 'not-ready',
        message: expect.stringMatching(
          /^contract was asked for https:\/\/[\d.:]+\/ping and answers in plain HTTP\. Start it with the certificate and the key that \$\{tls\.certificate\} and \$\{tls\.key\} name, or correct its protocol \(https\) in the spec\.$/,
        ),
      });
    });

    it('tells that the service has exited, with its last words', async () => {
      begin();
      const env = { EXIT_AFTER: '3' };
      await running(await requestFor(spec(service(given.misbehaving(), { env }))), async (testbed) => {
        for (let i = 0; i < 4; i += 1) await ask(`${testbed.origins.direct}/ping`).catch(() => {});
        await expect.poll(async () => (await testbed.failure())?.code).toBe('exited');
        expect((await testbed.failure())?.message).toContain('exited with status 3.');
        expect((await testbed.failure())?.logLines.at(-1)).toBe('fatal: giving up after 3 requests');
      });
    });

    it('rejects where the service does not get ready: the code says in which way', async () => {
      begin();
      const ready = { path: '/ping', timeoutSeconds: 1 };
      const codes: Record<string, unknown> = {};
      for (const variable of ['EXIT_AT_START', 'NEVER_READY']) {
        const request = await requestFor(spec(service(given.misbehaving(), { ready, env: { [variable]: '1' } })));
        codes[variable] = await runtime.start(request, never()).catch((error: TestbedError) => error.code);
      }
      const elsewhere = await requestFor(spec(service(given.misbehaving(), { ready, env: { LISTEN_PORT: '18241' } })));
      codes.LISTEN_PORT = await runtime.start(elsewhere, never()).catch((error: TestbedError) => error.code);
      expect(codes).toEqual({ EXIT_AT_START: 'exited', NEVER_READY: 'not-ready', LISTEN_PORT: 'nothing-listens' });
    });

    it('tells of a service that does not get ready what its database has said of refusing it', async () => {
      begin();
      const env = { DATABASE_URL: 'postgres://nobody:wrong@${database.host}:${database.port}/${database.name}' };
      const ready = { path: '/users', timeoutSeconds: 2 };
      const request = await requestFor(spec(withDatabase({ env, ready }), { database: database() }));
      const failure = await runtime.start(request, never()).catch((error: TestbedError) => error);
      const refused =
        /^database: .*FATAL: {2}(?:role "nobody" does not exist|password authentication failed for user "nobody")/;
      expect(failure).toMatchObject({
        logLines: expect.arrayContaining([expect.stringMatching(refused)]),
      });
    });

    it('is given up at any moment of its start, with the reason of the interruption', async () => {
      begin();
      const request = await requestFor(spec(withDatabase(), { database: database() }));
      for (const afterMs of [0, 100, 400, 900]) {
        const abort = new AbortController();
        setTimeout(() => abort.abort(new Error('interrupted')), afterMs);
        const outcome = await runtime.start(request, abort.signal).then(
          (testbed) => testbed.stop().then(() => 'up'),
          (error: Error) => error.message,
        );
        expect(['interrupted', 'up']).toContain(outcome);
        expect(ownRemains()).toEqual([]);
      }
    });

    it('is left alone by a sweep while its owner runs', async () => {
      begin();
      await running(await requestFor(spec(service(given.misbehaving()))), async (testbed) => {
        await runtime.sweep();
        expect((await ask(`${testbed.origins.direct}/ping`)).status).toBe(200);
      });
    });
  });
}

/** By the address that a variable of the service holds. */
async function connected({ origins }: Testbed, variable: string): Promise<pg.Client> {
  const { body: connectionString } = await ask(`${origins.direct}/environment?name=${variable}`);
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

async function environmentOf({ origins }: Testbed, name: string): Promise<string> {
  return (await ask(`${origins.direct}/environment?name=${name}`)).body;
}

/** Host and port that a variable of the service names. */
async function reachedAt({ origins }: Testbed, variable: string): Promise<{ host: string; port: string }> {
  const { body } = await ask(`${origins.direct}/environment?name=${variable}`);
  const [host = '', port = ''] = body.split(' ');
  return { host, port };
}

/** What comes back where the service sends something there. */
async function dialled(
  { origins }: Testbed,
  { host, port }: { host: string; port: string },
  send: string,
): Promise<string> {
  return (await ask(`${origins.direct}/dial?${new URLSearchParams({ host, port, send })}`)).body;
}

/** One request on a connection of its own. */
function ask(url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const request = http.get(url, { agent: false }, async (answer) => {
      let body = '';
      for await (const chunk of answer) body += chunk;
      resolve({ status: answer.statusCode ?? 0, body });
    });
    request.setTimeout(10_000, () => request.destroy(new Error(`no answer from ${url} within 10 s`)));
    request.on('error', reject);
  });
}
