import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer, type Server as HttpServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpProbe } from '../../../src/adapters/http/probe.ts';
import { runCommand } from '../../../src/adapters/process/command.ts';
import type { Endpoint, Service } from '../../../src/core/config/resolved.ts';

const NEVER = new AbortController().signal;
const opened: (Server | HttpServer)[] = [];
const sockets = new Set<Socket>();

afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  sockets.clear();
  await Promise.all(opened.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

async function listening<S extends Server | HttpServer>(server: S, host = '127.0.0.1'): Promise<string> {
  opened.push(server);
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** A server that sends exactly these bytes for each request that it has read to the end of its headers. */
function sending(...answers: string[]): Server {
  let number = 0;
  return createTcpServer((socket) => {
    socket.on('data', () => {
      const answer = answers[Math.min(number, answers.length - 1)]!;
      number += 1;
      socket.write(answer);
      if (/^connection: close/im.test(answer)) socket.end();
    });
  });
}

const service = (basePath = ''): Service => ({
  name: 'go',
  image: null,
  command: ['./api'],
  workingDirectory: '.',
  port: 8080,
  env: {},
  ready: { path: '/', timeoutSeconds: 30 },
  memoryBytes: null,
  openFiles: 1024,
  basePath,
  network: 'open',
  protocol: 'h1',
  role: 'subject',
});

const endpoint = (changes: Partial<Endpoint> = {}): Endpoint => ({
  name: 'ping',
  method: 'GET',
  path: '/ping',
  headers: {},
  body: null,
  expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null },
  ...changes,
});

const OK = 'HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\npong';

describe('the request on the wire', () => {
  async function asked(of: Endpoint, basePath = ''): Promise<{ origin: string; text: string }> {
    let text = '';
    const server = createTcpServer((socket) =>
      socket.on('data', (chunk) => {
        text += chunk;
        socket.end(OK.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
      }),
    );
    const origin = await listening(server);
    await createHttpProbe().ask(origin, service(basePath), of, NEVER);
    return { origin, text };
  }

  it('is what wrk sends: a host, and nothing about connections or encodings', async () => {
    const { origin, text } = await asked(endpoint(), '/api/v4');
    expect(text).toBe(`GET /api/v4/ping HTTP/1.1\r\nhost: ${origin.slice('http://'.length)}\r\n\r\n`);
  });

  it("carries the spec's own headers and body, with the body's length in bytes", async () => {
    const of = endpoint({
      method: 'POST',
      headers: { 'content-type': 'application/json', 'X-Trace': 'a' },
      body: '{"name": "Zoë"}',
    });
    const { origin, text } = await asked(of);
    expect(text).toBe(
      `POST /ping HTTP/1.1\r\nhost: ${origin.slice('http://'.length)}\r\ncontent-type: application/json\r\n` +
        'X-Trace: a\r\ncontent-length: 16\r\n\r\n{"name": "Zoë"}',
    );
  });

  it('leaves host, connection and length to a spec that names them', async () => {
    const headers = { Host: 'api.example', Connection: 'close', 'Content-Length': '2' };
    const { text } = await asked(endpoint({ method: 'DELETE', headers, body: '{}' }));
    expect(text).toBe('DELETE /ping HTTP/1.1\r\nHost: api.example\r\nConnection: close\r\nContent-Length: 2\r\n\r\n{}');
  });
});

describe('an answer', () => {
  it('is told with all its bytes on the wire', async () => {
    const origin = await listening(sending(OK));
    expect(await createHttpProbe().ask(origin, service(), endpoint(), NEVER)).toEqual({
      kind: 'answered',
      status: 200,
      headers: { 'content-type': 'text/plain', 'content-length': '4' },
      body: Buffer.from('pong'),
      wireBytes: OK.length,
    });
  });

  it('in chunks counts the chunks too, and joins headers that come twice', async () => {
    const chunked =
      'HTTP/1.1 201 Created\r\nTransfer-Encoding: chunked\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\n\r\n2\r\npo\r\n2\r\nng\r\n0\r\n\r\n';
    const origin = await listening(sending(chunked));
    const answer = await createHttpProbe().ask(origin, service(), endpoint(), NEVER);
    expect(answer).toMatchObject({ status: 201, wireBytes: chunked.length, headers: { 'set-cookie': 'a=1, b=2' } });
    expect(answer.kind === 'answered' && Buffer.from(answer.body).toString()).toBe('pong');
  });

  it('without a length ends with the connection', async () => {
    const closed = 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nall of it';
    const origin = await listening(sending(closed));
    const answer = await createHttpProbe().ask(origin, service(), endpoint(), NEVER);
    const ended = { wireBytes: closed.length, body: Buffer.from('all of it'), endsWithConnection: true };
    expect(answer).toMatchObject({ kind: 'answered', ...ended });
  });

  it.each([
    ['has a length', 'GET', 'HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok'],
    ['is chunked', 'GET', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['has no body by its status', 'GET', 'HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n'],
    ['has no body by its method', 'HEAD', 'HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n'],
  ])('that %s does not', async (_, method, text) => {
    const origin = await listening(sending(text));
    const answer = await createHttpProbe().ask(origin, service(), endpoint({ method }), NEVER);
    expect(answer).toMatchObject({ kind: 'answered' });
    expect(answer).not.toHaveProperty('endsWithConnection');
  });

  it('to HEAD has no body, whatever its length says', async () => {
    const origin = await listening(sending('HTTP/1.1 200 OK\r\nContent-Length: 4096\r\n\r\n'));
    const answer = await createHttpProbe().ask(origin, service(), endpoint({ method: 'HEAD' }), NEVER);
    expect(answer).toMatchObject({ kind: 'answered', body: Buffer.alloc(0), wireBytes: 41 });
  });

  it('that is compressed stays so', async () => {
    const zipped = gzipSync('pong');
    const server = createHttpServer((_, response) => {
      response.setHeader('content-encoding', 'gzip').end(zipped);
    });
    const answer = await createHttpProbe().ask(await listening(server), service(), endpoint(), NEVER);
    expect(answer).toMatchObject({ kind: 'answered', body: zipped });
  });

  it('that points elsewhere is not followed', async () => {
    const paths: (string | undefined)[] = [];
    const server = createHttpServer((request, response) => {
      paths.push(request.url);
      response.writeHead(302, { location: '/elsewhere' }).end();
    });
    const answer = await createHttpProbe().ask(await listening(server), service(), endpoint(), NEVER);
    expect(answer).toMatchObject({ kind: 'answered', status: 302 });
    expect(paths).toEqual(['/ping']);
  });

  it('comes from an IPv6 address as well', async () => {
    const origin = await listening(sending(OK), '::1');
    expect(await createHttpProbe().ask(origin, service(), endpoint(), NEVER)).toMatchObject({ status: 200 });
  });

  it('comes straight from the service, whatever proxy the environment names', async () => {
    let proxied = 0;
    const proxy = await listening(createTcpServer(() => (proxied += 1)));
    const origin = await listening(sending(OK));
    const names = ['HTTP_PROXY', 'http_proxy', 'ALL_PROXY', 'NODE_USE_ENV_PROXY'];
    const before = names.map((name) => process.env[name]);
    for (const name of names) process.env[name] = name === 'NODE_USE_ENV_PROXY' ? '1' : proxy;
    try {
      expect(await createHttpProbe().ask(origin, service(), endpoint(), NEVER)).toMatchObject({ status: 200 });
    } finally {
      for (const [index, name] of names.entries()) {
        if (before[index] === undefined) delete process.env[name];
        else process.env[name] = before[index];
      }
    }
    expect(proxied).toBe(0);
  });
});

describe('no answer is a sentence', () => {
  const failureOf = async (origin: string, limits = {}, of = endpoint()) => {
    const answer = await createHttpProbe(limits).ask(origin, service(), of, NEVER);
    return answer.kind === 'failed' ? answer.message : answer;
  };

  it('where nothing listens', async () => {
    const server = createTcpServer();
    const origin = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    expect(await failureOf(origin)).toBe(`the connection to ${origin.slice(7)} was refused: nothing listens there`);
  });

  it('where the connection is closed or reset at once', async () => {
    const closing = await listening(createTcpServer((socket) => socket.on('data', () => socket.end())));
    expect(await failureOf(closing)).toBe(`${closing.slice(7)} closed the connection without an answer`);
    const resetting = await listening(createTcpServer((socket) => socket.on('data', () => socket.resetAndDestroy())));
    expect(await failureOf(resetting)).toBe(`${resetting.slice(7)} closed the connection without an answer`);
  });

  it('where the connection is closed in the middle', async () => {
    const inHeaders = await listening(createTcpServer((s) => s.on('data', () => s.end('HTTP/1.1 200 OK\r\nConte'))));
    expect(await failureOf(inHeaders)).toBe(
      `${inHeaders.slice(7)} closed the connection in the middle of the answer, after 22 bytes`,
    );
    const body = 'HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf';
    const inBody = await listening(createTcpServer((s) => s.on('data', () => s.end(body))));
    expect(await failureOf(inBody)).toBe(
      'the connection was closed in the middle of the answer, after 4 bytes of its body (aborted)',
    );
  });

  it('where it is not HTTP', async () => {
    const origin = await listening(sending('SSH-2.0-OpenSSH_9.2\r\n'));
    expect(await failureOf(origin)).toMatch(
      new RegExp(`^what ${origin.slice(7).replace('.', '\\.')} sent is not an HTTP answer \\(.*HTTP.*\\)$`),
    );
  });

  it('where headers never end', async () => {
    const origin = await listening(sending(`HTTP/1.1 200 OK\r\nX: ${'x'.repeat(300_000)}\r\n\r\n`));
    expect(await failureOf(origin)).toBe(
      `the headers of the answer from ${origin.slice(7)} are longer than a server should send`,
    );
  });

  it('where nothing comes, or not all of it, in time', async () => {
    const silent = await listening(createTcpServer((socket) => socket.resume()));
    expect(await failureOf(silent, { timeoutSeconds: 0.2 })).toBe('nothing came within 0.2 s');
    const half = await listening(sending('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf'));
    expect(await failureOf(half, { timeoutSeconds: 0.2 })).toBe(
      'the answer was not complete after 0.2 s; 44 bytes of it had come',
    );
  });

  it('where it comes drop by drop, each in time and never the last', async () => {
    const server = createTcpServer((socket) => {
      socket.on('data', () => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n'));
      const drops = setInterval(() => socket.write('x'), 20);
      socket.on('close', () => clearInterval(drops));
    });
    expect(await failureOf(await listening(server), { timeoutSeconds: 0.3 })).toMatch(
      /^the answer was not complete after 0\.3 s; \d+ bytes of it had come$/,
    );
  });

  it('where it is longer than is looked at, and no more of it is read', async () => {
    const megabyte = Buffer.alloc(1024 ** 2);
    let written = 0;
    const server = createHttpServer((_, response) => {
      const more = () => {
        while (!response.destroyed && written < 256) {
          written += 1;
          if (!response.write(megabyte)) return response.once('drain', more);
        }
        return response.end();
      };
      more();
    });
    const limits = { answerBytes: 2 * 1024 ** 2 };
    expect(await failureOf(await listening(server), limits)).toBe(
      'the answer is longer than 2 MiB, which is more than is looked at',
    );
    expect(written).toBeLessThan(256);
  });

  it('where the request itself cannot be', async () => {
    const origin = await listening(sending(OK));
    expect(await failureOf(origin, {}, endpoint({ path: '/a b' }))).toBe(
      'the request cannot be sent: Request path contains unescaped characters',
    );
  });
});

describe('an abort', () => {
  it('rejects with its reason, before and in the middle of a request', async () => {
    const origin = await listening(createTcpServer((socket) => socket.resume()));
    const probe = createHttpProbe();
    const reason = new Error('SIGTERM');
    await expect(probe.ask(origin, service(), endpoint(), AbortSignal.abort(reason))).rejects.toBe(reason);
    const controller = new AbortController();
    const asking = probe.askInTurn(origin, service(), endpoint(), 200, controller.signal);
    setTimeout(() => controller.abort(reason), 50);
    await expect(asking).rejects.toBe(reason);
  });
});

describe('requests in turn', () => {
  it('go one after the other over one connection, and every byte is counted', async () => {
    let atOnce = 0;
    let most = 0;
    let connections = 0;
    const server = createHttpServer((_, response) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      setImmediate(() => {
        atOnce -= 1;
        response.setHeader('content-type', 'text/plain').end('pong');
      });
    });
    let sent = () => 0;
    server.on('connection', (socket: Socket) => {
      connections += 1;
      sent = () => socket.bytesWritten;
    });
    const origin = await listening(server);
    const result = await createHttpProbe().askInTurn(origin, service(), endpoint(), 200, NEVER);
    expect(result).toEqual({ answers: 200, failures: 0, bytes: sent(), constantSize: true, connections: 1 });
    expect({ most, connections }).toEqual({ most: 1, connections: 1 });
  });

  it('open a new connection where the server says that it closes', async () => {
    let number = 0;
    const server = createHttpServer((_, response) => {
      number += 1;
      if (number % 10 === 0) response.setHeader('connection', 'close');
      response.end('pong');
    });
    const result = await createHttpProbe().askInTurn(await listening(server), service(), endpoint(), 100, NEVER);
    expect(result).toMatchObject({ answers: 100, failures: 0, connections: 10, constantSize: false });
  });

  it('are sent again where the server had closed without a word', async () => {
    // Each connection answers once, says nothing of closing, and is reset when it is asked again.
    const server = createTcpServer((socket) => {
      socket.once('data', () => {
        socket.write(OK);
        socket.once('data', () => socket.resetAndDestroy());
      });
    });
    const result = await createHttpProbe().askInTurn(await listening(server), service(), endpoint(), 20, NEVER);
    expect(result).toEqual({ answers: 20, failures: 0, bytes: 20 * OK.length, constantSize: true, connections: 20 });
  });

  it('are not sent again where an answer had begun', async () => {
    let requests = 0;
    const server = createTcpServer((socket) => {
      socket.on('data', () => {
        requests += 1;
        if (requests % 2 === 1) socket.write(OK);
        else socket.end('HTTP/1.1 200 OK\r\nContent-Le');
      });
    });
    const result = await createHttpProbe().askInTurn(await listening(server), service(), endpoint(), 10, NEVER);
    expect(result).toMatchObject({ answers: 5, failures: 5, bytes: 5 * OK.length });
    expect(requests).toBe(10);
  });

  it('tell answers of different lengths', async () => {
    let number = 0;
    const server = createHttpServer((_, response) => response.end('x'.repeat(++number % 3)));
    const result = await createHttpProbe().askInTurn(await listening(server), service(), endpoint(), 9, NEVER);
    expect(result).toMatchObject({ answers: 9, constantSize: false });
  });

  it('count what is not answered as expected as a failure, without its bytes', async () => {
    const busy = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n';
    const origin = await listening(sending(OK, busy, OK, OK));
    const result = await createHttpProbe().askInTurn(origin, service(), endpoint(), 4, NEVER);
    expect(result).toEqual({ answers: 3, failures: 1, bytes: 3 * OK.length, constantSize: true, connections: 1 });
  });

  it('fail one by one where nobody answers', async () => {
    const server = createTcpServer();
    const origin = await listening(server);
    await new Promise((resolve) => server.close(resolve));
    const result = await createHttpProbe().askInTurn(origin, service(), endpoint(), 3, NEVER);
    expect(result).toEqual({ answers: 0, failures: 3, bytes: 0, constantSize: true, connections: 3 });
  });

  it('get answers as long as those that wrk gets', async () => {
    const server = createHttpServer((_, response) => response.setHeader('content-type', 'text/plain').end('pong'));
    const origin = await listening(server);
    const folder = await mkdtemp(join(tmpdir(), 'wrkbench-probe-'));
    const script = join(folder, 'done.lua');
    await writeFile(script, 'function done(s) io.stderr:write(s.bytes / s.requests) end');
    try {
      const wrk = await runCommand('wrk', ['-t1', '-c2', '-d1s', '-s', script, `${origin}/ping`]);
      const { bytes, answers } = await createHttpProbe().askInTurn(origin, service(), endpoint(), 20, NEVER);
      // wrk has read a little of the answers that its end cut off.
      expect(Number(wrk.stderr) / (bytes / answers)).toBeCloseTo(1, 2);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
