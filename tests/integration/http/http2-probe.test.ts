import { createServer as createHttpServer } from 'node:http';
import { createServer, type Http2Server } from 'node:http2';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpProbe } from '../../../src/adapters/http/probe.ts';
import { caseOf, LOADS } from '../../unit/generators/cases.ts';

const NEVER = new AbortController().signal;
const opened: Server[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(opened.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listening(server: Http2Server | Server): Promise<string> {
  opened.push(server as Server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const { service: h1, endpoint } = caseOf(LOADS.wrk, { basePath: '/api' });
const service = { ...h1, protocol: 'h2' as const };
const ask = (origin: string, of = endpoint, limits = {}) => createHttpProbe(limits).ask(origin, service, of, NEVER);
const askInTurn = (origin: string, count: number) =>
  createHttpProbe().askInTurn(origin, service, endpoint, count, NEVER);

describe('a request over HTTP/2', () => {
  it('carries method, path, authority, headers and body, and nothing that HTTP/2 has no place for', async () => {
    const asked: { headers: object; body: string }[] = [];
    const server = createServer((request, response) => {
      let body = '';
      request.on('data', (chunk) => {
        body += chunk;
      });
      request.on('end', () => {
        asked.push({ headers: Object.fromEntries(Object.entries(request.headers)), body });
        response.end();
      });
    });
    const origin = await listening(server);
    const headers = { 'X-Trace': 'a', Connection: 'keep-alive', 'content-type': 'application/json' };
    await ask(origin, { ...endpoint, method: 'POST', headers, body: '{"name": "Zoë"}' });
    await ask(origin, { ...endpoint, headers: { Host: 'api.example' } });
    expect(asked).toEqual([
      {
        headers: {
          ':method': 'POST',
          ':path': '/api/ping',
          ':authority': origin.slice('http://'.length),
          ':scheme': 'http',
          'x-trace': 'a',
          'content-type': 'application/json',
          'content-length': '16',
        },
        body: '{"name": "Zoë"}',
      },
      {
        headers: { ':method': 'GET', ':path': '/api/ping', ':authority': 'api.example', ':scheme': 'http' },
        body: '',
      },
    ]);
  });

  it('has an answer with its status, headers and body, and its bytes on the wire', async () => {
    let sent = () => 0;
    const server = createServer((_, response) => {
      response.statusCode = 201;
      response.setHeader('content-type', 'text/plain');
      response.sendDate = false;
      response.end('pong');
    });
    server.on('connection', (socket: Socket) => {
      sent = () => socket.bytesWritten;
    });
    const answer = await ask(await listening(server));
    expect(answer).toEqual({
      kind: 'answered',
      status: 201,
      headers: { 'content-type': 'text/plain' },
      body: Buffer.from('pong'),
      wireBytes: sent(),
    });
  });
});

describe('requests in turn over HTTP/2', () => {
  it('share one connection, and every byte is counted', async () => {
    let sent = () => 0;
    let connections = 0;
    const server = createServer((_, response) => response.end('pong'));
    server.on('connection', (socket: Socket) => {
      connections += 1;
      sent = () => socket.bytesWritten;
    });
    const result = await askInTurn(await listening(server), 100);
    expect(result).toMatchObject({ answers: 100, failures: 0, connections: 1 });
    expect(connections).toBe(1);
    // Acknowledged settings come after the answer that they are sent with.
    expect(Math.abs(result.bytes - sent())).toBeLessThan(50);
  });

  it('open a new connection where the server goes away', async () => {
    let number = 0;
    const server = createServer((_, response) => {
      number += 1;
      if (number % 10 === 0) response.stream.session?.close();
      response.end('pong');
    });
    expect(await askInTurn(await listening(server), 100)).toMatchObject({ answers: 100, connections: 10 });
  });

  it('are sent again where the server had closed without a word', async () => {
    let number = 0;
    const server = createServer((_, response) => {
      number += 1;
      response.end('pong');
      if (number % 25 === 0) response.stream.on('close', () => [...sockets].at(-1)?.end());
    });
    expect(await askInTurn(await listening(server), 100)).toMatchObject({ answers: 100, failures: 0 });
  });
});

describe('no answer over HTTP/2 is a sentence', () => {
  async function failureOf(origin: string, limits = {}) {
    const answer = await ask(origin, endpoint, limits);
    if (answer.kind !== 'failed') throw new Error('there was an answer');
    return answer.message.replaceAll(origin.slice('http://'.length), 'HOST');
  }

  it('where nothing listens', async () => {
    const server = createTcpServer();
    const origin = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(origin)).toBe('the connection to HOST was refused: nothing listens there');
  });

  it('where the server speaks HTTP/1.1', async () => {
    const origin = await listening(createHttpServer((_, response) => response.end('pong')));
    expect(await failureOf(origin)).toBe(
      'what HOST sent is not HTTP/2 (Protocol error): it has to speak it without TLS, and without being asked to change from HTTP/1.1',
    );
  });

  it('where the connection is closed at once', async () => {
    const closing = await listening(createTcpServer((socket) => socket.on('data', () => socket.end())));
    expect(await failureOf(closing)).toBe('HOST closed the connection without an answer');
    const resetting = await listening(createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy())));
    expect(await failureOf(resetting)).toBe('HOST closed the connection without an answer');
  });

  it('where the stream is given up, before and in the middle of an answer', async () => {
    const before = createServer();
    before.on('stream', (stream) => stream.on('error', () => undefined).close(2));
    expect(await failureOf(await listening(before))).toBe(
      'HOST gave the request up (Stream closed with error code NGHTTP2_INTERNAL_ERROR)',
    );
    const amid = createServer();
    amid.on('stream', (stream) => {
      stream.on('error', () => undefined).respond({ ':status': 200 });
      stream.write('half', () => stream.session?.destroy());
    });
    expect(await failureOf(await listening(amid))).toMatch(
      /^HOST closed the connection in the middle of the answer, after \d+ bytes$/,
    );
  });

  it('where nothing comes, or not all of it, in time', async () => {
    const silent = await listening(createTcpServer((socket) => socket.resume()));
    expect(await failureOf(silent, { timeoutSeconds: 0.2 })).toBe('nothing came within 0.2 s');
    const half = createServer((_, response) => response.write('half'));
    expect(await failureOf(await listening(half), { timeoutSeconds: 0.2 })).toMatch(
      /^the answer was not complete after 0\.2 s; \d+ bytes of it had come$/,
    );
  });

  it('where it is longer than is looked at', async () => {
    const origin = await listening(createServer((_, response) => response.end(Buffer.alloc(3 * 1024 ** 2))));
    expect(await failureOf(origin, { answerBytes: 2 * 1024 ** 2 })).toBe(
      'the answer is longer than 2 MiB, which is more than is looked at',
    );
  });
});

describe('an abort over HTTP/2', () => {
  it('rejects with its reason, before and in the middle of a request', async () => {
    const origin = await listening(createTcpServer((socket) => socket.resume()));
    const reason = new Error('SIGTERM');
    const probe = createHttpProbe();
    await expect(probe.ask(origin, service, endpoint, AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const asking = probe.ask(origin, service, endpoint, controller.signal);
    setTimeout(() => controller.abort(reason), 50);
    await expect(asking).rejects.toBe(reason);
  });
});
