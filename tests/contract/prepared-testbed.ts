/** What every runtime of testbeds must do with data: make them by steps, begin each start with them, and put them back. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type Testbed,
  type TestbedActivity,
  TestbedError,
  type TestbedRequest,
  type TestbedRuntime,
} from '../../src/app/ports/testbed.ts';
import type { Dependency } from '../../src/core/config/dependency.ts';
import type { JobStep, PrepareStep, RepeatedRequest } from '../../src/core/config/prepare.ts';
import type { Database, Endpoint, ResolvedSpec, Service } from '../../src/core/config/resolved.ts';
import { plainDatabase, plainDependency, plainService, plainSpec } from '../support/testbed-specs.ts';

export interface PreparedGiven {
  runtime: TestbedRuntime;
  /** Makes what the services are started from; each call the same. */
  prepare(): Promise<void>;
  /** The application that migrates and writes: fixtures/servers/item-store. */
  itemStore(): Pick<Service, 'image' | 'command'>;
  /** Words of a job that gives it a command. */
  command(...words: string[]): string[];
  images: { database: string; pooler: string };
  /** A Redis that writes what it has when it is asked to end, unless its options say otherwise. */
  redis(...options: string[]): Pick<Dependency, 'image' | 'command'>;
  /** Where a side can have one without a way out. */
  network: Service['network'];
  /** Everything of this run that is there: processes, folders, containers, networks, volumes. */
  remains(runId: string): string[];
}

const never = () => new AbortController().signal;
let runs = 0;

export function preparedTestbedContract(name: string, given: PreparedGiven): void {
  const { runtime } = given;
  let runId = '';
  let before: string[] = [];

  const job = (...words: string[]): JobStep => ({
    ...{ kind: 'job', command: given.command(...words), env: {}, timeoutSeconds: 60 },
  });
  const sql = (...files: string[]): PrepareStep => ({
    kind: 'sql',
    files: files.map((file) => `tests/contract/${file}`),
  });
  const request = (changes: Partial<RepeatedRequest> = {}): RepeatedRequest => ({
    ...{ method: 'POST', path: '/items', headers: {}, body: '{"name": "item ${n}"}', status: 201, repeat: 3 },
    ...changes,
  });
  const requests = (...all: RepeatedRequest[]): PrepareStep => ({ kind: 'requests', requests: all });
  /** 6 by jobs, 5 by SQL, 3 by requests. */
  const STEPS = () => [job('migrate'), job('fill', '6'), sql('seed.sql'), requests(request())];

  const endpoint = (changes: Partial<Endpoint>): Endpoint => ({
    ...{ name: 'any', method: 'GET', path: '/items', headers: {}, body: null },
    expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null },
    ...changes,
  });
  const READING = endpoint({ name: 'list' });
  const WRITING = [endpoint({ name: 'create', method: 'POST', body: '{"name": "x"}' })];

  async function requestFor(
    prepare: PrepareStep[],
    { env = {}, database = {}, endpoints = [], dependencies, network = 'open' }: Wanted = {},
    changes: Partial<TestbedRequest> = {},
  ): Promise<TestbedRequest> {
    const service = plainService(given.itemStore(), {
      name: 'store',
      network,
      env: { PORT: '${port}', DATABASE_URL: '${database.url}', ...env },
    });
    const spec: ResolvedSpec = {
      ...plainSpec(service, { database: database && plainDatabase(given.images.database, database) }),
      ...(dependencies === undefined ? {} : { dependencies }),
      ...(prepare.length === 0 ? {} : { prepare }),
      endpoints,
    };
    const preparation = { runId, spec, services: [service], specDirectory: process.cwd(), onLine: () => {} };
    const [prepared] = await runtime.prepare(preparation, never());
    if (prepared?.failure) throw prepared.failure;
    const placement = { service: '0', database: '0', generator: '1' };
    const what = { runId, spec, service, variant: 'candidate', round: 1, placement } as const;
    return { ...what, specDirectory: process.cwd(), artifact: prepared?.artifact ?? '', ...changes };
  }
  async function running<T>(of: TestbedRequest, use: (testbed: Testbed) => Promise<T>): Promise<T> {
    const testbed = await runtime.start(of, never());
    try {
      return await use(testbed);
    } finally {
      await testbed.stop();
    }
  }
  const failureOf = async (steps: PrepareStep[], wanted: Wanted = {}) =>
    await runtime.start(await requestFor(steps, wanted), never()).then(
      (testbed) => testbed.stop().then(() => 'up'),
      (error: unknown) => error,
    );
  const ownRemains = () => given.remains(runId).filter((thing) => !before.includes(thing));

  describe(`data on a testbed of the ${name} runtime`, () => {
    beforeAll(() => given.prepare());
    afterEach(async () => {
      await runtime.release(runId);
      expect(ownRemains()).toEqual([]);
    });
    const begin = () => {
      runs += 1;
      runId = `prepared-${process.pid}-${runs}-${Date.now().toString(36)}`;
      before = given.remains(runId);
    };

    it('are told of while they are made and put back: each step as it begins, and each answer', async () => {
      begin();
      const told: (TestbedActivity | null)[] = [];
      const onActivity = (activity: TestbedActivity | null) => void told.push(activity);
      const of = await requestFor(STEPS(), { endpoints: WRITING }, { onActivity });
      await running(of, async (testbed) => {
        expect(told.splice(0)).toEqual([
          { kind: 'prepare', step: 1 },
          { kind: 'prepare', step: 2 },
          { kind: 'prepare', step: 3 },
          { kind: 'prepare', step: 4 },
          { kind: 'prepare', step: 4, answered: 1 },
          { kind: 'prepare', step: 4, answered: 2 },
          { kind: 'prepare', step: 4, answered: 3 },
          { kind: 'snapshot' },
          null,
        ]);
        await testbed.restoreData!(never());
        expect(told.splice(0)).toEqual([{ kind: 'restore' }, null]);
      });
      await running({ ...of, round: 2 }, async () => expect(told).toEqual([]));
      const failing = await requestFor([job('migrate'), job('nonsense')], {}, { onActivity });
      await expect(runtime.start(failing, never())).rejects.toThrow(TestbedError);
      expect(told).toEqual([{ kind: 'prepare', step: 1 }, { kind: 'prepare', step: 2 }, null]);
    });

    it('are made once by all steps in their order, and every start begins with them', async () => {
      begin();
      const of = (round: number) => requestFor(STEPS(), {}, { round });
      const items = await running(await of(1), async ({ origins, dataChanged, restoreData }) => {
        expect(dataChanged).toBeUndefined();
        expect(restoreData).toBeUndefined();
        expect(await count(origins.direct!)).toBe(14);
        // What is written stays with this start.
        expect(await create(origins.direct!)).toBe(201);
        return await itemsOf(origins.direct!);
      });
      const names = items.map((item) => item.name);
      expect(names.slice(0, 10)).toEqual(
        [1, 2, 3, 4, 5, 6].map((n) => `job ${n}`).concat([1, 2, 3, 4].map((n) => `seed ${n}`)),
      );
      expect(names.slice(11)).toEqual(['item 1', 'item 2', 'item 3', 'x']);
      // The eleventh is the time at which the SQL ran.
      await running(await of(2), async ({ origins }) => {
        expect(await itemsOf(origins.direct!)).toEqual(items.slice(0, -1));
      });
    });

    it('are made by the service itself where it migrates when it starts, and by SQL after that', async () => {
      begin();
      const steps: PrepareStep[] = [{ kind: 'start' }, requests(request({ repeat: 1 })), sql('seed.sql')];
      await running(await requestFor(steps, { env: { MIGRATE_AT_START: '1' } }), async ({ origins }) => {
        expect(await count(origins.direct!)).toBe(6);
      });
    });

    it('are made anew for the other side, whose steps, image or environment may be others', async () => {
      begin();
      const steps = [job('migrate'), sql('seed.sql')];
      const sides = [
        await requestFor(steps, {}, { variant: 'baseline' }),
        await requestFor([...steps, job('fill', '5')], {}, { variant: 'candidate' }),
      ];
      const counts = await Promise.all(sides.map((side) => running(side, ({ origins }) => count(origins.direct!))));
      expect(counts).toEqual([5, 10]);
    });

    it('are not there where a job fails: which step it was, and what it said last', async () => {
      begin();
      const failure = await failureOf([job('migrate'), job('fail', 'no', 'such', 'table')]);
      expect(failure).toBeInstanceOf(TestbedError);
      const { code, message, logLines } = failure as TestbedError;
      const title = `prepare step 2 (job: ${given.command('fail', 'no', 'such', 'table').join(' ')})`.slice(0, 90);
      expect(code).toBe('prepare-failed');
      expect(message.slice(0, 40)).toBe(title.slice(0, 40));
      expect(message).toMatch(/ exited with status 3\. Its last log lines say why\.$/);
      expect(logLines).toEqual(['no such table']);
    });

    it('are not there where a job does not end in its time', async () => {
      begin();
      const failure = (await failureOf([{ ...job('hang'), timeoutSeconds: 1 }])) as TestbedError;
      expect(failure.message).toMatch(
        /^prepare step 1 \(job: .*\) did not end within 1 s, and was ended\. It printed nothing: start it by hand, with the command and the env of the spec, or look where it writes its log\.$/,
      );
    });

    it('are not there where SQL fails: file, line and column', async () => {
      begin();
      expect(await failureOf([job('migrate'), sql('bad-seed.sql')])).toMatchObject({
        code: 'prepare-failed',
        message:
          'prepare step 2 (sql: tests/contract/bad-seed.sql): failed at tests/contract/bad-seed.sql:2:20: ' +
          'column "nmae" of relation "items" does not exist.',
      });
    });

    it('are not there where an answer is wrong: which one, with its status and the beginning of its body', async () => {
      begin();
      const wrong = requests(request({ repeat: 1 }), request({ body: '{"name": ${n}', repeat: 5 }));
      expect(await failureOf([job('migrate'), wrong])).toMatchObject({
        code: 'prepare-failed',
        message: expect.stringMatching(
          /^prepare step 2 \(requests: POST \/items, POST \/items\): POST \/items, request 1 of 5, was answered with status 500 instead of 201; its body is "\{\\"message\\":/,
        ),
        logLines: expect.arrayContaining([expect.stringMatching(/^POST \/items: /)]),
      });
    });

    it('are not there where the service does not start, with its last words', async () => {
      begin();
      const failure = (await failureOf([{ kind: 'start' }], {
        env: { MIGRATE_AT_START: '1', DATABASE_URL: 'nowhere' },
      })) as TestbedError;
      expect(failure.code).toBe('prepare-failed');
      expect(failure.message).toMatch(/^prepare step 1 \(start\): .*exited with status 1/);
      expect(failure.logLines.at(-1)).toMatch(/^fatal: /);
    });

    it('are given up at any moment of their making, and made by the next who starts', async () => {
      begin();
      for (const afterMs of [300, 1200, 2000]) {
        const abort = new AbortController();
        setTimeout(() => abort.abort(new Error('interrupted')), afterMs);
        const outcome = await runtime
          .start(await requestFor([job('migrate'), job('hang')]), abort.signal)
          .catch((error: Error) => error.message);
        expect(outcome).toBe('interrupted');
        expect(ownRemains()).toEqual([]);
      }
      await running(await requestFor([job('migrate')]), async ({ origins }) => {
        expect(await count(origins.direct!)).toBe(0);
      });
    });

    it('are put back where an endpoint changes them, while the service goes on', async () => {
      begin();
      // As they stand nobody finds them: their values are read later.
      const unread = [
        endpoint({ name: 'one', path: '/lost/{id}', values: { id: ['1'] } }),
        endpoint({ name: 'made', path: '/lost/${prepare.id}' }),
      ];
      const of = await requestFor(STEPS(), { endpoints: [...WRITING, ...unread] });
      await running(of, async (testbed) => {
        const origin = testbed.origins.direct!;
        const { at } = await started(origin);
        expect(await testbed.dataChanged!()).toBe(false);
        for (let n = 0; n < 7; n += 1) expect(await create(origin)).toBe(201);
        expect(await count(origin)).toBe(21);
        expect(await testbed.dataChanged!()).toBe(true);

        expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: false });
        await reconnected(origin);
        expect(await testbed.dataChanged!()).toBe(false);
        expect(await count(origin)).toBe(14);
        expect((await started(origin)).at).toBe(at);
        expect(await testbed.failure()).toBeNull();

        // Exact counts go on, and hold nothing of what put the data back.
        await testbed.database!.resetStatements();
        await testbed.database!.markStatements();
        expect(await create(origin)).toBe(201);
        expect((await testbed.database!.statements()).map(({ calls, rows }) => ({ calls, rows }))).toEqual([
          { calls: 1, rows: 1 },
        ]);
        // Its number is the next one, as it was the first time.
        expect((await itemsOf(origin)).at(-1)).toEqual({ id: 15, name: 'x' });
        expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: false });
        await reconnected(origin);
        expect(await count(origin)).toBe(14);
      });
    });

    it('are put back to what the service makes of them when it starts, whether a step says so or not', async () => {
      begin();
      const told: (TestbedActivity | null)[] = [];
      const onActivity = (activity: TestbedActivity | null) => void told.push(activity);
      const wanted = { endpoints: [...WRITING, READING], env: { MIGRATE_AT_START: '1' } };
      await running(await requestFor([], wanted, { onActivity }), async (testbed) => {
        expect(told).toEqual([{ kind: 'prepare', step: 1 }, { kind: 'snapshot' }, null]);
        const origin = testbed.origins.direct!;
        expect(await create(origin)).toBe(201);
        expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: false });
        await reconnected(origin);
        expect(await count(origin)).toBe(0);
      });
    });

    it('are not there where that start fails: it is the service that does not come up, and no step', async () => {
      begin();
      const env = { MIGRATE_AT_START: '1', DATABASE_URL: 'nowhere' };
      const failure = (await failureOf([], { endpoints: WRITING, env })) as TestbedError;
      expect(failure.code).toBe('exited');
      expect(failure.message).not.toContain('prepare');
      expect(failure.logLines.at(-1)).toMatch(/^fatal: /);
    });

    it('are put back through the pooler, and where init SQL alone made them', async () => {
      begin();
      const limits = { mode: 'transaction', defaultPoolSize: 5, maxClientConnections: 50 } as const;
      const pooler = { kind: 'pgbouncer', image: given.images.pooler, ...limits } as const;
      const database = { init: ['tests/contract/items.sql', 'tests/contract/seed.sql'], pooler };
      const of = await requestFor([], { database, endpoints: WRITING });
      await running(of, async (testbed) => {
        const origin = testbed.origins.direct!;
        expect(await create(origin)).toBe(201);
        await testbed.restoreData!(never());
        await reconnected(origin);
        expect(await count(origin)).toBe(5);
        expect(await testbed.failure()).toBeNull();
      });
    });

    it.each([
      ['ends with its connections', { ENDS_WITHOUT_DATABASE: '1' }, READING],
      ['never opens others', { ONE_CONNECTION: '1' }, READING],
      ['finds nothing of what it had', {}, endpoint({ name: 'lost', path: '/lost' })],
    ])('are put back for a service that %s, which is started anew', async (_, env, reading) => {
      begin();
      const wanted = { endpoints: [...WRITING, reading], env };
      await running(await requestFor([job('migrate'), sql('seed.sql')], wanted), async (testbed) => {
        const origin = testbed.origins.direct!;
        expect(await create(origin)).toBe(201);
        const { at } = await started(origin);
        const usedNs = testbed.meters.service.cpuNs();
        expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: true });
        expect(await count(origin)).toBe(5);
        expect((await started(origin)).at).toBeGreaterThan(at);
        expect(testbed.meters.service.cpuNs()).toBeGreaterThan(usedNs);
        expect(testbed.meters.service.memoryBytes()).toBeGreaterThan(1024 ** 2);
        expect(testbed.serviceProcesses()).toHaveLength(1);
        expect(await testbed.failure()).toBeNull();
        expect((await testbed.logLines('service', 1)).join()).toMatch(/^listening on port \d+$/);
      });
    });

    it('are put back for a service that never connects to Redis again, which one of its endpoints needs', async () => {
      begin();
      const redis = plainDependency(given.redis(), { name: 'redis' });
      const env = { REDIS: '${redis.host} ${redis.port}', REDIS_ONCE: '1' };
      const endpoints = [...WRITING, READING, endpoint({ name: 'visits', path: '/visits' })];
      await running(await requestFor([job('migrate')], { env, dependencies: [redis], endpoints }), async (testbed) => {
        const origin = testbed.origins.direct!;
        expect((await answer(`${origin}/visits`, { method: 'POST' })).status).toBe(201);
        expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: true });
        expect(await visits(origin)).toBeNull();
        expect(await testbed.failure()).toBeNull();
      });
    });

    it('are kept by dependencies with volumes as well: every start begins with them, and they are put back', async () => {
      begin();
      const redis = plainDependency(given.redis(), { name: 'redis', volumes: ['/data'] });
      const steps = [
        job('migrate'),
        job('fill', '2'),
        job('visit', '40'),
        requests(request({ path: '/visits', repeat: 2 })),
      ];
      const wanted = { env: { REDIS: '${redis.host} ${redis.port}' }, dependencies: [redis], endpoints: WRITING };
      for (const round of [1, 2]) {
        await running(await requestFor(steps, wanted, { round }), async (testbed) => {
          const origin = testbed.origins.direct!;
          expect(await visits(origin)).toBe(42);
          expect(await count(origin)).toBe(2);
          expect((await answer(`${origin}/visits`, { method: 'POST' })).status).toBe(201);
          expect(await visits(origin)).toBe(43);
          const usedNs = testbed.meters.dependencies.redis!.cpuNs();
          await testbed.restoreData!(never());
          await reconnected(origin);
          expect(await visits(origin)).toBe(42);
          expect(await count(origin)).toBe(2);
          expect(testbed.meters.dependencies.redis!.cpuNs()).toBeGreaterThan(usedNs);
          expect(await testbed.failure()).toBeNull();
        });
      }
    });

    /** Without a database: what is kept of it is in Redis, to which the service keeps a connection. */
    const ofRedis = (
      steps: PrepareStep[],
      options: string[],
      changes: Partial<Dependency> = { volumes: ['/data'] },
    ) => {
      const redis = plainDependency(given.redis(...options), { name: 'redis', ...changes });
      const env = { REDIS: '${redis.host} ${redis.port}', DATABASE_URL: 'nowhere' };
      const endpoints = [
        endpoint({ name: 'visits', path: '/visits' }),
        endpoint({ name: 'visit', method: 'POST', path: '/visits' }),
      ];
      return requestFor(steps, { env, database: null, dependencies: [redis], endpoints });
    };
    const writeToRedis = async (origin: string) => {
      for (let n = 0; n < 3; n += 1) {
        for (const path of ['visits', 'sessions'])
          expect((await answer(`${origin}/${path}`, { method: 'POST' })).status).toBe(201);
      }
    };

    it.each([
      ['writes them when it ends', []],
      ['writes each at once', ['--appendonly', 'yes']],
    ])('are those of Redis alone, which %s, each time that they are put back', async (_, options) => {
      begin();
      const steps = [job('keys', '1000'), job('visit', '7')];
      await running(await ofRedis(steps, options), async (testbed) => {
        const origin = testbed.origins.direct!;
        const { at } = await started(origin);
        for (let time = 0; time < 2; time += 1) {
          expect([await visits(origin), await keys(origin)]).toEqual([7, 1001]);
          await writeToRedis(origin);
          expect([await visits(origin), await keys(origin)]).toEqual([10, 1004]);
          expect(await testbed.dataChanged!()).toBe(true);
          expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: false });
          // The very next answer is right: whatever failed on the lost connection did so before.
          expect([await visits(origin), await keys(origin)]).toEqual([7, 1001]);
        }
        expect((await started(origin)).at).toBe(at);
        expect(await testbed.failure()).toBeNull();
      });
    });

    const IN_MEMORY = ['--save', '', '--appendonly', 'no'];

    it.each([
      ['none where nothing wrote them to its folder', [], 0],
      ['those that a step has had it write there', ['save'], 1000],
    ])(
      'of a Redis in memory alone are %s, at each start and each time that they are put back',
      async (_, words, kept) => {
        begin();
        await running(
          await ofRedis([job('keys', '1000'), ...words.map((word) => job(word))], IN_MEMORY),
          async (testbed) => {
            const origin = testbed.origins.direct!;
            expect(await keys(origin)).toBe(kept);
            await writeToRedis(origin);
            expect(await keys(origin)).toBe(kept + 4);
            await testbed.restoreData!(never());
            expect(await keys(origin)).toBe(kept);
          },
        );
      },
    );

    it('are read by Redis before anybody is told that it is up, however long that takes', async () => {
      begin();
      // Two milliseconds for each key, with answers in between, each of which is that it is loading.
      const slow = ['--key-load-delay', '2000', '--loading-process-events-interval-bytes', '1024'];
      await running(await ofRedis([job('keys', '1000')], slow), async (testbed) => {
        const origin = testbed.origins.direct!;
        expect(await keys(origin)).toBe(1000);
        expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: false });
        expect(await keys(origin)).toBe(1000);
      });
    });

    it('are all written by a Redis that takes its time for that', async () => {
      begin();
      const slow = ['--rdb-key-save-delay', '5000'];
      await running(await ofRedis([job('keys', '1000')], slow), async (testbed) => {
        expect(await keys(testbed.origins.direct!)).toBe(1000);
      });
    });

    it('are none in a dependency without volumes, at each start and each time that they are put back', async () => {
      begin();
      await running(await ofRedis([job('keys', '1000')], [], {}), async (testbed) => {
        const origin = testbed.origins.direct!;
        expect(await keys(origin)).toBe(0);
        await writeToRedis(origin);
        expect(await keys(origin)).toBe(4);
        expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: false });
        expect(await keys(origin)).toBe(0);
      });
    });

    it('stay as they are in a dependency that is said to be stateless', async () => {
      begin();
      await running(await ofRedis([job('keys', '1000')], [], { stateless: true }), async (testbed) => {
        await writeToRedis(testbed.origins.direct!);
        expect(await keys(testbed.origins.direct!)).toBe(4);
        expect(testbed.restoreData).toBeUndefined();
      });
    });

    it('leave no line of a log as the cause of what comes once they are put back', async () => {
      begin();
      const of = await requestFor([job('migrate')], { endpoints: [...WRITING, READING] });
      await running(of, async (testbed) => {
        const origin = testbed.origins.direct!;
        expect(await create(origin)).toBe(201);
        await testbed.restoreData!(never());
        await reconnected(origin);
        const lines = async (part: 'service' | 'database') => (await testbed.logLines(part, 200)).join('\n');
        for (const part of ['service', 'database'] as const) {
          expect(await lines(part)).toContain('terminating connection due to administrator command');
        }
        await testbed.passLog!();
        expect([await lines('service'), await lines('database')]).toEqual(['', '']);
        expect((await answer(`${origin}/items`, { method: 'POST', body: 'no JSON' })).status).toBe(500);
        expect(await lines('service')).toMatch(/^POST \/items: [^\n]* is not valid JSON$/);
      });
    });

    it('are those of each side: to put back the ones leaves the others', async () => {
      begin();
      const of = (variant: TestbedRequest['variant']) =>
        requestFor([job('migrate'), sql('seed.sql')], { endpoints: WRITING }, { variant });
      await running(await of('baseline'), async (baseline) => {
        await running(await of('candidate'), async (candidate) => {
          for (const { origins } of [baseline, candidate]) expect(await create(origins.direct!)).toBe(201);
          await candidate.restoreData!(never());
          await reconnected(candidate.origins.direct!);
          expect(await count(candidate.origins.direct!)).toBe(5);
          expect(await count(baseline.origins.direct!)).toBe(6);
          expect(await baseline.dataChanged!()).toBe(true);
        });
      });
    });

    it('are made and put back where a side has a network of its own, for a service that is started anew', async () => {
      begin();
      const redis = plainDependency(given.redis(), { name: 'redis', volumes: ['/data'] });
      const steps = [
        job('migrate'),
        sql('seed.sql'),
        job('visit', '7'),
        requests(request()),
        { kind: 'start' } as const,
      ];
      const env = { REDIS: '${redis.host} ${redis.port}', ENDS_WITHOUT_DATABASE: '1' };
      const wanted = { env, dependencies: [redis], endpoints: [...WRITING, READING], network: given.network };
      await running(await requestFor(steps, wanted), async (testbed) => {
        const origin = testbed.origins.direct!;
        expect([await count(origin), await visits(origin)]).toEqual([8, 7]);
        expect(await create(origin)).toBe(201);
        expect(await testbed.restoreData!(never())).toEqual({ serviceRestarted: true });
        expect([await count(origin), await visits(origin)]).toEqual([8, 7]);
        expect(await testbed.failure()).toBeNull();
      });
    });

    it('keep what is set for the database itself when they are put back', async () => {
      begin();
      const database = { init: ['tests/contract/items.sql', 'tests/contract/database-settings.sql'] };
      await running(await requestFor([], { database, endpoints: WRITING }), async (testbed) => {
        const origin = testbed.origins.direct!;
        expect(await create(origin)).toBe(201);
        await testbed.restoreData!(never());
        await reconnected(origin);
        // It lies in a schema that only the database's search path names.
        expect(await count(origin)).toBe(0);
      });
    });
  });
}

interface Wanted {
  env?: Record<string, string>;
  /** Null for none. */
  database?: Partial<Database> | null;
  dependencies?: Dependency[];
  network?: Service['network'];
  endpoints?: Endpoint[];
}

async function answer(url: string, init: RequestInit = {}): Promise<Response> {
  return await fetch(url, { ...init, headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) });
}

async function json<T>(url: string): Promise<T> {
  const got = await answer(url);
  if (got.status !== 200) throw new Error(`${url}: ${got.status} ${await got.text()}`);
  return (await got.json()) as T;
}

const count = async (origin: string) => (await json<{ count: number }>(`${origin}/count`)).count;
const itemsOf = (origin: string) => json<{ id: number; name: string }[]>(`${origin}/items`);
const visits = async (origin: string) => (await json<{ visits: number }>(`${origin}/visits`)).visits;
const keys = async (origin: string) => (await json<{ keys: number }>(`${origin}/keys`)).keys;
const started = (origin: string) => json<{ at: number }>(`${origin}/started`);
const create = async (origin: string) =>
  (await answer(`${origin}/items`, { method: 'POST', body: '{"name": "x"}' })).status;

/** Each lost connection fails one request at most. */
async function reconnected(origin: string): Promise<void> {
  for (let asked = 0, good = 0; good < 5 && asked < 30; asked += 1) {
    good = (await answer(`${origin}/count`)).status === 200 ? good + 1 : 0;
  }
}
