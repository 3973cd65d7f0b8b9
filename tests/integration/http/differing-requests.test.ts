import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createHttpProbe } from '../../../src/adapters/http/probe.ts';
import type { AskedEndpoint } from '../../../src/core/config/asked-endpoint.ts';
import { caseOf, LOADS } from '../../unit/generators/cases.ts';

const NEVER = new AbortController().signal;
const { service, endpoint } = caseOf(LOADS.wrk);
const asked: { target: string; body: Buffer }[] = [];
const server = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    asked.push({ target: `${request.method} ${request.url}`, body: Buffer.concat(chunks) });
    response.writeHead(request.url === '/missing' ? 404 : 200, { 'content-length': 2 }).end('ok');
  });
});
let origin: string;
beforeEach(async () => {
  asked.length = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(() => new Promise((closed) => server.close(closed)));

const requests: AskedEndpoint[] = [
  { ...endpoint, path: '/a' },
  { ...endpoint, method: 'PUT', path: '/b', bodyBytes: Uint8Array.of(0, 255, 10) },
  { ...endpoint, path: '/missing', expect: { ...endpoint.expect, status: 404 } },
];
const differing: AskedEndpoint = { ...endpoint, requestSet: { requests, order: Uint32Array.of(2, 0, 1, 0) } };

describe('requests that differ', () => {
  it('are asked for in turn, in their order, each with the answer that is expected of it', async () => {
    const pass = await createHttpProbe().askInTurn(origin, service, differing, 6, NEVER);
    expect(asked.map(({ target }) => target)).toEqual([
      ...['GET /missing', 'GET /a', 'PUT /b', 'GET /a'],
      ...['GET /missing', 'GET /a'],
    ]);
    expect(pass).toMatchObject({ answers: 6, failures: 0, connections: 1 });
  });

  it('are asked for by the first of them, where one is enough', async () => {
    await createHttpProbe().ask(origin, service, differing, NEVER);
    expect(asked.map(({ target }) => target)).toEqual(['GET /missing']);
  });

  it('may have a body that is no text', async () => {
    await createHttpProbe().ask(origin, service, requests[1]!, NEVER);
    expect([...asked[0]!.body]).toEqual([0, 255, 10]);
  });
});
