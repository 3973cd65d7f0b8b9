import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { GeneratorRunner, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { CaseLoad, GeneratorName } from '../../../src/core/generators/registry.ts';
import { generators } from '../../../src/core/generators/registry.ts';
import { type CaseParts, caseOf } from '../../unit/generators/cases.ts';
import { type Answering, type CountingServer, startCountingServer } from './counting-server.ts';
import { runningIn, type Traces, traces } from './running.ts';

const LOADS = {
  wrk: { generator: 'wrk', threads: 1, durationSeconds: 1, timeoutSeconds: 1 },
  k6: { generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 1, timeoutSeconds: 1, script: null },
  ab: { generator: 'ab', requests: 400, timeoutSeconds: 2 },
  h2load: {
    generator: 'h2load',
    arrival: { kind: 'max' },
    threads: 1,
    streams: 1,
    durationSeconds: 1,
  },
} satisfies Record<GeneratorName, CaseLoad>;
const NAMES = Object.keys(generators) as GeneratorName[];
/** Seconds, where a test is about neither length nor rate; k6 takes no part of a second. */
const BRIEFLY: Record<GeneratorName, number> = { wrk: 0.5, k6: 1, ab: 0, h2load: 0.5 };
const never = new AbortController().signal;

/** What one test has to itself, so that most run side by side: most of their time they wait. */
interface Place {
  servers: [CountingServer, CountingServer];
  trace: Traces;
  specDirectory: string;
  runner(environment?: Record<string, string | undefined>): GeneratorRunner;
  requestsOf(
    name: GeneratorName,
    parts?: CaseParts & { load?: CaseLoad },
    more?: Partial<GeneratorRunRequest>,
  ): [GeneratorRunRequest, GeneratorRunRequest];
  replaceSecond(answer: Answering): Promise<void>;
}

const it = test.extend<{ place: Place }>({
  place: async ({ task: _ }, use) => {
    const specDirectory = mkdtempSync(join(tmpdir(), 'wrkbench-spec-'));
    const trace = traces();
    const servers: Place['servers'] = [await startCountingServer(), await startCountingServer()];
    await use({
      servers,
      trace,
      specDirectory,
      runner: (environment = process.env) =>
        createGeneratorRunner({ specDirectory, workDirectory: trace.folder, environment }),
      requestsOf(name, parts = {}, more = {}) {
        const side = ({ origin }: CountingServer): GeneratorRunRequest => ({
          case: caseOf(parts.load ?? LOADS[name], { connections: 4, ...parts }),
          origin,
          durationSeconds: BRIEFLY[name],
          rate: null,
          cpus: null,
          ...more,
        });
        return [side(servers[0]), side(servers[1])];
      },
      async replaceSecond(answer) {
        await servers[1].close();
        servers[1] = await startCountingServer(answer);
      },
    });
    rmSync(specDirectory, { recursive: true });
    await Promise.all(servers.map((server) => server.close()));
    expect(trace.running()).toEqual([]);
    expect(trace.left()).toEqual([]);
    trace.remove();
  },
});

// By themselves: what they count is held against what the server has seen, and against the time that it took.
describe.each(NAMES)('a duet of %s', (name) => {
  it('reports for each side what its own server has answered, at the same time', async ({
    place: { servers, runner, requestsOf },
  }) => {
    const runs = await runner().runTogether(requestsOf(name), never);
    for (const [index, run] of runs.entries()) {
      const { requests = 0, bytes = 0, durationSeconds = 0, throughput = 0, latencyMs } = run.outcome!;
      expect(requests).toBeGreaterThan(50);
      // What was under way at the end was answered and not counted.
      expect(servers[index]!.requests).toBeGreaterThanOrEqual(requests);
      expect(servers[index]!.requests).toBeLessThanOrEqual(requests + 4);
      expect(bytes / requests).toBeGreaterThan(50);
      // h2load divides by the seconds that were asked for, and tells those that it took.
      const asked = name === 'h2load' ? Math.min(BRIEFLY[name], durationSeconds) : durationSeconds;
      const rounding = 0.01 + 0.0006 / durationSeconds;
      expect(throughput).toBeGreaterThan((requests / durationSeconds) * (1 - rounding));
      expect(throughput).toBeLessThan((requests / asked) * (1 + rounding));
      expect(latencyMs!.p99).toBeGreaterThanOrEqual(latencyMs!.p50!);
      expect(run).toMatchObject({ failure: null, exitCode: 0, signal: null, timedOut: false });
      expect(run.cpuNs).toBeGreaterThan(0);
      expect(Object.keys(run.raw)).toContain('stdout.txt');
    }
    const [first, second] = runs;
    expect(second.startedNs).toBeGreaterThanOrEqual(first.startedNs);
    expect(second.startedNs).toBeLessThan(first.startedNs + first.durationNs);
  });
});

describe.concurrent.each(NAMES)('a duet of %s, beside others', (name) => {
  it('tells the start of both sides, the moments of each after it, and its end', async ({
    place: { runner, requestsOf },
  }) => {
    const events: string[] = [];
    const [first, second] = requestsOf(name, name === 'ab' ? { load: { ...LOADS.ab, requests: 4000 } } : {});
    const telling = (side: string) => ({
      onStart: () => events.push(`${side} start`),
      onTick: () => events.push(`${side} tick`),
      onEnd: () => events.push(`${side} end`),
    });
    await runner().runTogether(
      [
        { ...first, ...telling('first') },
        { ...second, ...telling('second') },
      ],
      never,
    );
    expect(events.slice(0, 2)).toEqual(['first start', 'second start']);
    for (const side of ['first', 'second']) {
      const own = events.filter((text) => text.startsWith(side));
      expect(own.length).toBeGreaterThan(2);
      expect(own.lastIndexOf(`${side} start`)).toBe(0);
      expect(own.indexOf(`${side} end`)).toBe(own.length - 1);
    }
    // One process has one end.
    if (name === 'k6') expect(events.slice(-2)).toEqual(['first end', 'second end']);
  });

  it('is ended whole when the run is aborted, with the reason of the abort', async ({
    place: { trace, runner, requestsOf },
  }) => {
    const abort = new AbortController();
    const running = runner().runTogether(
      requestsOf(name, name === 'ab' ? { load: { ...LOADS.ab, requests: 1_000_000 } } : {}),
      abort.signal,
    );
    await trace.started(name);
    const reason = new Error('SIGTERM');
    abort.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(trace.running()).toEqual([]);
  });

  it('is ended whole when a reading of one side fails', async ({ place: { trace, runner, requestsOf } }) => {
    const broken = new Error('the meter is gone');
    const load = name === 'ab' ? { ...LOADS.ab, requests: 1_000_000 } : LOADS[name];
    const [first, second] = requestsOf(name, { load });
    const onTick = () => {
      throw broken;
    };
    await expect(runner().runTogether([first, { ...second, onTick }], never)).rejects.toBe(broken);
    expect(trace.running()).toEqual([]);
  });

  it('sends nothing before what is done before the load is done', async ({
    place: { servers, runner, requestsOf },
  }) => {
    const log: string[] = [];
    const slowly = (side: string) => ({
      async beforeLoad() {
        await new Promise((passed) => setTimeout(passed, 400));
        log.push(`${side} is over, ${servers.map(({ requests }) => requests)}`);
      },
      onStart: () => log.push(`${side} starts`),
    });
    const [first, second] = requestsOf(name);
    const runs = await runner().runTogether(
      [
        { ...first, ...slowly('first') },
        { ...second, ...slowly('second') },
      ],
      never,
    );
    expect(log).toEqual(['first is over, 0,0', 'second is over, 0,0', 'first starts', 'second starts']);
    for (const { outcome } of runs) expect(outcome!.requests).toBeGreaterThan(50);
  });

  it('sends nothing where what is done before the load fails', async ({
    place: { servers, trace, runner, requestsOf },
  }) => {
    const broken = new Error('the server is gone');
    const [first, second] = requestsOf(name);
    const beforeLoad = () => Promise.reject(broken);
    await expect(runner().runTogether([first, { ...second, beforeLoad }], never)).rejects.toBe(broken);
    expect(servers.map(({ requests }) => requests)).toEqual([0, 0]);
    expect(trace.running()).toEqual([]);
  });

  it.for(['onStart', 'onEnd'])(
    'fails when the reading at %s does',
    async (moment, { place: { servers, trace, runner, requestsOf } }) => {
      const broken = new Error('the meter is gone');
      const [first, second] = requestsOf(name);
      const reading = () => {
        throw broken;
      };
      await expect(runner().runTogether([first, { ...second, [moment]: reading }], never)).rejects.toBe(broken);
      expect(trace.running()).toEqual([]);
      if (moment === 'onStart') expect(servers.map(({ requests }) => requests)).toEqual([0, 0]);
    },
  );

  it('is not started when the run was aborted before, or where there is no generator', async ({
    place: { servers, runner, requestsOf },
  }) => {
    const reason = new Error('SIGINT');
    await expect(runner().runTogether(requestsOf(name), AbortSignal.abort(reason))).rejects.toBe(reason);
    const environment = { PATH: '/nowhere', HOME: '/nowhere' };
    await expect(runner(environment).runTogether(requestsOf(name), never)).rejects.toThrow(
      `${name} was found neither on the PATH`,
    );
    expect(servers.map(({ requests }) => requests)).toEqual([0, 0]);
  });

  it('cannot be held to a CPU that the machine lacks', async ({ place: { runner, requestsOf } }) => {
    await expect(runner().runTogether(requestsOf(name, {}, { cpus: '4095' }), never)).rejects.toThrow(
      new RegExp(`^${name} could not be started: taskset: .+\\.$`),
    );
  });
});

describe.concurrent.each(NAMES.filter((name) => generators[name].closesConnections))(
  'a duet of %s with keep-alive off',
  (name) => {
    it('opens a connection for each request of either side', async ({ place: { servers, runner, requestsOf } }) => {
      const runs = await runner().runTogether(requestsOf(name, { keepAlive: false }), never);
      for (const [index, run] of runs.entries()) {
        expect(servers[index]!.connections).toBeGreaterThanOrEqual(run.outcome!.requests!);
      }
    });
  },
);

describe.concurrent('a side that fails', () => {
  it('of wrk leaves the other its outcome', async ({ place: { servers, runner, requestsOf } }) => {
    await servers[1].close();
    const [first, second] = await runner().runTogether(requestsOf('wrk'), never);
    expect(first.outcome!.requests).toBeGreaterThan(50);
    expect(second.outcome).toBeNull();
    expect(second.failure).toMatch(/^wrk ended with exit status 1 and said: unable to connect/);
  });

  it('of k6 is a count of errors of its own', async ({ place: { runner, requestsOf, replaceSecond } }) => {
    await replaceSecond((response, _, number) => response.writeHead(number % 2 === 0 ? 503 : 200).end());
    const runs = await runner().runTogether(requestsOf('k6', {}, { rate: 40 }), never);
    const [first, second] = runs.map(({ outcome }) => outcome!);
    expect([first!.failedRequests, first!.errors]).toEqual([0, { failed: 0 }]);
    expect(second!.failedRequests).toBeGreaterThanOrEqual(19);
    expect(second!.errors).toEqual({ status: second!.failedRequests });
  });

  it('of two processes may be killed from outside, and the other goes on', async ({
    place: { trace, runner, requestsOf },
  }) => {
    const running = runner().runTogether(requestsOf('wrk', {}, { durationSeconds: 1 }), never);
    await expect.poll(() => runningIn(trace.folder, 'wrk').length).toBe(2);
    process.kill(Math.max(...runningIn(trace.folder, 'wrk')), 'SIGKILL');
    const runs = await running;
    expect(runs.map(({ signal }) => signal).sort()).toEqual(['SIGKILL', null]);
    expect(runs.filter(({ outcome }) => outcome !== null)).toHaveLength(1);
  });
});

// By themselves: at a rate that others keep it from, k6 sends late and leaves out what was due meanwhile.
describe('a k6 duet at a rate', () => {
  it('sends it to both, and counts neither the lead-in nor what was dropped in it', async ({
    place: { servers, runner, requestsOf },
  }) => {
    const runs = await runner().runTogether(
      requestsOf('k6', { connections: 20 }, { rate: 150.5, durationSeconds: 2 }),
      never,
    );
    for (const [index, { outcome }] of runs.entries()) {
      const { requests = 0, leadInRequests = 0, droppedIterations = 0, durationSeconds } = outcome!;
      expect(durationSeconds).toBe(2);
      // What is late when the lead-in ends is counted as well: the machine may be busy.
      expect(Math.abs(requests + droppedIterations - 301)).toBeLessThanOrEqual(30);
      expect(leadInRequests).toBeGreaterThan(0);
      expect(requests + leadInRequests).toBe(servers[index]!.requests);
    }
  });

  it('keeps as many connections to each side as the case has, from the lead-in on', async ({
    place: { servers, runner, requestsOf },
  }) => {
    const runs = await runner().runTogether(requestsOf('k6', { connections: 6 }, { rate: 200 }), never);
    expect(servers.map(({ connections }) => connections)).toEqual([6, 6]);
    expect(runs.map(({ outcome }) => outcome!.connections)).toEqual([6, 6]);
    expect(runs.map(({ outcome }) => outcome!.phasesMs!.connect!.max)).toEqual([0, 0]);
  });

  it('counts what one side could not take as dropped there', async ({
    place: { runner, requestsOf, replaceSecond },
  }) => {
    await replaceSecond((response) => void setTimeout(() => response.end('slow'), 100));
    const runs = await runner().runTogether(requestsOf('k6', { connections: 2 }, { rate: 200 }), never);
    const [first, second] = runs.map(({ outcome }) => outcome!);
    expect(first!.requests! + (first!.droppedIterations ?? 0)).toBeGreaterThan(190);
    expect(second!.droppedIterations).toBeGreaterThan(100);
    expect(Math.abs(second!.requests! + second!.droppedIterations! - 200)).toBeLessThanOrEqual(20);
  });

  it('sends the same to both', async ({ place: { servers, runner, requestsOf } }) => {
    const endpoint = { method: 'PUT', headers: { 'X-Own': 'yes' }, body: 'é' };
    await runner().runTogether(requestsOf('k6', { endpoint }, { rate: 20 }), never);
    for (const { first, origin } of servers) {
      expect(first).toMatchObject({ method: 'PUT', target: '/ping', body: Buffer.from('é') });
      expect(first!.headers).toContainEqual(['X-Own', 'yes']);
      expect(first!.headers).toContainEqual(['Host', origin.slice('http://'.length)]);
    }
  });
});

describe('a k6 script of the user in a duet', () => {
  const write = (specDirectory: string, text: string) => {
    writeFileSync(join(specDirectory, 'own.js'), text);
    return { ...LOADS.k6, script: './own.js' };
  };

  it('gets its own side before and in its iterations, and in setup and teardown', async ({
    place: { specDirectory, servers, runner, requestsOf },
  }) => {
    const load = write(
      specDirectory,
      `
      import http from 'k6/http';
      import { check } from 'k6';
      export const options = { thresholds: { checks: ['rate==1'] } };
      const url = __ENV.WRKBENCH_URL;
      const body = open(__ENV.WRKBENCH_BODY_FILE);
      export const setup = () => ({ url: __ENV.WRKBENCH_URL });
      export default function (data) {
        if (data.url !== url || __ENV.WRKBENCH_URL !== url) throw new Error(data.url + ' is not ' + url);
        const answer = http.request(__ENV.WRKBENCH_METHOD, url, body);
        check(answer, { ok: ({ status }) => status === 200 });
      }
      export function teardown(data) {
        if (data.url !== __ENV.WRKBENCH_URL) throw new Error('teardown');
      }`,
    );
    const endpoint = { method: 'PUT', body: 'é' };
    const runs = await runner().runTogether(requestsOf('k6', { load, endpoint }, { rate: 40 }), never);
    for (const [index, { outcome, failure }] of runs.entries()) {
      expect(failure).toBeNull();
      const { requests = 0, leadInRequests = 0, droppedIterations = 0, errors } = outcome!;
      expect(Math.abs(requests + droppedIterations - 40)).toBeLessThanOrEqual(8);
      expect(requests + leadInRequests).toBe(servers[index]!.requests);
      expect(errors).toEqual({ failed: 0, checks: 0 });
      expect(servers[index]!.first!.body.toString()).toBe('é');
    }
  });

  it('cannot bring a load of its own, whose sides nobody could tell apart', async ({
    place: { specDirectory, runner, requestsOf },
  }) => {
    const load = write(
      specDirectory,
      'export const options = { vus: 2, iterations: 7 }; export default function () {}',
    );
    const runs = await runner().runTogether(requestsOf('k6', { load }), never);
    for (const { outcome, failure } of runs) {
      expect(outcome).toBeNull();
      expect(failure).toMatch(
        /^k6 ended with exit status 107 \(the script threw\) and said: .*load\.k6\.script brings a load of its own/,
      );
    }
  });
});
