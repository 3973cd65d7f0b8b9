import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import { parseOutput } from '../../../src/app/parse.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { Case } from '../../../src/core/config/case.ts';
import type { CaseLoad, GeneratorName } from '../../../src/core/generators/registry.ts';
import { generators } from '../../../src/core/generators/registry.ts';
import { type CaseParts, caseOf, PONG } from '../../unit/generators/cases.ts';
import { type Answering, type CountingServer, startCountingServer } from './counting-server.ts';
import { traces } from './running.ts';

const LOADS = {
  wrk: { generator: 'wrk', threads: 2, durationSeconds: 1, timeoutSeconds: 1 },
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

/** The load of one test, in a folder and against a server of its own: most of them run side by side, since most of their time they wait. */
async function measured(
  name: GeneratorName,
  parts: CaseParts & { load?: CaseLoad; answer?: Answering } = {},
  more: Partial<GeneratorRunRequest> = {},
): Promise<{ run: GeneratorRun; server: CountingServer }> {
  const server = await startCountingServer(parts.answer);
  try {
    const run = await measuredAt(server.origin, caseOf(parts.load ?? LOADS[name], { connections: 4, ...parts }), {
      durationSeconds: BRIEFLY[name],
      ...more,
    });
    return { run, server };
  } finally {
    await server.close();
  }
}

async function measuredAt(origin: string, testCase: Case, more: Partial<GeneratorRunRequest>): Promise<GeneratorRun> {
  const trace = traces();
  try {
    const request = { case: testCase, origin, durationSeconds: 1, rate: null, cpus: null, ...more };
    const run = await createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder }).run(
      request,
      new AbortController().signal,
    );
    expect(trace.running()).toEqual([]);
    expect(trace.left()).toEqual([]);
    return run;
  } finally {
    trace.remove();
  }
}

// By itself: what it counts is held against what the server has seen, and against the time that it took.
describe.each(NAMES)('%s against a server that counts', (name) => {
  it('reports what the server has answered, in a text that parses to the same within rounding', async () => {
    let ticks = 0;
    const { run, server } = await measured(
      name,
      {},
      {
        ...(name === 'ab' ? {} : { durationSeconds: 1 }),
        onTick: () => (ticks += 1),
      },
    );
    expect(run.failure).toBeNull();
    const { requests = 0, throughput = 0, durationSeconds = 0, latencyMs, bytes = 0 } = run.outcome!;
    expect(requests).toBeGreaterThan(100);
    // What was under way at the end was answered and not counted.
    expect(server.requests).toBeGreaterThanOrEqual(requests);
    expect(server.requests).toBeLessThanOrEqual(requests + 4);
    // ab prints its duration in whole milliseconds, and a few requests take few of them.
    expect(Math.abs(throughput / (requests / durationSeconds) - 1)).toBeLessThan(0.01 + 0.0006 / durationSeconds);
    expect(bytes / requests).toBeGreaterThan(50);
    expect(latencyMs!.p50).toBeGreaterThan(0);
    expect(latencyMs!.p99).toBeGreaterThanOrEqual(latencyMs!.p50!);
    expect(latencyMs!.max).toBeGreaterThanOrEqual(Math.floor(latencyMs!.p99!));
    expect(run).toMatchObject({ exitCode: 0, signal: null, timedOut: false });
    expect(run.durationNs / 1e9).toBeGreaterThanOrEqual(durationSeconds);
    expect(run.cpuNs).toBeGreaterThan(0);
    if (name !== 'ab') expect(ticks).toBeGreaterThan(0);
    expect(Object.keys(run.raw)).toContain('stdout.txt');

    const printed = parseOutput(name, run.raw['stdout.txt']!);
    expect(printed.requests).toBe(run.outcome!.requests);
    expect(Math.abs(printed.throughput! - run.outcome!.throughput!)).toBeLessThanOrEqual(0.006);
    // h2load printed no percentiles before 1.69.
    const keys = name === 'h2load' ? (['min', 'mean', 'max'] as const) : (['p50', 'p75', 'p90', 'p99', 'max'] as const);
    for (const key of keys) {
      const exact = run.outcome!.latencyMs![key]!;
      // wrk prints two decimals of its unit, ab whole milliseconds, k6 what our script prints.
      const rounding = name === 'ab' ? 0.51 : 0.0051 * Math.max(1, exact);
      expect(Math.abs(printed.latencyMs![key]! - exact)).toBeLessThanOrEqual(rounding);
    }
  });
});

describe.concurrent.each(NAMES)('%s beside others, against a server that counts', (name) => {
  it('sends method, headers and body byte by byte', async () => {
    const body = '{"sequence": 2,\n "text": "\\ \u0000 é \u2028 😀"}';
    const { run, server } = await measured(name, {
      basePath: '/api/v4',
      endpoint: { ...PONG, path: '/pöng?a=1', body },
    });
    expect(run.failure).toBeNull();
    expect(server.first).toMatchObject({ method: 'POST', target: '/api/v4/p%C3%B6ng?a=1' });
    expect(server.first!.body.toString('utf8')).toBe(body);
    const headers = server.first!.headers.map(([key, value]) => [key.toLowerCase(), value]);
    expect(headers).toContainEqual(['content-type', 'application/json']);
    expect(headers).toContainEqual(['x-trace', 'say "hi"\\']);
    expect(headers).toContainEqual(['content-length', String(Buffer.byteLength(body))]);
    expect(headers.filter(([key]) => key === 'host')).toEqual([['host', server.origin.slice('http://'.length)]]);
  });

  it('counts bad statuses', async () => {
    const answer: Answering = (response, _, number) => {
      response.statusCode = number % 5 === 0 ? 503 : 200;
      response.end('x');
    };
    const { run, server } = await measured(name, { answer });
    const { errors } = run.outcome!;
    expect(errors!.status).toBeGreaterThan(0);
    expect(Math.abs(errors!.status! - server.statuses[503]!)).toBeLessThanOrEqual(4);
  });

  it('tells its version', async () => {
    const version = await createGeneratorRunner({ specDirectory: '/', workDirectory: tmpdir() }).version(name);
    expect(version).toMatch(/^\d+\.\d+/);
  });
});

describe.concurrent('keep-alive off', () => {
  it.each(NAMES.filter((name) => generators[name].closesConnections))(
    'is a connection for each request of %s',
    async (name) => {
      const { run, server } = await measured(name, { keepAlive: false });
      expect(run.failure).toBeNull();
      expect(server.connections).toBeGreaterThanOrEqual(run.outcome!.requests!);
    },
  );
});

describe.concurrent('keep-alive on', () => {
  it.each(['wrk', 'k6', 'h2load'] as const)('%s keeps as many connections as the case has', async (name) => {
    const { server } = await measured(name, { connections: 6 });
    // wrk opens one more, to see whether anybody listens.
    expect(server.connections).toBe(name === 'wrk' ? 7 : 6);
  });

  it('ab says when the server does not keep HTTP/1.0 connections', async () => {
    const { run, server } = await measured('ab');
    expect(server.first!.httpVersion).toBe('1.0');
    expect(server.first!.headers).toContainEqual(['Connection', 'Keep-Alive']);
    expect(run.outcome!.keepAliveRequests).toBe(0);
  });
});

describe.concurrent('wrk', () => {
  it('gives percentiles that its text lacks, and its kinds of errors', async () => {
    const { run } = await measured('wrk');
    expect(Object.keys(run.outcome!.latencyMs!).sort()).toEqual(
      ['max', 'mean', 'min', 'p50', 'p75', 'p90', 'p95', 'p99', 'p99.9', 'p99.99', 'stdev'].sort(),
    );
    expect(run.outcome!.errors).toEqual({ connect: 0, read: 0, write: 0, timeout: 0, status: 0 });
    expect(run.outcome).toMatchObject({ threads: 2, connections: 4 });
  });

  it('has no latencies where every answer came too late', async () => {
    const answer: Answering = (response) => void setTimeout(() => response.end('late'), 1200);
    const { run } = await measured('wrk', { answer }, { durationSeconds: 2 });
    expect(run.outcome!.requests).toBeGreaterThan(0);
    expect(run.outcome!.errors!.timeout).toBeGreaterThan(0);
    expect(run.outcome).not.toHaveProperty('latencyMs');
    expect(parseOutput('wrk', run.raw['stdout.txt']!)).not.toHaveProperty('latencyMs');
  });
});

// By itself: at a rate that others keep it from, k6 sends late and leaves out what was due meanwhile.
describe('k6 at a rate', () => {
  it('sends at the rate that it is told, parts of a request per second included', async () => {
    const { run } = await measured('k6', { connections: 20 }, { rate: 150.5, durationSeconds: 2 });
    // A busy machine may drop some; they are part of the rate all the same.
    const { requests = 0, droppedIterations = 0 } = run.outcome!;
    expect(requests).toBeGreaterThan(0);
    expect(Math.abs(requests + droppedIterations - 301)).toBeLessThanOrEqual(2);
  });

  it('counts what it could not send in time as dropped', async () => {
    const answer: Answering = (response) => void setTimeout(() => response.end('slow'), 100);
    const { run } = await measured('k6', { connections: 2, answer }, { rate: 200 });
    const { requests = 0, droppedIterations = 0 } = run.outcome!;
    expect(droppedIterations).toBeGreaterThan(100);
    expect(Math.abs(requests + droppedIterations - 200)).toBeLessThanOrEqual(2);
  });
});

describe.concurrent('k6', () => {
  it('takes an expected status that is an error for others as success', async () => {
    const answer: Answering = (response) => response.writeHead(404).end();
    const expectation = { status: 404, contentType: null, body: null, sizeBytes: null, matches: null };
    const { run } = await measured('k6', { answer, endpoint: { expect: expectation } });
    expect(run.outcome).toMatchObject({ failedRequests: 0, errors: { failed: 0 } });
  });
});

describe.concurrent('h2load', () => {
  it('sends at the rate that it is told, parts of a request per second included', async () => {
    const { run } = await measured('h2load', { connections: 20 }, { rate: 150.5, durationSeconds: 2 });
    // Nothing is sent in the first of the intervals of each connection, nor in the last where that is not whole.
    expect(run.outcome!.requests).toBeGreaterThan(301 - 2 * 20);
    expect(run.outcome!.requests).toBeLessThanOrEqual(301 + 20);
  });

  it('sends fewer where answers keep its connections waiting', async () => {
    const answer: Answering = (response) => void setTimeout(() => response.end('slow'), 100);
    const { run } = await measured('h2load', { connections: 2, answer }, { rate: 200, durationSeconds: 1 });
    expect(run.outcome!.requests).toBeLessThanOrEqual(2 * 10);
  });

  it('gives percentiles of its log of requests, which nobody keeps', async () => {
    const { run } = await measured('h2load');
    expect(Object.keys(run.outcome!.latencyMs!)).toEqual([
      ...['min', 'mean', 'stdev', 'max', 'p50', 'p75', 'p90', 'p95', 'p99', 'p99.9'],
    ]);
    expect(Object.keys(run.raw)).toEqual(['stdout.txt']);
  });

  it('goes on without a connection that the server cuts, and does not say so', async () => {
    const answer: Answering = (response, request, number) => {
      if (number === 30) request.socket.destroy();
      else response.end('ok');
    };
    const { run, server } = await measured('h2load', { connections: 2, answer }, { rate: 100, durationSeconds: 2 });
    expect(run.outcome).toMatchObject({ failedRequests: 0, errors: { read: 0, timeout: 0, status: 0 } });
    expect(server.connections).toBe(2);
    expect(run.outcome!.requests).toBeLessThan(150);
  });

  it('speaks HTTP/2 with several requests under way on a connection, and counts its answers', async () => {
    let most = 0;
    let underWay = 0;
    let requests = 0;
    let connections = 0;
    const http2Server = createHttp2Server((_, response) => {
      requests += 1;
      underWay += 1;
      most = Math.max(most, underWay);
      setTimeout(() => {
        underWay -= 1;
        response.end('ok');
      }, 5);
    });
    http2Server.on('session', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => http2Server.listen(0, '127.0.0.1', resolve));
    const { port } = http2Server.address() as AddressInfo;
    try {
      const { service, ...rest } = caseOf({ ...LOADS.h2load, streams: 8 }, { connections: 2 });
      const overHttp2 = { ...rest, service: { ...service, protocol: 'h2' as const } };
      const run = await measuredAt(`http://127.0.0.1:${port}`, overHttp2, {});
      expect(run.failure).toBeNull();
      expect(run.outcome!.requests).toBeGreaterThan(100);
      expect(run.outcome!.latencyMs!.min).toBeGreaterThan(4);
      expect(requests - run.outcome!.requests!).toBeLessThanOrEqual(16);
      expect({ most, connections }).toEqual({ most: 16, connections: 2 });
    } finally {
      await new Promise((resolve) => http2Server.close(resolve));
    }
  });
});
