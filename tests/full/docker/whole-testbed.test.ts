// seconds: 26
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import {
  askOnce,
  buildFixtureImages,
  databaseWith,
  docker,
  expectedParent,
  NGINX,
  never,
  newRunId,
  PGBOUNCER,
  REST_FOLDER,
  requestFor,
  restService,
  specWith,
  thingsOf,
} from '../../integration/docker/given.ts';
import { specFolder } from '../../support/spec-folder.ts';

const withUsers = databaseWith({ init: ['schema.sql', 'users.sql'] });
const specDirectory = REST_FOLDER;

async function firstUser(testbed: Testbed, route: 'direct' | 'gateway'): Promise<unknown> {
  const answer = await fetch(`${testbed.origins[route]}/users`);
  const [user] = (await answer.json()) as Record<string, unknown>[];
  return user;
}

beforeAll(() => buildFixtureImages('rest-node', 'postgres', 'pgbouncer', 'nginx'));

describe('a service with database, pooler and gateway', () => {
  const runtime = dockerRuntime({ environment: process.env });
  const runId = newRunId();
  let testbed: Testbed;

  beforeAll(async () => {
    const database = { ...withUsers, pooler: pooler('transaction') };
    const spec = specWith(restService(), { database, gateway: { kind: 'nginx', image: NGINX } });
    testbed = await runtime.start(requestFor(runId, spec, { specDirectory }), never());
  });
  afterAll(async () => {
    await testbed?.stop();
    expect(thingsOf(runId)).toEqual([]);
  });

  it('reaches what the init SQL made, through the pooler, directly and through the gateway', async () => {
    const expected = { id: 1, name: 'User 1', email: 'user1@example.com' };
    expect(await firstUser(testbed, 'direct')).toMatchObject(expected);
    expect(await firstUser(testbed, 'gateway')).toMatchObject(expected);
    expect(testbed.origins.gateway).not.toBe(testbed.origins.direct);
    expect(await testbed.logLines('pooler', 50)).not.toContainEqual(expect.stringMatching(/error/i));
  });

  it("counts the statements of the service's own role", async () => {
    expect(testbed.database?.version).toMatch(/^15\./);
    await testbed.database?.resetStatements();
    for (let i = 0; i < 7; i += 1) await firstUser(testbed, 'direct');
    const statements = (await testbed.database?.statements()) ?? [];
    expect(statements.map(({ calls, rows }) => ({ calls, rows }))).toEqual([{ calls: 7, rows: 7 }]);
    expect(statements[0]?.query).toMatch(/users/i);
  });

  it('counts connections at the entry of each route', async () => {
    const before = { direct: testbed.acceptedConnections('direct'), gateway: testbed.acceptedConnections('gateway') };
    for (let i = 0; i < 6; i += 1) await askOnce(`${testbed.origins.gateway}/ping`);
    expect(testbed.acceptedConnections('gateway') - before.gateway).toBe(6);
    // The gateway keeps its own connections to the service.
    expect(testbed.acceptedConnections('direct') - before.direct).toBeLessThanOrEqual(1);
  });

  it('reads each part by itself', async () => {
    const { service, database, gateway } = testbed.meters;
    const before = [service, database, gateway].map((meter) => meter?.cpuNs() ?? -1);
    for (let i = 0; i < 100; i += 1) await firstUser(testbed, 'gateway');
    const after = [service, database, gateway].map((meter) => meter?.cpuNs() ?? -1);
    for (const [index, cpu] of after.entries()) expect(cpu - (before[index] ?? 0)).toBeGreaterThan(1_000_000);
    for (const meter of [service, database, gateway]) {
      expect(meter?.memoryBytes()).toBeGreaterThan(300_000);
      expect(meter?.memoryBytes()).toBeLessThan(300_000_000);
    }
  });

  it('publishes nothing, and leaves the database no way out', () => {
    const base = `wrkbench-${runId}-rest-candidate-1`;
    const parts = ['service', 'database', 'pooler', 'gateway'].map((part) => `${base}-${part}`);
    expect(parts.map((part) => docker('container', 'port', part))).toEqual(['', '', '', '']);
    const inspected = JSON.parse(docker('container', 'inspect', ...parts));
    for (const { HostConfig } of inspected) {
      expect(HostConfig).toMatchObject({ CapDrop: ['ALL'], SecurityOpt: ['no-new-privileges'], Privileged: false });
      expect(HostConfig.CgroupParent).toBe(expectedParent(runId, 'rest'));
    }
    expect(docker('network', 'inspect', '--format', '{{.Internal}}', `${base}-db`, `${base}-app`)).toBe(
      'true\nfalse\n',
    );
    const connect = 'timeout 2 bash -c "exec 3<>/dev/tcp/1.1.1.1/80"';
    const inDatabase = (script: string) => docker('exec', `${base}-database`, 'bash', '-c', script);
    expect(() => inDatabase(connect)).toThrow();
    const pooler = inspected[2].NetworkSettings.Networks[`${base}-db`].IPAddress;
    expect(inDatabase(`exec 3<>/dev/tcp/${pooler}/6432 && echo reached`)).toBe('reached\n');
    expect(docker('exec', `${base}-service`, 'cat', '/etc/hosts')).toContain(`${pooler}\tdatabase`);
  });

  it('runs as it was started', async () => {
    expect(await testbed.failure()).toBeNull();
  });
});

describe('a service whose network has no way out', () => {
  it('reaches its database through the pooler, and is reached directly and through the gateway', async () => {
    const runtime = dockerRuntime({ environment: process.env });
    const runId = newRunId();
    const database = { ...withUsers, pooler: pooler('transaction') };
    const service = { ...restService(), network: 'internal' } as const;
    const spec = specWith(service, { database, gateway: { kind: 'nginx', image: NGINX } });
    const testbed = await runtime.start(requestFor(runId, spec, { specDirectory }), never());
    try {
      expect(await firstUser(testbed, 'direct')).toMatchObject({ id: 1, name: 'User 1' });
      expect(await firstUser(testbed, 'gateway')).toMatchObject({ id: 1, name: 'User 1' });
      const network = `wrkbench-${runId}-rest-candidate-1-app`;
      expect(docker('network', 'inspect', '--format', '{{.Internal}}', network)).toBe('true\n');
    } finally {
      await testbed.stop();
    }
    expect(thingsOf(runId)).toEqual([]);
  });
});

describe('a gateway by a configuration of the spec', () => {
  const start = async (runId: string, listen: string) => {
    const folder = specFolder({
      'own.conf': `events {}
http { access_log off; proxy_temp_path \${folder}/p; client_body_temp_path \${folder}/b; fastcgi_temp_path \${folder}/f;
  uwsgi_temp_path \${folder}/u; scgi_temp_path \${folder}/s;
  server { listen ${listen}; location / { proxy_pass http://\${upstream}; add_header X-From own; } } }`,
    });
    const runtime = dockerRuntime({ environment: process.env });
    const service = { ...restService(), env: { PORT: '${port}' }, ready: { path: '/ping', timeoutSeconds: 30 } };
    const spec = specWith(service, { gateway: { kind: 'nginx', image: NGINX, config: 'own.conf' } });
    return await runtime.start(requestFor(runId, spec, { specDirectory: folder }), never());
  };

  it('passes on what is asked', async () => {
    const runId = newRunId();
    const testbed = await start(runId, '${listen}');
    try {
      const answer = await fetch(`${testbed.origins.gateway}/ping`);
      expect([answer.status, answer.headers.get('x-from')]).toEqual([200, 'own']);
    } finally {
      await testbed.stop();
    }
    expect(thingsOf(runId)).toEqual([]);
  });

  it('is a failure with what it has to do where it listens elsewhere', async () => {
    const runId = newRunId();
    await expect(start(runId, '8123')).rejects.toMatchObject({
      code: 'gateway-failed',
      message: expect.stringContaining(
        'Its configuration is own.conf: it has to listen on ${listen} and to pass requests on to ${upstream}.',
      ),
    });
    expect(thingsOf(runId)).toEqual([]);
  });
});

describe.each(['session', 'statement'] as const)('a pooler in mode %s', (mode) => {
  it('passes on what the service asks', async () => {
    const runtime = dockerRuntime({ environment: process.env });
    const runId = newRunId();
    // Names that need quotes in PgBouncer's configuration, in SQL and in an URL.
    const database = { ...withUsers, name: "bench-1's", user: 'app user', pooler: pooler(mode) };
    const spec = specWith(restService(), { database });
    const testbed = await runtime.start(requestFor(runId, spec, { specDirectory }), never());
    try {
      expect(await firstUser(testbed, 'direct')).toMatchObject({ id: 1, name: 'User 1' });
      const configuration = docker(
        'exec',
        `wrkbench-${runId}-rest-candidate-1-pooler`,
        'cat',
        '/etc/wrkbench/pgbouncer.ini',
      );
      expect(configuration).toContain(`pool_mode = ${mode}\n`);
    } finally {
      await testbed.stop();
    }
    expect(thingsOf(runId)).toEqual([]);
  });
});

describe('two variants up at once', () => {
  it('have a database, networks and a parent cgroup each, and go by themselves', async () => {
    const runtime = dockerRuntime({ environment: process.env });
    const runId = newRunId();
    const spec = specWith(restService(), { database: withUsers });
    const variants = ['baseline', 'candidate'] as const;
    const [baseline, candidate] = await Promise.all(
      variants.map((variant) => runtime.start(requestFor(runId, spec, { specDirectory, variant }), never())),
    );
    try {
      expect(baseline?.origins.direct).not.toBe(candidate?.origins.direct);
      await baseline?.database?.resetStatements();
      await candidate?.database?.resetStatements();
      if (baseline) await firstUser(baseline, 'direct');
      expect(await baseline?.database?.statements()).toHaveLength(1);
      expect(await candidate?.database?.statements()).toEqual([]);
      const parents = variants.map((variant) => {
        const base = `wrkbench-${runId}-rest-${variant}-1`;
        const format = '{{.HostConfig.CgroupParent}}';
        return docker('container', 'inspect', '--format', format, `${base}-service`, `${base}-database`)
          .trim()
          .split('\n');
      });
      expect(parents).toEqual(variants.map((variant) => Array(2).fill(expectedParent(runId, 'rest', variant))));
      await baseline?.stop();
      expect(thingsOf(runId).filter((name) => name.includes('baseline'))).toEqual([]);
      expect(await candidate?.failure()).toBeNull();
      expect(candidate && (await firstUser(candidate, 'direct'))).toMatchObject({ id: 1 });
    } finally {
      await Promise.all([baseline?.stop(), candidate?.stop()]);
    }
    expect(thingsOf(runId)).toEqual([]);
  });
});

function pooler(mode: 'session' | 'transaction' | 'statement') {
  return { kind: 'pgbouncer', image: PGBOUNCER, mode, defaultPoolSize: 8, maxClientConnections: 100 } as const;
}
