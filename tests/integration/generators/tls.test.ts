// needs: wrk, k6, ab, h2load, linux
import { createSecureServer, type Http2ServerRequest } from 'node:http2';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import { runCertificate } from '../../../src/adapters/tls/run-certificate.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import {
  type CaseLoad,
  GENERATOR_NAMES,
  type GeneratorName,
  generators,
} from '../../../src/core/generators/registry.ts';
import { isOverTls, type Protocol } from '../../../src/core/values/protocol.ts';
import { type CaseParts, caseOf, PONG } from '../../unit/generators/cases.ts';
import { traces } from './running.ts';

const LOADS = {
  wrk: { generator: 'wrk', threads: 2, durationSeconds: 1, timeoutSeconds: 2 },
  k6: { generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 1, timeoutSeconds: 2, script: null },
  ab: { generator: 'ab', requests: 200, timeoutSeconds: 5 },
  h2load: { generator: 'h2load', arrival: { kind: 'max' }, threads: 1, streams: 3, durationSeconds: 1 },
} satisfies Record<GeneratorName, CaseLoad>;
/** Each generator in each protocol over TLS that it speaks. */
const EACH = GENERATOR_NAMES.flatMap((name) =>
  generators[name].protocols.filter(isOverTls).map((protocol) => [name, protocol] as const),
);
const CLOSING = EACH.filter(([name]) => generators[name].closesConnections);
const CONNECTIONS = 4;

interface SecureServer {
  origin: string;
  requests: number;
  connections: number;
  versions: Set<string>;
  /** The first of all, as it came. */
  first: { method: string; target: string; type: unknown; host: unknown; body: string } | null;
  close(): Promise<void>;
}

/** Offers both versions of HTTP, as many servers do: which is spoken is the generator's choice. */
async function startSecureServer(): Promise<SecureServer> {
  const { certificate: cert, key } = await runCertificate();
  const sockets = new Set<Socket>();
  const answer = async (request: Http2ServerRequest, response: { end(text: string): unknown }) => {
    counting.requests += 1;
    counting.versions.add(request.httpVersion);
    const { headers, method, url: target } = request;
    const isFirst = counting.requests === 1;
    const body = await text(request);
    const host = headers[':authority'] ?? headers.host;
    if (isFirst) counting.first = { method, target, type: headers['content-type'], host, body };
    response.end('{"ok":true}');
  };
  const server = createSecureServer(
    { cert, key, allowHTTP1: true },
    (request, response) => void answer(request, response),
  );
  server.on('secureConnection', (socket: Socket) => {
    counting.connections += 1;
    sockets.add(socket);
    socket.on('error', () => {});
  });
  // A generator that ends its load cuts what is under way.
  server.on('sessionError', () => {});
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', 1024, listening));
  const counting: SecureServer = {
    origin: `https://127.0.0.1:${(server.address() as AddressInfo).port}`,
    ...{ requests: 0, connections: 0, versions: new Set<string>(), first: null },
    close: () =>
      new Promise((closed) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => closed());
      }),
  };
  return counting;
}

interface Measured {
  run: GeneratorRun;
  server: SecureServer;
}

async function measured(name: GeneratorName, protocol: Protocol, parts: CaseParts = {}): Promise<Measured> {
  const server = await startSecureServer();
  const trace = traces();
  try {
    const runner = createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
    const run = await runner.run(requestFor(name, protocol, server, parts), new AbortController().signal);
    expect(run.failure).toBeNull();
    return { run, server };
  } finally {
    trace.remove();
    await server.close();
  }
}

function requestFor(
  name: GeneratorName,
  protocol: Protocol,
  { origin }: SecureServer,
  parts: CaseParts = {},
): GeneratorRunRequest {
  const testCase = caseOf(LOADS[name], { connections: CONNECTIONS, protocol, ...parts });
  return { case: testCase, origin, durationSeconds: name === 'ab' ? 0 : 1, rate: null, cpus: null };
}

describe.each(EACH)('%s in %s', (name, protocol) => {
  it('counts what the server has answered, in the version that the spec names', async () => {
    const { run, server } = await measured(name, protocol);
    const { requests = 0, failedRequests = 0, latencyMs, bytes = 0 } = run.outcome!;
    expect(requests).toBeGreaterThan(50);
    expect(failedRequests).toBe(0);
    expect(server.requests).toBeGreaterThanOrEqual(requests);
    expect(server.requests).toBeLessThanOrEqual(requests + CONNECTIONS * 3);
    expect(latencyMs!.p50).toBeGreaterThan(0);
    expect(bytes / requests).toBeGreaterThan(11);
    expect([...server.versions]).toEqual([protocol === 'h2-tls' ? '2.0' : name === 'ab' ? '1.0' : '1.1']);
    // ab speaks HTTP/1.0, of which this server keeps no connection; wrk opens one more, and closes it before the handshake.
    if (name !== 'ab') expect(server.connections).toBe(CONNECTIONS);
  });

  it('sends method, path, host, headers and body', async () => {
    const { server } = await measured(name, protocol, { basePath: '/api', endpoint: PONG });
    expect(server.first).toEqual({
      ...{ method: 'POST', target: '/api/ping', type: 'application/json', body: '{"sequence": 2}' },
      host: server.origin.slice('https://'.length),
    });
  });
});

describe.each(CLOSING)('%s in %s with keep-alive off', (name, protocol) => {
  it('opens a connection for each request', async () => {
    const { run, server } = await measured(name, protocol, { keepAlive: false });
    expect(run.outcome!.requests).toBeGreaterThan(20);
    expect(server.connections).toBeGreaterThanOrEqual(run.outcome!.requests!);
  });
});

describe('wrk over TLS', () => {
  it.each([true, false])('tells how many requests it has sent, keep-alive %s', async (keepAlive) => {
    const { run, server } = await measured('wrk', 'https', { keepAlive });
    // A connection that is still agreeing on TLS at the end has its request ready, and does not send it.
    const unsent = keepAlive ? 0 : CONNECTIONS;
    expect(run.outcome!.sentRequests).toBeGreaterThanOrEqual(server.requests);
    expect(run.outcome!.sentRequests).toBeLessThanOrEqual(server.requests + unsent);
  });
});

describe('k6 over TLS', () => {
  it('asks both sides of a duet in the version that the spec names', async () => {
    const servers = [await startSecureServer(), await startSecureServer()];
    const trace = traces();
    try {
      const runner = createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
      const [one, other] = servers.map((server) => requestFor('k6', 'https', server));
      const runs = await runner.runTogether([one!, other!], new AbortController().signal);
      for (const [side, { failure, outcome }] of runs.entries()) {
        expect(failure).toBeNull();
        expect(outcome!.requests).toBeGreaterThan(50);
        expect([...servers[side]!.versions]).toEqual(['1.1']);
      }
    } finally {
      trace.remove();
      await Promise.all(servers.map((server) => server.close()));
    }
  });
});
