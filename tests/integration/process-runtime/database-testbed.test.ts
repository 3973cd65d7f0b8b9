import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { processIds, processStat } from '../../../src/adapters/process/process-table.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import type { Database, Gateway, Pooler } from '../../../src/core/config/resolved.ts';
import { REST_NODE_SQL, restNodeProgram } from '../../support/server-programs.ts';
import { specFolder } from '../../support/spec-folder.ts';
import {
  ask,
  databaseWith,
  failureOf,
  never,
  remains,
  requestFor,
  running,
  runtime,
  serviceWith,
  specWith,
} from './given.ts';

let program = '';

beforeAll(async () => {
  program = await restNodeProgram();
});
afterEach(() => {
  expect(remains()).toEqual([]);
});

function restNode(database: Partial<Database> = {}, gateway: Gateway | null = null) {
  const env = { PORT: '${port}', DATABASE_URL: '${database.url}' };
  const service = serviceWith({ command: ['node', program], env });
  return specWith(service, { database: databaseWith({ init: REST_NODE_SQL, ...database }), gateway });
}

/** Process ids of ours by the beginning of their command line. */
function ownProcesses(start: string): number[] {
  const own = new Set(remains().map((thing) => Number.parseInt(thing, 10)));
  const roots = processIds().filter((pid) => own.has(pid));
  return processIds().filter((pid) => {
    const isOwn = roots.includes(pid) || roots.includes(processStat(pid)?.parent ?? 0);
    return isOwn && commandLine(pid).startsWith(start);
  });
}

function commandLine(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').replaceAll('\0', ' ');
  } catch {
    return '';
  }
}

describe('a database on a testbed', () => {
  it('is reached with names that need care', async () => {
    await running(requestFor(restNode({ name: "it's a shop é", user: 'the user@home' })), async (testbed) => {
      expect((await ask(`${testbed.origins.direct}/users`)).status).toBe(200);
    });
  });

  it('is reached with the password of the spec, which stands in no command line', async () => {
    const password = `it's "a" p@ss/word #1 %41 \\ é`;
    const pooler: Pooler = {
      ...{ kind: 'pgbouncer', image: '', mode: 'session' },
      ...{ defaultPoolSize: 5, maxClientConnections: 20 },
    };
    await running(requestFor(restNode({ password, pooler })), async (testbed) => {
      expect((await ask(`${testbed.origins.direct}/users`)).status).toBe(200);
      expect(
        processIds()
          .map(commandLine)
          .filter((line) => line.includes('p@ss/word')),
      ).toEqual([]);
    });
  });

  it('has Postgres’s own user as the service’s, where the spec says so', async () => {
    await running(requestFor(restNode({ user: 'postgres' })), async (testbed) => {
      await testbed.database?.resetStatements();
      await ask(`${testbed.origins.direct}/users`);
      expect((await testbed.database?.statements())?.map(({ calls }) => calls)).toEqual([1]);
    });
  });

  it('that is killed is named as the cause, takes nobody with it, and leaves nothing in the kernel', async () => {
    const segments = () => readFileSync('/proc/sysvipc/shm', 'latin1').trim().split('\n').length;
    const before = segments();
    await running(requestFor(restNode()), async (testbed) => {
      const url = `${testbed.origins.direct}/users`;
      const load = Promise.all(Array.from({ length: 20 }, () => ask(url).catch(() => null)));
      process.kill(ownProcesses('/usr/lib/postgresql').at(0) ?? ownProcesses('/').at(0)!, 'SIGKILL');
      await load;
      await expect.poll(async () => (await testbed.failure())?.code).toBe('database-exited');
      expect((await testbed.failure())?.message).toMatch(/^Postgres was ended by SIGKILL, which is also how/);
      await expect(testbed.database?.statements()).rejects.toBeInstanceOf(TestbedError);
      expect((await ask(url)).status).toBe(500);
    });
    // Others may start and stop servers meanwhile.
    await expect.poll(segments, { timeout: 20_000 }).toBeLessThanOrEqual(before);
  });

  it('that restarts itself because one of its processes was killed is named too', async () => {
    await running(requestFor(restNode()), async (testbed) => {
      await ask(`${testbed.origins.direct}/users`);
      const [backend] = ownProcesses('postgres: app bench');
      process.kill(backend!, 'SIGKILL');
      await expect.poll(async () => (await testbed.failure())?.code, { timeout: 10_000 }).toBe('database-exited');
      expect((await testbed.failure())?.message).toMatch(
        /^Postgres has ended all its connections \(.*\): one of its processes was killed/,
      );
      expect((await testbed.logLines('database', 30)).join('\n')).toContain('was terminated by signal 9');
    });
  });

  it('has a gateway by a configuration of the spec, that of the first folder that has it', async () => {
    const [first, second] = [specFolder({}), specFolder({})];
    const conf = (name: string) => `worker_processes \${workers};
events {}
http {
  client_body_temp_path \${folder}; proxy_temp_path \${folder}; fastcgi_temp_path \${folder};
  uwsgi_temp_path \${folder}; scgi_temp_path \${folder};
  access_log off;
  server { listen \${listen}; location / { proxy_pass http://\${upstream}; add_header X-From ${name}; } }
}`;
    writeFileSync(join(second, 'own.conf'), conf('second'));
    const spec = restNode({ init: [] }, { kind: 'nginx', image: '', config: 'own.conf' });
    const from = async () => {
      let header: string | null = null;
      const request = requestFor(spec, { specDirectory: second, gatewayDirectory: first });
      await running(request, async (testbed) => {
        header = (await fetch(`${testbed.origins.gateway}/ping`)).headers.get('x-from');
      });
      return header;
    };
    expect(await from()).toBe('second');
    writeFileSync(join(first, 'own.conf'), conf('first'));
    expect(await from()).toBe('first');
  });

  it('whose gateway’s configuration is wrong, or not there, has no gateway', async () => {
    const folder = specFolder({ 'wrong.conf': 'events {}\nhttp { nonsense on; }\n' });
    const started = (config: string) => {
      const spec = restNode({ init: [] }, { kind: 'nginx', image: '', config });
      return running(requestFor(spec, { specDirectory: folder }), async () => undefined);
    };
    await expect(started('wrong.conf')).rejects.toMatchObject({
      code: 'gateway-failed',
      logLines: [expect.stringMatching(/unknown directive "nonsense" in .*:2$/)],
    });
    await expect(started('none.conf')).rejects.toMatchObject({
      code: 'gateway-failed',
      message: `The gateway's configuration ${folder}/none.conf is not there. Correct gateway.config in the spec; it is relative to the spec file.`,
    });
  });

  it('whose gateway dies is named by the gateway', async () => {
    await running(requestFor(restNode({}, { kind: 'nginx', image: '' })), async (testbed) => {
      expect((await ask(`${testbed.origins.gateway}/users`)).status).toBe(200);
      process.kill(ownProcesses('nginx: master')[0]!, 'SIGKILL');
      await expect.poll(async () => (await testbed.failure())?.code).toBe('gateway-failed');
    });
  });

  it('needs a program that is not installed: which, and the command that installs it', async () => {
    const path = process.env.PATH;
    process.env.WRKBENCH_POSTGRES_BIN = '/nowhere';
    try {
      const spec = restNode();
      const request = { runId: 'x', spec, services: spec.services, specDirectory: '.', onLine: () => {} };
      const [prepared] = await runtime.prepare(request, never());
      expect(prepared?.failure?.code).toBe('tool-missing');
      expect((await failureOf(requestFor(spec))).code).toBe('tool-missing');
    } finally {
      delete process.env.WRKBENCH_POSTGRES_BIN;
      process.env.PATH = path;
    }
  });
});
