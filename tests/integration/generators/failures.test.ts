import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { textTemplates } from '../../../scripts/text-templates.mjs';
import { locateGenerator } from '../../../src/adapters/generators/locate.ts';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { CaseLoad, GeneratorName } from '../../../src/core/generators/registry.ts';
import { type CaseParts, caseOf } from '../../unit/generators/cases.ts';
import { type CountingServer, startCountingServer } from './counting-server.ts';
import { server, servesSlowly, specDirectory, trace } from './given.ts';
import { runningIn, startedIn, traces } from './running.ts';

const LOADS = {
  wrk: { generator: 'wrk', threads: 1, durationSeconds: 60, timeoutSeconds: 1 },
  k6: { generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 60, timeoutSeconds: 1, script: null },
  ab: { generator: 'ab', requests: 1_000_000, timeoutSeconds: 1 },
  h2load: {
    generator: 'h2load',
    arrival: { kind: 'max' },
    threads: 1,
    streams: 1,
    durationSeconds: 60,
  },
} satisfies Record<GeneratorName, CaseLoad>;
const NAMES = Object.keys(LOADS) as GeneratorName[];
const never = new AbortController().signal;

servesSlowly();

const runner = (environment: Record<string, string | undefined> = process.env) =>
  createGeneratorRunner({ specDirectory, workDirectory: trace.folder, environment });

function requestOf(
  name: GeneratorName,
  parts: CaseParts & { load?: CaseLoad } = {},
  more: Partial<GeneratorRunRequest> = {},
  origin = server.origin,
): GeneratorRunRequest {
  return {
    case: caseOf(parts.load ?? LOADS[name], { connections: 2, ...parts }),
    origin,
    durationSeconds: name === 'ab' ? 0 : 60,
    rate: null,
    cpus: null,
    ...more,
  };
}

/** Begun first and looked at last, since all that it takes is time. */
const hanging = {
  trace: traces(),
  server: null as CountingServer | null,
  pid: 0,
  run: null as Promise<GeneratorRun> | null,
};
beforeAll(async () => {
  hanging.server = await startCountingServer();
  const request = requestOf('wrk', {}, { durationSeconds: 1 }, hanging.server.origin);
  const { folder } = hanging.trace;
  hanging.run = createGeneratorRunner({ specDirectory: folder, workDirectory: folder }).run(request, never);
  hanging.pid = await hanging.trace.started('wrk');
  process.kill(hanging.pid, 'SIGSTOP');
});
afterAll(async () => {
  await hanging.run;
  await hanging.server?.close();
  expect(hanging.trace.running()).toEqual([]);
  expect(hanging.trace.left()).toEqual([]);
  hanging.trace.remove();
});

describe.each(NAMES)('%s, when things go wrong', (name) => {
  it('is told from a run that was killed from outside', async () => {
    const running = runner().run(requestOf(name), never);
    const pid = await trace.started(name);
    await new Promise((passed) => setTimeout(passed, 500));
    process.kill(pid, 'SIGKILL');
    const run = await running;
    expect(run).toMatchObject({ outcome: null, exitCode: null, signal: 'SIGKILL', timedOut: false });
    expect(run.failure).toMatch(
      new RegExp(
        `^${name} was ended by SIGKILL from outside after \\d+\\.\\d s, and what it had measured is lost\\. Where nobody did that, the machine may have run out of memory \\(\`dmesg\` says so\\)\\.$`,
      ),
    );
  });

  it('is ended when the run is aborted, with the reason of the abort', async () => {
    const abort = new AbortController();
    const running = runner().run(requestOf(name), abort.signal);
    await trace.started(name);
    const reason = new Error('SIGTERM');
    abort.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(trace.running()).toEqual([]);
  });

  it('is not started when the run was aborted before', async () => {
    const reason = new Error('SIGINT');
    await expect(runner().run(requestOf(name), AbortSignal.abort(reason))).rejects.toBe(reason);
    expect(server.requests).toBe(0);
  });

  it('is not found where there is none', async () => {
    const environment = { PATH: '/nowhere', HOME: '/nowhere' };
    await expect(runner(environment).run(requestOf(name), never)).rejects.toThrow(
      new RegExp(
        `^${name} was found neither on the PATH nor in /nowhere/\\.cache/wrkbench/bin or /nowhere/go/bin\\. Install it with .+, or name its path in WRKBENCH_${name.toUpperCase()}\\.$`,
      ),
    );
    expect(await runner(environment).version(name)).toBeNull();
  });

  it('is ended when a reading during the load fails', async () => {
    const broken = new Error('the meter is gone');
    const onTick = () => {
      throw broken;
    };
    await expect(runner().run(requestOf(name, {}, { onTick }), never)).rejects.toBe(broken);
  });

  it('cannot be held to a CPU that the machine lacks', async () => {
    await expect(runner().run(requestOf(name, {}, { cpus: '4095' }), never)).rejects.toThrow(
      new RegExp(`^${name} could not be started: taskset: .+\\.$`),
    );
  });

  it('cannot have more connections than the kernel gives it files', async () => {
    const most = Number(readFileSync('/proc/sys/fs/nr_open', 'utf8'));
    await expect(runner().run(requestOf(name, { connections: most }), never)).rejects.toThrow(
      new RegExp(`^The generator needs ${most + 256} open files for its connections and may have \\d+ here\\. Raise `),
    );
  });
});

describe('what a generator says itself', () => {
  it.each([
    ['wrk', /^wrk ended with exit status 1 and said: unable to connect to 127\.0\.0\.1:\d+ Connection refused$/],
    ['h2load', /^h2load had no answer to any request, and gives no reason: nothing listens there, /],
  ] as const)('is the failure of %s where nobody listens', async (name, sentence) => {
    await server.close();
    const run = await runner().run(requestOf(name, {}, { durationSeconds: 1 }), never);
    expect(run.outcome).toBeNull();
    expect(run.failure).toMatch(sentence);
  });

  it.each([
    ['k6', 'connect'],
    ['ab', 'receive'],
  ] as const)('is a count of errors where %s finds nobody', async (name, kind) => {
    await server.close();
    const load: CaseLoad = name === 'ab' ? { ...LOADS.ab, requests: 10 } : LOADS.k6;
    const run = await runner().run(
      requestOf(name, { load }, name === 'k6' ? { rate: 20, durationSeconds: 1 } : {}),
      never,
    );
    expect(run.outcome!.errors![kind]).toBeGreaterThanOrEqual(10);
    expect(run.outcome!.failedRequests).toBeGreaterThanOrEqual(run.outcome!.requests!);
  });

  it('is the failure of ab where an answer takes too long', async () => {
    const silent = await startCountingServer(() => undefined);
    const run = await runner().run(requestOf('ab', { load: { ...LOADS.ab, requests: 4 } }, {}, silent.origin), never);
    await silent.close();
    expect(run.outcome).toBeNull();
    expect(run.failure).toMatch(/^ab ended with exit status \d+ and said: .*The timeout specified has expired/);
  });
});

describe('a k6 script of the user', () => {
  const write = (text: string) => {
    writeFileSync(join(specDirectory, 'own.js'), text);
    return { ...LOADS.k6, script: './own.js' };
  };

  it('gets the case and its load, and needs no more than a default function', async () => {
    const load = write(`
      import http from 'k6/http';
      import { check } from 'k6';
      const body = open(__ENV.WRKBENCH_BODY_FILE);
      export default function () {
        const answer = http.request(__ENV.WRKBENCH_METHOD, __ENV.WRKBENCH_URL, body, { headers: JSON.parse(__ENV.WRKBENCH_HEADERS) });
        check(answer, { ok: ({ body }) => body === 'ok' });
      }`);
    const endpoint = { method: 'PUT', headers: { 'X-Own': 'yes' }, body: 'é' };
    const run = await runner().run(
      requestOf('k6', { load, endpoint, connections: 5 }, { rate: 40, durationSeconds: 1 }),
      never,
    );
    expect(run.failure).toBeNull();
    const { requests = 0, leadInRequests = 0, droppedIterations = 0 } = run.outcome!;
    expect(requests + leadInRequests).toBe(server.requests);
    // Other tests run beside this one: k6 may be woken late, and leave out what was due meanwhile.
    expect(Math.abs(requests + droppedIterations - 40)).toBeLessThanOrEqual(4);
    expect(run.outcome!.errors).toEqual({ failed: 0, checks: 0 });
    expect(run.outcome!.latencyMs!['p99.9']).toBeGreaterThan(20);
    expect(server.first).toMatchObject({ method: 'PUT', target: '/ping', body: Buffer.from('é') });
    expect(server.first!.headers).toContainEqual(['X-Own', 'yes']);
  });

  it('may bring a load and functions of its own', async () => {
    const load = write(`
      import http from 'k6/http';
      export const options = { scenarios: { own: { executor: 'shared-iterations', vus: 2, iterations: 7, exec: 'ask' } } };
      export function ask() { http.get(__ENV.WRKBENCH_URL); }`);
    const run = await runner().run(requestOf('k6', { load }), never);
    expect(run.failure).toBeNull();
    expect(run.outcome!.requests).toBe(7);
    expect(server.requests).toBe(7);
  });

  const asking = (iterations: number) => `
    import http from 'k6/http';
    export const options = { scenarios: { own: { executor: 'shared-iterations', vus: 1, iterations: ${iterations} } } };
    export default function () { http.get(__ENV.WRKBENCH_URL); }`;

  it('is that of the baseline where there is one, and that of the spec where only that has it', async () => {
    const load = write(asking(7));
    const scriptDirectory = join(specDirectory, 'baseline');
    mkdirSync(scriptDirectory);
    const asked = async () => {
      const before = server.requests;
      const run = await runner().run({ ...requestOf('k6', { load }), scriptDirectory }, never);
      expect(run.failure).toBeNull();
      return server.requests - before;
    };
    expect(await asked()).toBe(7);
    writeFileSync(join(scriptDirectory, 'own.js'), asking(3));
    expect(await asked()).toBe(3);
  });

  it('is a failure with its own words where it throws', async () => {
    const run = await runner().run(requestOf('k6', { load: write('undefined.x;') }, { durationSeconds: 1 }), never);
    expect(run.outcome).toBeNull();
    expect(run.failure).toMatch(/^k6 ended with exit status 107 \(the script threw\) and said: .*TypeError/);
  });

  it('is asked for where it cannot be read', async () => {
    const load = { ...LOADS.k6, script: 'none.js' };
    await expect(runner().run(requestOf('k6', { load }), never)).rejects.toThrow(
      `The k6 script ${specDirectory}/none.js cannot be read (ENOENT). Correct load.k6.script in the spec; it is relative to the spec file.`,
    );
  });
});

describe('a wrk script of the user', () => {
  const write = (text: string) => {
    writeFileSync(join(specDirectory, 'own.lua'), text);
    return { ...LOADS.wrk, script: './own.lua' };
  };
  const asked = (load: CaseLoad, parts: CaseParts = {}) =>
    runner().run(requestOf('wrk', { load, ...parts }, { durationSeconds: 1 }), never);

  it('starts from the request of the case, and is counted as every other', async () => {
    const load = write(`
      print("loaded")
      io.write("Running 1s test @ http://elsewhere\\n")
      function init(args) wrk.headers["X-Own"] = "yes" end
      function request() return wrk.format(nil, wrk.path .. "?own=1") end
      function done(summary) io.write("seen ", summary.requests > 0 and "some" or "none") error("at the end") end`);
    const run = await asked(load, { endpoint: { method: 'PUT', body: 'é' } });
    expect(run.failure).toBeNull();
    expect(run.outcome!.requests).toBeGreaterThan(10);
    expect(run.outcome!.threads).toBe(1);
    expect(run.outcome!.errors!.status).toBe(0);
    expect(run.outcome!.latencyMs!.p50).toBeGreaterThan(20);
    expect(server.first).toMatchObject({ method: 'PUT', target: '/ping?own=1', body: Buffer.from('é') });
    expect(server.first!.headers).toContainEqual(['X-Own', 'yes']);
  });

  it('has no way to what we read by functions and tables of its own', async () => {
    const load = write(`
      function setup() done = nil end
      io.open, io.read, io.stdout, os.exit = nil, nil, nil, nil
      math, ipairs, tostring, pcall = nil, nil, nil, nil`);
    const run = await asked(load);
    expect(run.failure).toBeNull();
    expect(run.outcome!.requests).toBeGreaterThan(10);
    expect(run.outcome!.latencyMs!.p99).toBeGreaterThan(20);
  });

  it.each([
    [
      'request = function( return 1 end',
      /^wrk ended with exit status 1 and said: .*load\.wrk\.script: .*own\/own\.lua:1: /,
    ],
    ['error("not today")', /^wrk ended with exit status 1 and said: .*load\.wrk\.script: .*own\/own\.lua:1: not today/],
    ['function request() return missing.field end', /^wrk ended with exit status 1 and said: .*missing/],
    ['os.exit(0)', /wrk/],
  ])('is a failure with its own words where it ends: %s', async (text, said) => {
    const run = await asked(write(text));
    expect(run.outcome).toBeNull();
    expect(run.failure).toMatch(said);
  });

  it('ends with all that it has started, also in a session of its own', async () => {
    const run = await asked(write(`os.execute("cd / && setsid sleep 1000 &") os.execute("setsid sleep 1000 &")`));
    expect(run.failure).toBeNull();
    expect(trace.running()).toEqual([]);
  });

  it('is asked for where it cannot be read', async () => {
    await expect(asked({ ...LOADS.wrk, script: 'none.lua' })).rejects.toThrow(
      `The wrk script ${specDirectory}/none.lua cannot be read (ENOENT). Correct load.wrk.script in the spec; it is relative to the spec file.`,
    );
  });
});

describe('the process of a generator', () => {
  it('knows nothing of our environment and stays on its CPU', async () => {
    process.env.GITHUB_TOKEN = 'secret';
    process.env.K6_OUT = 'cloud';
    const abort = new AbortController();
    const running = runner().run(requestOf('k6', {}, { cpus: '0' }), abort.signal);
    const pid = await trace.started('k6');
    const environment = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean);
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    abort.abort(new Error('seen'));
    await expect(running).rejects.toThrow('seen');
    delete process.env.GITHUB_TOKEN;
    delete process.env.K6_OUT;
    expect(environment.map((entry) => entry.split('=')[0]).sort()).toEqual([
      'GOGC',
      'GOMAXPROCS',
      'GOMEMLIMIT',
      'HOME',
      'K6_AUTO_EXTENSION_RESOLUTION',
      'K6_NO_USAGE_REPORT',
      'LANG',
      'PATH',
      'TMPDIR',
    ]);
    expect(/^Cpus_allowed_list:\s+(.*)$/m.exec(status)?.[1]).toBe('0');
  });

  it('ends with us, even where we are killed', async () => {
    const script = join(specDirectory, 'killed.mjs');
    const request = requestOf('wrk');
    await build({
      stdin: {
        contents: `import { createGeneratorRunner } from './src/adapters/generators/runner.ts';
          const runner = createGeneratorRunner({ specDirectory: '/', workDirectory: ${JSON.stringify(specDirectory)} });
          await runner.run(${JSON.stringify(request)}, new AbortController().signal);`,
        resolveDir: join(import.meta.dirname, '../../..'),
        loader: 'ts',
      },
      bundle: true,
      plugins: [textTemplates],
      platform: 'node',
      format: 'esm',
      outfile: script,
    });
    const parent = spawn(process.execPath, [script], { stdio: 'ignore' });
    const pid = await startedIn(specDirectory, 'wrk');
    parent.kill('SIGKILL');
    await new Promise((ended) => parent.once('close', ended));
    await expect.poll(() => runningIn(specDirectory, 'wrk')).not.toContain(pid);
  });
});

describe('the place of a generator', () => {
  it('is what WRKBENCH_NAME says, and nothing else where that is wrong', () => {
    const { path } = locateGenerator('wrk');
    expect(locateGenerator('wrk', { PATH: '', WRKBENCH_WRK: path! })).toEqual({ path, failure: null });
    expect(locateGenerator('wrk', { PATH: process.env.PATH, WRKBENCH_WRK: '/nowhere/wrk' })).toEqual({
      path: null,
      failure: 'WRKBENCH_WRK is /nowhere/wrk, where no program is. Give the absolute path of wrk, or unset it.',
    });
  });

  it('may be where set-up puts it', () => {
    const bin = join(trace.folder, 'wrkbench', 'bin');
    mkdirSync(bin, { recursive: true });
    writeFileSync(join(bin, 'k6'), '#!/bin/sh\n', { mode: 0o755 });
    expect(locateGenerator('k6', { PATH: '/nowhere', XDG_CACHE_HOME: trace.folder }).path).toBe(join(bin, 'k6'));
    rmSync(join(trace.folder, 'wrkbench'), { recursive: true });
  });
});

describe('a generator that hangs', () => {
  it('is killed after its own time and a margin, and says so', async () => {
    const run = await hanging.run!;
    expect(run).toMatchObject({ outcome: null, timedOut: true });
    expect(run.failure).toMatch(
      /^wrk was still running after 1\d\.\d s, though it should have ended by itself within 12 s; it was killed, and what it had measured is lost\.$/,
    );
    expect(() => process.kill(hanging.pid, 0)).toThrow('ESRCH');
  });
});
