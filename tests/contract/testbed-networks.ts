/** What every runtime of testbeds must do with the networks of two sides that are up at once. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Testbed, TestbedRequest, TestbedRuntime } from '../../src/app/ports/testbed.ts';
import type { Dependency } from '../../src/core/config/dependency.ts';
import type { ResolvedSpec, Service } from '../../src/core/config/resolved.ts';
import { REST_NODE_SQL } from '../support/server-programs.ts';
import { plainDatabase, plainDependency, plainService, plainSpec } from '../support/testbed-specs.ts';

export interface NetworksGiven {
  runtime: TestbedRuntime;
  /** Makes what the services are started from; each call the same. */
  prepare(): Promise<void>;
  /** The bundled example, with a database. */
  restNode(): Pick<Service, 'image' | 'command'>;
  /** Tells what it reaches, and listens on a second port (`fixtures/servers/dialler`). */
  dialler(): Pick<Service, 'image' | 'command' | 'files'>;
  redis(): Pick<Dependency, 'image' | 'command'>;
  /** A command that ends well when Redis answers where it is. */
  redisIsUp: string[];
  images: { database: string; pooler: string; gateway: string };
  /** Null where a side can have a network of its own here, else why not. */
  obstacle: string | null;
  /** Everything of this run that is there: processes, folders, containers, networks. */
  remains(runId: string): string[];
}

const SECOND_PORT = 18_243;
const never = () => new AbortController().signal;
let runs = 0;

export function testbedNetworksContract(name: string, given: NetworksGiven): void {
  const { runtime } = given;
  let runId = '';
  let before: string[] = [];
  const redis = plainDependency(given.redis(), {
    name: 'redis',
    ready: { kind: 'command', command: given.redisIsUp, timeoutSeconds: 20 },
  });

  /** Of a service whose network has no way out. */
  async function requestFor(
    source: Pick<Service, 'image' | 'command'>,
    changes: Partial<Service>,
    parts: Partial<ResolvedSpec>,
    variant: TestbedRequest['variant'] = 'candidate',
  ): Promise<TestbedRequest> {
    const service = plainService(source, { name: 'apart', network: 'internal', ...changes });
    const spec: ResolvedSpec = { ...plainSpec(service), ...parts };
    const preparation = { runId, spec, services: [service], specDirectory: process.cwd(), onLine: () => {} };
    const [prepared] = await runtime.prepare(preparation, never());
    if (prepared?.failure) throw prepared.failure;
    const placement = { service: '0', database: '0', generator: '1' };
    const what = { runId, spec, service, variant, round: 1, placement } as const;
    return { ...what, specDirectory: process.cwd(), artifact: prepared?.artifact ?? '' };
  }
  async function running(request: TestbedRequest, use: (testbed: Testbed) => Promise<void>): Promise<void> {
    const testbed = await runtime.start(request, never());
    try {
      await use(testbed);
    } finally {
      await testbed.stop();
    }
  }
  const database = (changes = {}) => plainDatabase(given.images.database, { init: REST_NODE_SQL, ...changes });
  /** Every port is a number of the spec, the same on both sides. */
  const side = (variant: TestbedRequest['variant']) => {
    const env = {
      ...{ PORT: '8080', FURTHER_PORT: String(SECOND_PORT), SIDE: variant },
      ...{ REDIS: '${redis.host} ${redis.port}', DATABASE: '${database.host} ${database.port}' },
    };
    const changes = { env, ports: { further: SECOND_PORT } };
    return requestFor(given.dialler(), changes, { database: database(), dependencies: [redis] }, variant);
  };

  describe(`networks of two sides of the ${name} runtime`, () => {
    beforeAll(() => given.prepare());
    afterEach(() => expect(given.remains(runId).filter((thing) => !before.includes(thing))).toEqual([]));
    const begin = () => {
      runs += 1;
      runId = `networks-${process.pid}-${runs}-${Date.now().toString(36)}`;
      before = given.remains(runId);
    };

    if (given.obstacle !== null) {
      it('are refused where this machine can make none, with the reason', async () => {
        begin();
        await expect(side('candidate')).rejects.toThrow(`(${given.obstacle})`);
      });
      return;
    }

    it('hold the same ports, and no process of the one reaches dependency, database or service of the other', async () => {
      begin();
      await running(await side('baseline'), async (baseline) => {
        await running(await side('candidate'), async (candidate) => {
          const both = [
            { own: baseline, other: candidate },
            { own: candidate, other: baseline },
          ];
          for (const { own, other } of both) {
            expect(await dialled(own, { ...(await named(own, 'REDIS')), send: 'PING' })).toBe('+PONG');
            expect(await dialled(own, await named(own, 'DATABASE'))).toBe('connected');
            const second = { host: '127.0.0.1', port: String(SECOND_PORT) };
            expect(await dialled(own, { ...second, send: '' })).toBe(own.variant);

            const outside = new URL(other.origins.direct!).hostname;
            expect(outside).not.toBe('127.0.0.1');
            const things = [
              { host: outside, port: new URL(other.origins.direct!).port },
              ...[await named(other, 'REDIS'), await named(other, 'DATABASE'), second],
            ];
            // A loopback is that of the side itself.
            const tries = things.flatMap(({ host, port }) =>
              [...new Set([outside, host === '127.0.0.1' ? outside : host])].map((at) => ({ host: at, port })),
            );
            for (const answer of await Promise.all(tries.map((at) => dialled(own, at)))) {
              expect(answer).toMatch(/^(?:timeout|E[A-Z]+)$/);
            }
          }
          await dialled(candidate, { ...(await named(candidate, 'REDIS')), send: 'SET mine 1' });
          expect(await dialled(baseline, { ...(await named(baseline, 'REDIS')), send: 'EXISTS mine' })).toBe(':0');
        });
        expect(await baseline.failure()).toBeNull();
      });
    });

    it('have all parts of a side in them, which are asked and seen as ever', async () => {
      begin();
      const limits = { mode: 'session', defaultPoolSize: 20, maxClientConnections: 100 } as const;
      const pooler = { kind: 'pgbouncer', image: given.images.pooler, ...limits } as const;
      const gateway = { kind: 'nginx', image: given.images.gateway } as const;
      const env = { PORT: '${port}', DATABASE_URL: '${database.url}' };
      const request = await requestFor(given.restNode(), { env }, { database: database({ pooler }), gateway });
      await running(request, async (testbed) => {
        const { direct, gateway: through } = testbed.origins;
        await testbed.database?.resetStatements();
        const first = testbed.acceptedConnections('direct');
        for (let i = 0; i < 10; i += 1) expect((await asked(`${direct}/users`)).status).toBe(200);
        expect(testbed.acceptedConnections('direct') - first).toBeGreaterThanOrEqual(10);
        for (let i = 0; i < 10; i += 1) expect((await asked(`${through}/users`)).status).toBe(200);
        expect((await testbed.database?.statements())?.map(({ calls }) => calls)).toEqual([20]);
        expect(await testbed.observed(0.1, never())).toMatchObject({ listeners: 1, processes: 1, cpus: '0' });
        expect(testbed.meters.service.cpuNs()).toBeGreaterThan(0);
        expect(await testbed.failure()).toBeNull();
      });
    });

    it('are to be listened in on all addresses: a service that does not is told so', async () => {
      begin();
      const env = { PORT: '8080', ADDRESS: '127.0.0.1' };
      const ready = { path: '/ping', timeoutSeconds: 1 };
      const outcome = runtime.start(await requestFor(given.dialler(), { env, ready }, {}), never());
      await expect(outcome).rejects.toMatchObject({
        code: 'nothing-listens',
        message: expect.stringMatching(
          /it listens on 127\.0\.0\.1:8080 only, which is not reachable from outside .*: let it listen on 0\.0\.0\.0\.$/,
        ),
      });
    });

    it('are gone with a start that is given up at any moment', async () => {
      begin();
      const request = await side('candidate');
      for (const afterMs of [0, 20, 60, 400]) {
        const abort = new AbortController();
        setTimeout(() => abort.abort(new Error('interrupted')), afterMs);
        const outcome = await runtime.start(request, abort.signal).then(
          (testbed) => testbed.stop().then(() => 'up'),
          (error: Error) => error.message,
        );
        expect(['interrupted', 'up']).toContain(outcome);
        expect(given.remains(runId).filter((thing) => !before.includes(thing))).toEqual([]);
      }
    });
  });
}

async function asked(url: string): Promise<{ status: number; body: string }> {
  const answer = await fetch(url, { headers: { connection: 'close' }, signal: AbortSignal.timeout(10_000) });
  return { status: answer.status, body: await answer.text() };
}

/** Host and port that a variable of the service names. */
async function named({ origins }: Testbed, variable: string): Promise<{ host: string; port: string }> {
  const { body } = await asked(`${origins.direct}/environment?name=${variable}`);
  const [host = '', port = ''] = body.split(' ');
  return { host, port };
}

/** What comes back where the service connects to something, and sends it what is given. */
async function dialled({ origins }: Testbed, at: { host: string; port: string; send?: string }): Promise<string> {
  return (await asked(`${origins.direct}/dial?${new URLSearchParams(at)}`)).body;
}
