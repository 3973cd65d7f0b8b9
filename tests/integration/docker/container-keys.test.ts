import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { Testbed, TestbedError, TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { Dependency } from '../../../src/core/config/dependency.ts';
import type { ResolvedSpec, Service } from '../../../src/core/config/resolved.ts';
import { IMAGES } from '../../support/images.ts';
import { plainDependency } from '../../support/testbed-specs.ts';
import {
  buildFixtureImages,
  databaseWith,
  docker,
  imageId,
  never,
  newRunId,
  requestFor,
  serviceWith,
  specWith,
  thingsOf,
} from './given.ts';

const runtime = dockerRuntime({ environment: process.env });
const DIALLER = { 'fixtures/servers/dialler/server.cjs': '/srv/deep/er/server.cjs' };
let runId: string;

beforeAll(() => buildFixtureImages('node', 'redis', 'postgres'));
beforeEach(() => {
  runId = newRunId();
});
afterEach(() => expect(thingsOf(runId)).toEqual([]));

const dialler = (changes: Partial<Service> = {}): Service =>
  serviceWith({
    image: { kind: 'image', reference: IMAGES.node },
    command: ['node', '/srv/deep/er/server.cjs'],
    files: DIALLER,
    port: 3000,
    env: { PORT: '${port}' },
    ...changes,
  });
const redis = (changes: Partial<Dependency> = {}): Dependency =>
  plainDependency({ image: { kind: 'image', reference: IMAGES.redis }, command: null }, { name: 'redis', ...changes });

async function running(
  service: Service,
  parts: Partial<ResolvedSpec>,
  use: (ask: (path: string) => Promise<string>, testbed: Testbed) => Promise<void>,
  changes: Partial<TestbedRequest> = {},
): Promise<void> {
  const testbed = await started(service, parts, changes);
  try {
    await use(async (path) => (await fetch(`${testbed.origins.direct}${path}`)).text(), testbed);
  } finally {
    await testbed.stop();
  }
}

/** Prepared before, as a run does, so that what is built is there. */
async function started(
  service: Service,
  parts: Partial<ResolvedSpec>,
  changes: Partial<TestbedRequest> = {},
): Promise<Testbed> {
  const spec = { ...specWith(service), ...parts };
  const { specDirectory = process.cwd(), buildDirectory = specDirectory } = changes;
  const [prepared] = await runtime.prepare(
    { runId, spec, services: spec.services, specDirectory: buildDirectory, onLine: () => {} },
    never(),
  );
  if (prepared?.failure) throw prepared.failure;
  return await runtime.start(requestFor(runId, spec, { artifact: imageId(IMAGES.node), ...changes }), never());
}
const failed = (service: Service, parts: Partial<ResolvedSpec> = {}, changes: Partial<TestbedRequest> = {}) =>
  started(service, parts, changes).then(
    (testbed) => testbed.stop().then(() => expect.unreachable('it came up')),
    (error: TestbedError) => error,
  );

describe('a service in a container', () => {
  it('has files of the checkout, which it can read and nobody change, in folders that need not be there', async () => {
    const user = '1000:1000';
    await running(dialler({ user }), {}, async (ask) => {
      expect(await ask('/user')).toBe(user);
      expect(await ask('/file?path=/srv/deep/er/server.cjs')).toContain('A service that tells what it reaches');
      expect(await ask('/write?path=/srv/deep/er/server.cjs')).toBe('EACCES');
    });
  });

  it('leaves the folders alone that its files are put beside', async () => {
    await running(dialler({ files: { ...DIALLER, 'package.json': '/tmp/package.json' } }), {}, async () => {
      const name = `wrkbench-${runId}-plain-candidate-1-service`;
      expect(docker('container', 'exec', name, 'stat', '-c', '%a', '/tmp', '/etc', '/srv/deep').trim()).toBe(
        '1777\n755\n755',
      );
    });
  });

  it('has empty folders that any user may write to, gone with it', async () => {
    await running(dialler({ user: '1000', volumes: ['/var/cache/app'] }), {}, async (ask) => {
      expect(await ask('/write?path=/var/cache/app/one')).toBe('written');
      expect(await ask('/file?path=/var/cache/app/one')).toBe('written');
      expect(await ask('/write?path=/var/cache/two')).toBe('EACCES');
    });
    await running(dialler({ user: '1000', volumes: ['/var/cache/app'] }), {}, async (ask) => {
      expect(await ask('/file?path=/var/cache/app/one')).toBe('ENOENT');
    });
  });

  it('is started by another entrypoint, or by none', async () => {
    const entrypoint = ['node', '/srv/deep/er/server.cjs', '--first'];
    await running(dialler({ entrypoint, command: ['second'] }), {}, async (ask) => {
      expect(await ask('/arguments')).toBe('["--first","second"]');
    });
    const parts = { dependencies: [redis({ entrypoint: [], command: ['redis-server', '--protected-mode', 'no'] })] };
    await running(dialler(), parts, async (ask) => {
      expect(await ask('/dial?host=redis&port=6379&send=PING')).toBe('+PONG');
      const name = `wrkbench-${runId}-plain-candidate-1-dependency-redis`;
      expect(docker('container', 'exec', name, 'stat', '-c', '%u', '/proc/1').trim()).toBe('0');
    });
  });

  it('is not started where a file of it is a link out of the checkout, or is not there', async () => {
    const top = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
    const specDirectory = join(top, 'checkout');
    try {
      mkdirSync(specDirectory);
      writeFileSync(join(top, 'secret'), 'of the machine');
      symlinkSync('../secret', join(specDirectory, 'config.yml'));
      const outside = await failed(dialler({ files: { 'config.yml': '/etc/app/config.yml' } }), {}, { specDirectory });
      expect(outside).toMatchObject({ code: 'start-failed' });
      expect(outside.message).toBe(
        `The file ${specDirectory}/config.yml for /etc/app/config.yml of service plain is a link that leads out of ${specDirectory}, and is not followed. ` +
          'Put a file of the repository there, or correct its `files` in the spec; they are relative to the spec file.',
      );
      const files = { 'absent.yml': '/etc/app/config.yml' };
      const absent = await failed(dialler(), { dependencies: [redis({ files })] });
      expect(absent.message).toBe(
        `The file ${process.cwd()}/absent.yml for /etc/app/config.yml of dependency redis is not there. ` +
          'Put a file of the repository there, or correct its `files` in the spec; they are relative to the spec file.',
      );
    } finally {
      rmSync(top, { recursive: true });
    }
  });
});

describe('what stands beside it', () => {
  it('is found under its name and each of its host names', async () => {
    const parts = {
      dependencies: [redis({ alias: ['cache', 'cache.internal'] })],
      database: databaseWith({ alias: ['db'] }),
    };
    await running(dialler(), parts, async (ask) => {
      for (const host of ['redis', 'cache', 'cache.internal']) {
        expect(await ask(`/dial?host=${host}&port=6379&send=PING`)).toBe('+PONG');
      }
      for (const host of ['database', 'db']) {
        expect(await ask(`/dial?host=${host}&port=5432`)).toBe('connected');
      }
    });
  });

  it('is limited, placed and hardened as the service is, and reaches nothing outside', async () => {
    const dependency = redis({ memoryBytes: 64 * 1024 ** 2 });
    await running(
      dialler(),
      { dependencies: [dependency] },
      async () => {
        const name = `wrkbench-${runId}-plain-candidate-1-dependency-redis`;
        const [{ HostConfig: host, NetworkSettings: network }] = JSON.parse(docker('container', 'inspect', name));
        expect(host).toMatchObject({
          Privileged: false,
          SecurityOpt: ['no-new-privileges'],
          CapDrop: ['ALL'],
          Memory: 64 * 1024 ** 2,
          MemorySwap: 64 * 1024 ** 2,
          CpusetCpus: '1',
          PidsLimit: 16_384,
        });
        const networks = Object.keys(network.Networks);
        expect(networks).toEqual([`wrkbench-${runId}-plain-candidate-1-db`]);
        expect(docker('network', 'inspect', '--format', '{{.Internal}}', networks[0]!).trim()).toBe('true');
      },
      { placement: { service: '0', database: '1', generator: '1' } },
    );
  });

  it('tells of one that ran out of memory', async () => {
    const env = { AT: '${redis.host}' };
    const parts = { dependencies: [redis({ memoryBytes: 16 * 1024 ** 2 })] };
    await running(dialler({ env: { ...env, PORT: '${port}' } }), parts, async (ask, testbed) => {
      await ask('/dial?host=redis&port=6379&send=SETRANGE%20large%20100000000%20x');
      await expect.poll(async () => (await testbed.failure())?.code).toBe('out-of-memory');
      expect((await testbed.failure())?.message).toMatch(
        /^The dependency redis ran out of memory: the kernel ended a process of it\. Its limit is 16\.0 MiB\. Give it more \(the dependency's `memory` in the spec/,
      );
    });
  });

  it.each([
    ['each side from its own folder', false],
    ['from a clean checkout of its commit', true],
  ])('is built from a Dockerfile, database and dependency alike, %s', async (_, isElsewhere) => {
    const folder = mkdtempSync(join(tmpdir(), 'wrkbench-test-'));
    try {
      const build = (image: string, marked: string) => {
        mkdirSync(join(folder, marked));
        writeFileSync(join(folder, marked, 'Dockerfile'), `FROM ${image}\nRUN echo ${marked} > /etc/marked\n`);
        return { kind: 'build', context: marked, dockerfile: 'Dockerfile', target: null, args: {} } as const;
      };
      const database = databaseWith({ build: build(IMAGES.postgres, 'data') });
      const dependencies = [redis({ image: build(IMAGES.redis, 'cache') })];
      const own = isElsewhere ? join(folder, 'own') : folder;
      mkdirSync(own, { recursive: true });
      writeFileSync(
        join(own, 'server.cjs'),
        'require("node:http").createServer((_, to) => to.end("pong")).listen(3000)',
      );
      const service = dialler({ files: { 'server.cjs': '/srv/deep/er/server.cjs' } });
      await running(
        service,
        { database, dependencies },
        async () => {
          const base = `wrkbench-${runId}-plain-candidate-1`;
          const marked = (part: string) => docker('container', 'exec', `${base}-${part}`, 'cat', '/etc/marked').trim();
          expect([marked('database'), marked('dependency-redis')]).toEqual(['data', 'cache']);
        },
        { specDirectory: own, ...(isElsewhere ? { buildDirectory: folder } : {}) },
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
