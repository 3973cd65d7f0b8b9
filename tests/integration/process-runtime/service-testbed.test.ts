import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { machineMemoryBytes } from '../../../src/adapters/process/machine-memory.ts';
import { canLimitMemory } from '../../../src/adapters/process/memory-limit.ts';
import { networkNamespaceObstacle } from '../../../src/adapters/process/network-namespace.ts';
import type { Service } from '../../../src/core/config/resolved.ts';
import { ourCgroups } from '../../support/cgroup-folders.ts';
import { misbehavingProgram } from '../../support/server-programs.ts';
import { ask, failureOf, MIB, never, remains, requestFor, running, runtime, serviceWith, specWith } from './given.ts';

let program = '';
const telling = ['node', 'tests/integration/process-runtime/servers/telling.cjs'];

beforeAll(async () => {
  program = await misbehavingProgram();
});
afterEach(() => {
  expect(remains()).toEqual([]);
});

/** The misbehaving server, on a free port unless told otherwise. */
function misbehaving(env: Record<string, string>, changes: Partial<Service> = {}) {
  return specWith(serviceWith({ command: [program], env: { PORT: '${port}', ...env }, ...changes }));
}

describe('a service of processes', () => {
  it('answers on loopback, on a port of its own', async () => {
    await running(requestFor(misbehaving({})), async (testbed) => {
      expect(testbed.origins.direct).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
      expect((await ask(`${testbed.origins.direct}/ping`)).body).toBe('{"ok":true,"message":"OK"}');
      expect(await testbed.failure()).toBeNull();
      expect(await testbed.logLines('service', 5)).toEqual([
        `listening on port ${new URL(testbed.origins.direct!).port}`,
      ]);
    });
  });

  it('is expected on the port of the spec where it does not ask for one, and finds it in PORT', async () => {
    const service = serviceWith({ command: [program], env: {}, port: 18_231 });
    await running(requestFor(specWith(service)), async (testbed) => {
      expect(testbed.origins.direct).toBe('http://127.0.0.1:18231');
    });
  });

  it('knows of our environment only what it needs, and reports to nobody', async () => {
    process.env.GITHUB_TOKEN = 'secret';
    process.env.NODE_OPTIONS = '--no-deprecation';
    try {
      const service = serviceWith({ command: telling, env: { PORT: '${port}', GREETING: 'hello' } });
      await running(requestFor(specWith(service)), async (testbed) => {
        const env = JSON.parse((await ask(`${testbed.origins.direct}/env`)).body);
        expect(env).not.toHaveProperty('GITHUB_TOKEN');
        expect(env).not.toHaveProperty('NODE_OPTIONS');
        expect(env).toMatchObject({ GREETING: 'hello', PATH: process.env.PATH, DO_NOT_TRACK: '1' });
      });
    } finally {
      delete process.env.GITHUB_TOKEN;
      delete process.env.NODE_OPTIONS;
    }
  });

  it('runs on its CPUs, with its limit of open files', async () => {
    const spec = specWith(serviceWith({ command: telling, openFiles: 3000 }));
    const placement = { service: '1', database: '0', generator: '0' };
    await running(requestFor(spec, { placement }), async (testbed) => {
      const told = (await ask(`${testbed.origins.direct}/limits`)).body;
      expect(told).toMatch(/^Max open files +3000 +3000 /m);
      expect(told).toMatch(/^Cpus_allowed_list:\t1$/m);
    });
  });

  it('may have 40 % of the memory of the machine where its spec sets no limit, wherever one can be set', async () => {
    const limits = () =>
      ourCgroups()
        .filter((folder) => folder.includes('/wrkbench-processes/') && folder.includes(`:${process.pid}:`))
        .flatMap((folder) => ['memory.max', 'memory.limit_in_bytes'].map((name) => path.join(folder, name)))
        .filter((file) => existsSync(file))
        .map((file) => Number(readFileSync(file, 'utf8')) / machineMemoryBytes());
    await running(requestFor(misbehaving({})), async () => {
      expect(limits()).toEqual(canLimitMemory() ? [expect.closeTo(0.4, 2)] : []);
    });
    expect(limits()).toEqual([]);
  });

  it('counts the connections that it accepts', async () => {
    await running(requestFor(misbehaving({})), async (testbed) => {
      const accepted = testbed.acceptedConnections('direct');
      for (let i = 0; i < 30; i += 1) await ask(`${testbed.origins.direct}/ping`);
      // Others on this machine may accept connections meanwhile.
      expect(testbed.acceptedConnections('direct') - accepted).toBeGreaterThanOrEqual(30);
    });
  });

  it('stands beside the other variant, each on its own port', async () => {
    const spec = misbehaving({});
    await running(requestFor(spec, { variant: 'baseline' }), async (baseline) => {
      await running(requestFor(spec, { variant: 'candidate' }), async (candidate) => {
        expect(baseline.origins.direct).not.toBe(candidate.origins.direct);
        expect((await ask(`${baseline.origins.direct}/ping`)).status).toBe(200);
        expect((await ask(`${candidate.origins.direct}/ping`)).status).toBe(200);
      });
      expect(await baseline.failure()).toBeNull();
    });
  });

  it('is killed where it does not end when it is asked to', async () => {
    const testbed = await runtime.start(requestFor(misbehaving({ IGNORE_TERM: '1' })), never());
    await Promise.all([testbed.stop(), testbed.stop()]);
    await testbed.stop();
    await expect(ask(`${testbed.origins.direct}/ping`)).rejects.toThrow('ECONNREFUSED');
  });

  it('takes along what has left its session', async () => {
    const spec = specWith(serviceWith({ command: telling, env: { PORT: '${port}', DAEMON: '1' } }));
    await running(requestFor(spec), async () => {
      expect(remains().some((thing) => thing.endsWith(' sleep'))).toBe(true);
    });
    expect(remains()).toEqual([]);
  });
});

describe('a service that does not come up', () => {
  it('has no command', async () => {
    const spec = specWith(serviceWith({ command: null }));
    const [prepared] = await runtime.prepare(
      { runId: 'x', spec, services: spec.services, specDirectory: process.cwd(), onLine: () => {} },
      never(),
    );
    expect(prepared?.failure?.message).toBe(
      'Service plain has no `command`, which the process runtime starts. Add one, or run with --runtime docker.',
    );
  });

  it('is to have a network without a way out, where this machine can give none to a process', async () => {
    const spec = specWith(serviceWith({ network: 'internal' }));
    const [prepared] = await runtime.prepare(
      { runId: 'x', spec, services: spec.services, specDirectory: process.cwd(), onLine: () => {} },
      never(),
    );
    const why = networkNamespaceObstacle();
    const sentence = `Service plain has \`network: internal\`, and a process cannot be kept from the machine's network here (${why}). Run as root on Linux, or with --runtime docker, or leave the key out.`;
    expect(prepared?.failure?.message).toBe(why === null ? undefined : sentence);
  });

  it('is a program that is not there', async () => {
    const spec = specWith(serviceWith({ command: ['./no-such-server'] }));
    const failure = await failureOf(requestFor(spec, { specDirectory: '/tmp' }));
    expect(failure.code).toBe('start-failed');
    expect(failure.message).toBe(
      'Service plain could not be started: there is no program `./no-such-server` in /tmp. Install it, or correct the command.',
    );
  });

  it('exits at once: status and last log lines', async () => {
    const failure = await failureOf(requestFor(misbehaving({ EXIT_AT_START: '1' })));
    expect(failure.code).toBe('exited');
    expect(failure.message).toBe('Service plain exited with status 1 before it was ready. Its last log lines say why.');
    expect(failure.logLines).toEqual(['fatal: cannot read /etc/server.conf']);
  });

  it('exits at once in red: its last log lines are without the colour', async () => {
    const command = [
      '/bin/sh',
      '-c',
      String.raw`printf '\033[1;31mKeyError:\033[0m SHOP_REGION is not set\n' >&2; exit 1`,
    ];
    const failure = await failureOf(requestFor(specWith(serviceWith({ command }))));
    expect(failure.logLines).toEqual(['KeyError: SHOP_REGION is not set']);
  });

  it.each([
    ['::', '[::]'],
    ['::1', '[::1]'],
  ])('listens on %s for IPv6 alone: that it does, and on what it should', async (host, shown) => {
    const server =
      "require('http').createServer().listen({port: process.env.PORT, host: process.env.AT, ipv6Only: true})";
    const env = { PORT: '${port}', AT: host };
    const service = serviceWith({ command: ['node', '-e', server], env, ready: { path: '/ping', timeoutSeconds: 1 } });
    const failure = await failureOf(requestFor(specWith(service)));
    expect(failure.code).toBe('nothing-listens');
    const port = /:(\d+)\/ping/.exec(failure.message)?.[1];
    expect(failure.message).toBe(
      `plain was asked for http://127.0.0.1:${port}/ping for 1 s, but it listens on ${shown}:${port} for IPv6 alone, and is asked over IPv4: let it listen on 0.0.0.0.`,
    );
  });

  it('listens on another port: which it is', async () => {
    const spec = misbehaving({ LISTEN_PORT: '18233' }, { ready: { path: '/ping', timeoutSeconds: 1 } });
    const failure = await failureOf(requestFor(spec));
    expect(failure.code).toBe('nothing-listens');
    expect(failure.message).toMatch(
      /^plain was asked for http:\/\/127\.0\.0\.1:(\d+)\/ping for 1 s, but nothing listens on port \1; it listens on port 18233: set the service's port in the spec, or tell the server its port by \$\{port\} or PORT\.$/,
    );
    expect(failure.logLines).toEqual(['listening on port 18233']);
  });

  it('answers with an error: its status', async () => {
    const spec = misbehaving({ NEVER_READY: '1' }, { ready: { path: '/ping', timeoutSeconds: 1 } });
    const failure = await failureOf(requestFor(spec));
    expect(failure.code).toBe('not-ready');
    expect(failure.message).toContain(
      'for 1 s and answers with status 503. Correct ready.path, or raise ready.timeout in the spec.',
    );
  });

  it('hangs: that it takes the connection and does not answer', async () => {
    const spec = misbehaving({ SLEEP_MS: '60000' }, { ready: { path: '/ping', timeoutSeconds: 1 } });
    const failure = await failureOf(requestFor(spec));
    expect(failure.code).toBe('not-ready');
    expect(failure.message).toMatch(/ gives no answer: it took the connection and did not answer within [\d.]+ s\. /);
  });

  it('finds its port taken: by whom', async () => {
    const other = createServer().listen(18_232, '127.0.0.1');
    try {
      const failure = await failureOf(requestFor(specWith(serviceWith({ command: [program], env: {}, port: 18_232 }))));
      expect(failure.code).toBe('start-failed');
      expect(failure.message).toContain(
        ` (process ${process.pid}) listens on port 18232 already. End it, give the service another port`,
      );
    } finally {
      other.close();
    }
  });

  it('finds another port taken, of which the spec says nothing: which, by whom, and what to do', async () => {
    const other = createServer().listen(18_234, '127.0.0.1');
    try {
      const command = ['node', '-e', "require('node:http').createServer().listen(18234, '127.0.0.1')"];
      const failure = await failureOf(requestFor(specWith(serviceWith({ command }))));
      expect(failure.code).toBe('port-in-use');
      const [, holder] = /in use, by (.*?)\. End/.exec(failure.message) ?? [];
      expect(holder).toMatch(new RegExp(`^.+ \\(process ${process.pid}\\)$`));
      expect(failure.message).toBe(
        `Service plain exited with status 1 before it was ready: port 18234 is in use, by ${holder}. End that process, or give the port a name under \`ports\` of the service, and write \`\${ports.NAME}\` into its command or env, so that each start gets a free one.`,
      );
    } finally {
      other.close();
    }
  });

  it('asks for a database that the spec does not have', async () => {
    const failure = await failureOf(requestFor(misbehaving({ DATABASE_URL: '${database.url}' })));
    expect(failure.code).toBe('start-failed');
    expect(failure.message).toContain('`${database.url}` has no value here: the spec has no `database`');
  });

  it('is placed on a CPU that is not there', async () => {
    const placement = { service: '4000', database: '0', generator: '0' };
    const failure = await failureOf(requestFor(misbehaving({}), { placement }));
    expect(failure.code).toBe('exited');
    expect(failure.logLines.join('\n')).toContain('taskset: failed to set pid');
  });

  it('is given up when the run is interrupted', async () => {
    const abort = new AbortController();
    const start = runtime.start(requestFor(misbehaving({ START_DELAY_MS: '60000' })), abort.signal);
    setTimeout(() => abort.abort(new Error('interrupted')), 300);
    await expect(start).rejects.toThrow('interrupted');
  });
});

describe('a service that comes to grief while it is measured', () => {
  it('exits', async () => {
    await running(requestFor(misbehaving({ EXIT_AFTER: '3' })), async (testbed) => {
      for (let i = 0; i < 4; i += 1) await ask(`${testbed.origins.direct}/ping`).catch(() => {});
      await expect.poll(async () => (await testbed.failure())?.code).toBe('exited');
      const failure = await testbed.failure();
      expect(failure?.message).toBe('Service plain exited with status 3. Its last log lines say why.');
      expect(failure?.logLines.at(-1)).toBe('fatal: giving up after 3 requests');
    });
  });

  it('is killed: what that can mean', async () => {
    await running(requestFor(specWith(serviceWith({ command: telling }))), async (testbed) => {
      const own = remains().find((thing) => thing.endsWith(' node'));
      process.kill(Number(own?.split(' ')[0]), 'SIGKILL');
      await expect
        .poll(async () => (await testbed.failure())?.message)
        .toBe(
          'Service plain was ended by SIGKILL, which is also how the kernel ends a process when the machine has no memory ' +
            'left (`dmesg` says so then). It printed nothing: start it by hand, with the command and the env of the spec, or look where it writes its log.',
        );
    });
  });

  it('needs more memory than it may have: held to its limit, or the person is told that nothing holds it', async () => {
    const spec = misbehaving({ ALLOCATE_KB: '4096' }, { memoryBytes: 48 * MIB });
    const lines: string[] = [];
    const { services } = spec;
    const request = { runId: 'x', spec, services, specDirectory: '.', onLine: (line: string) => lines.push(line) };
    await runtime.prepare(request, never());
    await running(requestFor(spec), async (testbed) => {
      for (let i = 0; i < 20; i += 1) await ask(`${testbed.origins.direct}/ping`).catch(() => {});
      if (lines.length > 0) {
        expect(lines).toEqual(['The memory limit of plain is not kept: as a process, only root can set one here.']);
        expect(await testbed.failure()).toBeNull();
        return;
      }
      await expect.poll(async () => (await testbed.failure())?.code).toBe('out-of-memory');
      expect((await testbed.failure())?.message).toBe(
        "Service plain needed more than the 48 MiB that it may have: the kernel ended a process of it. Give it more (the service's `memory` in the spec, without which it gets 40 % of the machine's), or fewer connections.",
      );
    });
  });

  it('lets a supervisor of its own start it anew', async () => {
    await running(requestFor(misbehaving({ RESTART_AFTER: '5' })), async (testbed) => {
      expect(await testbed.failure()).toBeNull();
      for (let i = 0; i < 6; i += 1) await ask(`${testbed.origins.direct}/ping`).catch(() => {});
      await expect.poll(async () => (await testbed.failure())?.code).toBe('server-restarted');
    });
  });
});
