// needs: linux
import { createServer } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createHttpProbe } from '../../../src/adapters/http/probe.ts';
import { waitUntilReady } from '../../../src/adapters/network/readiness.ts';
import { requestParts } from '../../../src/core/generators/request.ts';
import { caseOf, LOADS, requestOf } from '../../unit/generators/cases.ts';

const NEVER = new AbortController().signal;
const servers: Server[] = [];

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

/** Two servers, and the paths that each of them was asked for. */
async function twoServers(protocol: 'h1' | 'h2') {
  const asked = { own: [] as string[], other: [] as string[] };
  const listening = async (who: 'own' | 'other', host: string) => {
    const answer = (request: { url?: string | undefined }, response: { end(text: string): unknown }) => {
      asked[who].push(request.url ?? '');
      response.end('OK');
    };
    const server = protocol === 'h1' ? createServer({ keepAlive: false }, answer) : createHttp2Server(answer);
    servers.push(server);
    await new Promise<void>((resolve) => server.listen(0, host, resolve));
    return `${host}:${(server.address() as AddressInfo).port}`;
  };
  return { asked, own: await listening('own', '127.0.0.1'), other: await listening('other', '127.0.0.2') };
}

describe.each(['h1', 'h2'] as const)('a path that names another host, over %s', (protocol) => {
  it('is asked of the service all the same, and the other host of nothing', async () => {
    const { asked, own, other } = await twoServers(protocol);
    const origin = `http://${own}`;
    const path = `//${other}/ping`;
    const bare = { method: 'GET', headers: {}, body: null, endpoint: null, expected: 'good' } as const;
    const request = { origin, asked: { ...bare, path }, protocol, timeoutSeconds: 5, alive: () => true };
    expect(await waitUntilReady(request, NEVER)).toEqual({ kind: 'ready' });
    const { service, endpoint } = caseOf(LOADS.wrk, { endpoint: { path } });
    const answer = await createHttpProbe().ask(origin, { ...service, protocol }, endpoint, NEVER);
    expect(answer).toMatchObject({ kind: 'answered', status: 200 });
    expect(asked).toEqual({ own: [path, path], other: [] });
  });
});

describe('the URL that generators are given', () => {
  it('is asked of the service by whoever reads it', async () => {
    const { asked, own, other } = await twoServers('h1');
    const path = `//${other}/ping`;
    const { url } = requestParts(requestOf(LOADS.wrk, { endpoint: { path } }, { origin: `http://${own}` }));
    expect(await (await fetch(url)).text()).toBe('OK');
    expect(asked).toEqual({ own: [path], other: [] });
  });
});
