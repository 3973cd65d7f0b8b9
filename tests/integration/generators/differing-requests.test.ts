import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import { type AskedEndpoint, askedEndpoint } from '../../../src/core/config/asked-endpoint.ts';
import type { Case } from '../../../src/core/config/case.ts';
import type { CaseLoad } from '../../../src/core/generators/registry.ts';
import { requestAt } from '../../../src/core/requests/request-set.ts';
import { caseOf } from '../../unit/generators/cases.ts';
import { type RecordingServer, startRecordingServer } from './recording-server.ts';
import { type Traces, traces } from './running.ts';

const LOADS = {
  wrk: { generator: 'wrk', threads: 1, durationSeconds: 1, timeoutSeconds: 1 },
  k6: { generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 1, timeoutSeconds: 1, script: null },
  ab: { generator: 'ab', requests: 50, timeoutSeconds: 2 },
  h2load: { generator: 'h2load', arrival: { kind: 'max' }, threads: 1, streams: 1, durationSeconds: 1 },
} satisfies Record<string, CaseLoad>;

let server: RecordingServer;
let other: RecordingServer;
let trace: Traces;

beforeEach(async () => {
  server = await startRecordingServer((target) => (target.startsWith('/missing') ? 404 : 200));
  other = await startRecordingServer();
  trace = traces();
});
afterEach(async () => {
  await server.close();
  await other.close();
  expect(trace.running()).toEqual([]);
  expect(trace.left()).toEqual([]);
  trace.remove();
});

const SOURCES = {
  endpoints: [],
  rows: () => Promise.reject(new Error('no database')),
  file: () => Promise.reject(new Error('no files')),
};
/** 1,000 slugs, with what a path would misread. */
const slugs = Array.from({ length: 1000 }, (_, id) => `${id} ä/?&${id % 7}`);
const articles = () =>
  askedEndpoint({ ...caseOf(LOADS.wrk).endpoint, path: '/articles/{slug}', values: { slug: slugs } }, SOURCES);

function fileOf(lines: object[]): Promise<AskedEndpoint> {
  const content = new TextEncoder().encode(lines.map((line) => JSON.stringify(line)).join('\n'));
  const endpoint = { ...caseOf(LOADS.wrk).endpoint, path: '/', requests: 'traffic.jsonl' };
  return askedEndpoint(endpoint, { ...SOURCES, file: async () => content });
}

const requestOf = (testCase: Case, more: Partial<GeneratorRunRequest> = {}): GeneratorRunRequest => ({
  ...{ case: testCase, origin: server.origin, durationSeconds: 1, rate: null, cpus: null },
  ...more,
});
const runner = () => createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
const run = (testCase: Case, more?: Partial<GeneratorRunRequest>): Promise<GeneratorRun> =>
  runner().run(requestOf(testCase, more), new AbortController().signal);

const pathsInOrder = (endpoint: AskedEndpoint, count: number) =>
  Array.from({ length: count }, (_, place) => requestAt(endpoint.requestSet!, place).path);
const targetsOf = ({ recorded }: RecordingServer, count: number) =>
  recorded.slice(0, count).map(({ target }) => target);

describe('requests that differ', () => {
  it.each(['wrk', 'k6', 'h2load'] as const)(
    'are sent by %s in their order, and again from its beginning',
    async (name) => {
      const endpoint = await articles();
      const testCase = caseOf(LOADS[name], { endpoint, connections: 1 });
      const { outcome, failure } = await run(testCase);
      expect(failure).toBeNull();
      expect(outcome!.errors?.status ?? 0).toBe(0);
      const sent = server.recorded.length;
      expect(sent).toBeGreaterThan(200);
      expect(targetsOf(server, sent)).toEqual(pathsInOrder(endpoint, sent));
      expect(server.recorded[0]!.target).toMatch(/^\/articles\/\d+%20%C3%A4%2F%3F%26\d$/);
    },
  );

  it('are begun by each thread of wrk at a place of its own', async () => {
    const endpoint = await articles();
    await run(caseOf({ ...LOADS.wrk, threads: 4 }, { endpoint, connections: 4 }));
    const order = pathsInOrder(endpoint, 1000);
    const came = targetsOf(server, 1000);
    // One thread alone would come to the place of the third when it has sent 500, and to that of the last when it has sent 750.
    expect(came.indexOf(order[500]!)).toBeLessThan(500);
    expect(came.indexOf(order[750]!)).toBeLessThan(750);
  });

  it('are counted by wrk when they are sent, however long they are', async () => {
    const lines = Array.from({ length: 50 }, (_, id) => ({
      method: 'POST',
      path: '/items',
      body: 'x'.repeat(id * 40),
    }));
    const { outcome } = await run(caseOf(LOADS.wrk, { endpoint: await fileOf(lines), connections: 10 }));
    expect(outcome!.sentRequests).toBe(server.recorded.length);
    expect(outcome!.sentRequests! - outcome!.requests!).toBeLessThanOrEqual(10);
  });

  it('close their connections where keep-alive is off', async () => {
    const testCase = caseOf(LOADS.wrk, { endpoint: await articles(), connections: 2, keepAlive: false });
    await run(testCase);
    expect(server.recorded.every(({ headers }) => headers.connection === 'close')).toBe(true);
  });

  it.each(['wrk', 'k6'] as const)(
    'have methods, headers and bodies of their own with %s, byte by byte',
    async (name) => {
      const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
      const endpoint = await fileOf([
        { method: 'POST', path: '/a', headers: { 'x-a': 'say "hi"\\' }, body: '\u0000é\u2028😀"\\' },
        { method: 'PUT', path: '/b', bodyBase64: Buffer.from(bytes).toString('base64') },
        { path: '/c', headers: { accept: 'text/html' } },
      ]);
      await run(caseOf(LOADS[name], { endpoint, connections: 2 }));
      const found = (target: string) => server.recorded.find((each) => each.target === target)!;
      expect(found('/a')).toMatchObject({ method: 'POST', headers: { 'x-a': 'say "hi"\\' } });
      expect(found('/a').body.toString('utf8')).toBe('\u0000é\u2028😀"\\');
      expect(found('/b').method).toBe('PUT');
      expect(new Uint8Array(found('/b').body)).toEqual(bytes);
      expect(found('/c')).toMatchObject({ method: 'GET', headers: { accept: 'text/html' } });
      expect(found('/c').body).toHaveLength(0);
    },
  );

  it('have with k6 the answers that are expected of each', async () => {
    const endpoint = await fileOf([{ path: '/a' }, { path: '/missing', status: 404 }]);
    const { outcome } = await run(caseOf(LOADS.k6, { endpoint, connections: 2 }));
    expect(outcome!.failedRequests).toBe(0);
    const wrong = await fileOf([{ path: '/a', status: 404 }, { path: '/missing' }]);
    const { outcome: failed } = await run(caseOf(LOADS.k6, { endpoint: wrong, connections: 2 }));
    expect(failed!.failedRequests).toBe(failed!.requests);
  });

  it.each(['wrk', 'k6'] as const)('are the same on both sides of a duet of %s', async (name) => {
    const endpoint = await articles();
    const testCase = caseOf(LOADS[name], { endpoint, connections: 1 });
    const sides = [requestOf(testCase), requestOf(testCase, { origin: other.origin })] as const;
    const runs = await runner().runTogether(sides, new AbortController().signal);
    expect(runs.map(({ failure }) => failure)).toEqual([null, null]);
    const both = Math.min(server.recorded.length, other.recorded.length);
    expect(both).toBeGreaterThan(100);
    expect(targetsOf(server, both)).toEqual(targetsOf(other, both));
    expect(targetsOf(server, both)).toEqual(pathsInOrder(endpoint, both));
  });

  it('are the same on both sides of a duet of k6 at a rate', async () => {
    const endpoint = await articles();
    const testCase = caseOf(LOADS.k6, { endpoint, connections: 5 });
    const sides = [
      requestOf(testCase, { rate: 100 }),
      requestOf(testCase, { rate: 100, origin: other.origin }),
    ] as const;
    const runs = await runner().runTogether(sides, new AbortController().signal);
    expect(runs.map(({ failure }) => failure)).toEqual([null, null]);
    const both = Math.min(server.recorded.length, other.recorded.length);
    expect(both).toBeGreaterThan(80);
    // Requests that are under way at once arrive in any order.
    const sent = (recorded: RecordingServer) => new Set(targetsOf(recorded, both));
    const missing = [...sent(server)].filter((target) => !sent(other).has(target));
    expect(missing.length).toBeLessThan(10);
  });

  it('are sent by k6 at a rate, the lead-in and the load each from the first on', async () => {
    const endpoint = await articles();
    const { outcome } = await run(caseOf(LOADS.k6, { endpoint, connections: 5 }), { rate: 100 });
    expect(outcome!.requests! + (outcome!.droppedIterations ?? 0)).toBeGreaterThan(95);
    const first = pathsInOrder(endpoint, 1)[0];
    expect(server.recorded.filter(({ target }) => target === first)).toHaveLength(2);
  });
});

describe('a body that is no text', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);

  it.each(['wrk', 'k6', 'h2load', 'ab'] as const)('is sent by %s byte by byte', async (name) => {
    const endpoint = { ...caseOf(LOADS.wrk).endpoint, method: 'POST', bodyBytes: bytes };
    const { failure } = await run(caseOf(LOADS[name], { endpoint, connections: 2 }), {
      durationSeconds: name === 'ab' ? 0 : 1,
    });
    expect(failure).toBeNull();
    expect(server.recorded[0]!.method).toBe('POST');
    expect(new Uint8Array(server.recorded[0]!.body)).toEqual(bytes);
  });

  it('is sent by k6 to both sides of a duet', async () => {
    const endpoint = { ...caseOf(LOADS.k6).endpoint, method: 'POST', bodyBytes: bytes };
    const testCase = caseOf(LOADS.k6, { endpoint, connections: 1 });
    await runner().runTogether(
      [requestOf(testCase), requestOf(testCase, { origin: other.origin })],
      new AbortController().signal,
    );
    for (const { recorded } of [server, other]) expect(new Uint8Array(recorded[0]!.body)).toEqual(bytes);
  });
});
