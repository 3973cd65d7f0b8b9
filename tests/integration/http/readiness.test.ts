// needs: linux
import { createServer, type IncomingMessage } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, describe, expect, it } from 'vitest';
import { waitUntilReady } from '../../../src/adapters/network/readiness.ts';
import type { Readiness } from '../../../src/core/topology/part-readiness.ts';
import type { ReadyRequest } from '../../../src/core/verification/ready-request.ts';

const NEVER = new AbortController().signal;
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

const BARE: ReadyRequest = {
  ...{ method: 'GET', path: '/ping', headers: {}, body: null, endpoint: null },
  expected: 'good',
};

interface Asked {
  readiness: Readiness;
  seconds: number;
}

/** How asking for so many seconds ends with a server that answers with this status, by what it was sent and how often before. */
async function asked(
  statusOf: (request: IncomingMessage, body: string, before: number) => number,
  request: Partial<ReadyRequest>,
  { protocol = 'h1' as 'h1' | 'h2', timeoutSeconds = 10 } = {},
): Promise<Asked> {
  let before = 0;
  const answer = async (sent: IncomingMessage, response: { writeHead(status: number): unknown; end(): unknown }) => {
    const status = statusOf(sent, await text(sent), before);
    before += 1;
    response.writeHead(status);
    response.end();
  };
  const server =
    protocol === 'h1'
      ? createServer(answer)
      : createHttp2Server((sent, response) => void answer(sent as unknown as IncomingMessage, response));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const started = performance.now();
  const readiness = await waitUntilReady(
    { origin, asked: { ...BARE, ...request }, protocol, timeoutSeconds, alive: () => true },
    NEVER,
  );
  return { readiness, seconds: (performance.now() - started) / 1000 };
}

const READY: Readiness = { kind: 'ready' };

describe.each(['h1', 'h2'] as const)('a service that answers its own requests alone, over %s', (protocol) => {
  it('is up by the request of its endpoint: headers, host and body', async () => {
    const headers = { authorization: 'Bearer t0ken', accept: 'application/json', host: 'shop.example' };
    const isOwn = ({ headers: got, httpVersion }: IncomingMessage, body: string) =>
      got.authorization === headers.authorization &&
      got.accept === headers.accept &&
      (httpVersion === '2.0' ? got[':authority'] : got.host) === headers.host &&
      body === '{"q":1}';
    const request = { headers, body: '{"q":1}', endpoint: 'me', expected: 202 };
    const { readiness } = await asked((sent, body) => (isOwn(sent, body) ? 202 : 503), request, { protocol });
    expect(readiness).toEqual(READY);
  });
});

describe('a service', () => {
  it('whose endpoint is to answer with an error is up as soon as it does', async () => {
    const failing = await asked(() => 503, { expected: 503, endpoint: 'broken' }, { timeoutSeconds: 1 });
    expect(failing.readiness).toEqual(READY);
  });

  it.each([401, 404, 405, 421, 406])('that goes on answering with %i is up after a while', async (status) => {
    const { readiness, seconds } = await asked(() => status, {});
    expect(readiness).toEqual(READY);
    expect(seconds).toBeGreaterThan(1.9);
  });

  it('that has not so much time is up at the end of it', async () => {
    expect((await asked(() => 401, {}, { timeoutSeconds: 1 })).readiness).toEqual(READY);
  });

  it('of which nothing more is known is up with any such answer at once', async () => {
    let times = 0;
    const { readiness } = await asked(
      (_, __, before) => {
        times = before + 1;
        return 405;
      },
      { expected: 'answered' },
    );
    expect(readiness).toEqual(READY);
    expect(times).toBe(1);
  });

  it('that does not know its routes yet is waited for', async () => {
    let last = 0;
    const { readiness } = await asked(
      (_, __, before) => {
        last = before < 5 ? 404 : 200;
        return last;
      },
      { expected: 200 },
    );
    expect(readiness).toEqual(READY);
    expect(last).toBe(200);
  });

  it.each([500, 503])('that fails with %i all the time is not up', async (status) => {
    const { readiness } = await asked(() => status, { expected: 'answered' }, { timeoutSeconds: 1 });
    expect(readiness).toEqual({ kind: 'answered', status });
  });

  it('whose request cannot be sent is told why', async () => {
    const { readiness } = await asked(() => 200, { headers: { 'x-name': 'a\nb' } }, { timeoutSeconds: 0.2 });
    expect(readiness).toEqual({
      kind: 'failed',
      message: 'the request cannot be sent (Invalid character in header content ["x-name"])',
    });
  });
});

describe('a service whose port is open to those inside alone', () => {
  const refused = (looks: readonly boolean[]) => {
    let looked = 0;
    const isInsideAlone = () => looks[looked++] ?? false;
    const signal = AbortSignal.timeout(30_000);
    const request = { origin: 'http://127.0.0.1:1', asked: null, protocol: 'h1', timeoutSeconds: 16 } as const;
    return waitUntilReady({ ...request, alive: () => true, isInsideAlone }, signal).then((readiness) => ({
      readiness,
      looked,
    }));
  };

  it('is waited for no longer, once it has been so for some looks in turn', async () => {
    expect(await refused(Array(20).fill(true))).toEqual({ readiness: { kind: 'refused' }, looked: 10 });
  });

  it('is waited for while it still changes', async () => {
    const { readiness, looked } = await refused([...Array(8).fill(true), false, ...Array(20).fill(true)]);
    expect(readiness).toEqual({ kind: 'refused' });
    expect(looked).toBeGreaterThan(10);
  });
});
