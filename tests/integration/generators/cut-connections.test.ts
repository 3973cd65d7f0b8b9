// needs: k6, h2load, wrk
import { createServer, type Server } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { GeneratorRun } from '../../../src/app/ports/generators.ts';
import type { CaseLoad } from '../../../src/core/generators/registry.ts';
import { caseOf } from '../../unit/generators/cases.ts';
import { type Answering, type CountingServer, startCountingServer } from './counting-server.ts';
import { type Traces, traces } from './running.ts';

/** Servers that answer late, or cut connections: the generator waits, and loads next to nothing meanwhile. */
const K6: CaseLoad = {
  generator: 'k6',
  arrival: { kind: 'vus' },
  durationSeconds: 1,
  timeoutSeconds: 1,
  script: null,
};
const H2LOAD: CaseLoad = {
  generator: 'h2load',
  arrival: { kind: 'max' },
  threads: 1,
  streams: 1,
  durationSeconds: 1,
};

let server: CountingServer | null = null;
let trace: Traces;
beforeEach(() => {
  trace = traces();
});
afterEach(async () => {
  await server?.close();
  server = null;
  expect(trace.running()).toEqual([]);
  expect(trace.left()).toEqual([]);
  trace.remove();
});

/** A second of load. */
async function measured(
  load: CaseLoad,
  { connections, rate }: { connections: number; rate: number | null },
  answer: Answering,
): Promise<GeneratorRun> {
  server = await startCountingServer(answer);
  const request = { case: caseOf(load, { connections }), origin: server.origin, durationSeconds: 1, rate, cpus: null };
  const runner = createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
  return runner.run(request, new AbortController().signal);
}

describe('k6', () => {
  it('tells late answers from cut connections and both from bad statuses', async () => {
    const answer: Answering = (response, request, number) => {
      if (number % 3 === 0) request.socket.destroy();
      else if (number % 3 === 1) setTimeout(() => response.end('late'), 1500);
      else response.writeHead(301, { location: '/elsewhere' }).end();
    };
    const run = await measured(K6, { connections: 3, rate: 10 }, answer);
    const { errors = {}, failedRequests, requests } = run.outcome!;
    expect(failedRequests).toBe(requests);
    expect(errors.timeout).toBeGreaterThan(0);
    expect(errors.read).toBeGreaterThan(0);
    expect(errors.status).toBeGreaterThan(0);
    expect((errors.timeout ?? 0) + (errors.read ?? 0) + (errors.status ?? 0)).toBe(failedRequests);
  });
});

describe('h2load', () => {
  it('is killed where the server closes its connections, and the failure says what to do', async () => {
    const answer: Answering = (response) => void response.setHeader('connection', 'close').end('ok');
    const run = await measured(H2LOAD, { connections: 4, rate: null }, answer);
    // Newer ones come to their end by themselves.
    if (run.timedOut)
      expect(run.failure).toMatch(/ h2load before 1\.64 never ends where the server closes connections /);
    else expect(run.outcome!.requests).toBeGreaterThan(0);
  });
});

describe('wrk', () => {
  const WRK: CaseLoad = { generator: 'wrk', threads: 1, durationSeconds: 1, timeoutSeconds: 2 };
  let silent: Server | null = null;
  afterEach(async () => {
    await new Promise((resolve) => silent?.close(resolve) ?? resolve(null));
    silent = null;
  });

  /** As uWSGI: HTTP/1.1, a length, and the end of the connection without a word about it. */
  async function origin(): Promise<string> {
    silent = createServer((socket) => {
      socket.on('error', () => {});
      socket.once('data', () => void setTimeout(() => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'), 5));
    });
    await new Promise<void>((resolve) => void silent!.listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
  }

  it('finds a connection closed with its next request, which is no failure of a service that closes by design', async () => {
    const own = caseOf(WRK, { connections: 4 });
    const runner = createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
    const run = async (keepAlive?: 'closes') => {
      const testCase = keepAlive === undefined ? own : { ...own, service: { ...own.service, keepAlive } };
      const request = { case: testCase, origin: await origin(), durationSeconds: 1, rate: null, cpus: null };
      return (await runner.run(request, new AbortController().signal)).outcome!;
    };
    const counted = await run();
    expect(counted.requests).toBeGreaterThan(50);
    expect(Math.abs(counted.errors!.read! - counted.requests!)).toBeLessThanOrEqual(4);
    await new Promise((resolve) => silent!.close(resolve));
    const known = await run('closes');
    expect(known.requests).toBeGreaterThan(50);
    expect(known.errors!.read).toBeLessThanOrEqual(4);
    expect(Math.abs(known.sentRequests! - known.requests!)).toBeLessThanOrEqual(8);
  });
});
