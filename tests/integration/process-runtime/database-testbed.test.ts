import { readFileSync } from 'node:fs';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { processIds, processStat } from '../../../src/adapters/process/process-table.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import type { Database, Gateway } from '../../../src/core/config/resolved.ts';
import { REST_NODE_SQL, restNodeProgram } from '../../support/server-programs.ts';
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
