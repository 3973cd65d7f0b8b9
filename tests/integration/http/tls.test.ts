// needs: linux
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { createServer as createHttpServer } from 'node:http';
import { createSecureServer } from 'node:http2';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { createHttpProbe } from '../../../src/adapters/http/probe.ts';
import { waitUntilReady } from '../../../src/adapters/network/readiness.ts';
import { sendRequests } from '../../../src/adapters/prepare/requests.ts';
import { newCertificate } from '../../../src/adapters/tls/certificate.ts';
import { runCertificate, runSecrets } from '../../../src/adapters/tls/run-certificate.ts';
import type { Certificate } from '../../../src/core/topology/certificate.ts';
import { endpointAt } from '../../support/endpoint-at.ts';
import { caseOf, LOADS } from '../../unit/generators/cases.ts';

const NEVER = new AbortController().signal;
const OVER_TLS = ['https', 'h2-tls'] as const;
type OverTls = (typeof OVER_TLS)[number];
const servers: Server[] = [];
let own: Certificate;

beforeAll(async () => {
  own = await runCertificate();
});
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => new Promise((resolve) => server.close(resolve))));
});

const shown = ({ certificate: cert, key }: Certificate) => ({ cert, key });
const answer = (_: unknown, response: { end(text: string): unknown }) => void response.end('pong');
const speaking = (protocol: OverTls, certificate = own) =>
  protocol === 'https'
    ? createHttpsServer(shown(certificate), answer)
    : createSecureServer(shown(certificate), answer as never);

async function portOf(server: Server): Promise<number> {
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

const service = (protocol: OverTls | 'h1') => caseOf(LOADS.wrk, { protocol }).service;
const ping = endpointAt('/ping');
async function answered(server: Server, protocol: OverTls) {
  const where = `127.0.0.1:${await portOf(server)}`;
  const origin = `https://${where}`;
  const asked = { method: 'GET', path: '/ping', headers: {}, body: null, endpoint: null, expected: 'good' as const };
  const readiness = { origin, asked, protocol, timeoutSeconds: 20, alive: () => true };
  const said = await createHttpProbe().ask(origin, service(protocol), ping, NEVER);
  return {
    said: said.kind === 'failed' ? said.message.replace(where, 'It') : said.status,
    readiness: await waitUntilReady(readiness, NEVER),
  };
}

describe('the certificate of a run', () => {
  it('is valid for localhost and its addresses, is signed by its own key, and is made once', async () => {
    const certificate = new X509Certificate(own.certificate);
    expect(certificate.subjectAltName).toBe('DNS:localhost, IP Address:127.0.0.1, IP Address:0:0:0:0:0:0:0:1');
    expect(certificate.verify(certificate.publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(own.key))).toBe(true);
    expect(certificate.ca).toBe(false);
    expect(await runCertificate()).toEqual(own);
  });

  it('has a key of which no line is told', () => {
    const lines = own.key.split('\n').filter((line) => /^[\w+/=]+$/.test(line));
    expect(lines.length).toBeGreaterThan(1);
    expect(runSecrets()).toEqual([...lines, lines.join('')]);
  });
});

describe.each(OVER_TLS)('a service that is asked over TLS in %s', (protocol) => {
  it('is up and answers', async () => {
    expect(await answered(speaking(protocol), protocol)).toEqual({ said: 200, readiness: { kind: 'ready' } });
  });

  it('is sent the requests that prepare its data', async () => {
    const origin = `https://127.0.0.1:${await portOf(speaking(protocol))}`;
    const request = { method: 'POST', path: '/items', headers: {}, body: '{}', repeat: 3, status: null };
    const { failure } = await sendRequests([request], { service: service(protocol), origin }, {}, NEVER, () => {});
    expect(failure).toBeNull();
  });

  it('keeps its connection, whose bytes are those of HTTP alone', async () => {
    const origin = `https://127.0.0.1:${await portOf(speaking(protocol))}`;
    const { connections, failures, bytes } = await createHttpProbe().askInTurn(
      origin,
      service(protocol),
      ping,
      20,
      NEVER,
    );
    expect({ connections, failures }).toEqual({ connections: 1, failures: 0 });
    if (protocol !== 'https') return;
    const plain = `http://127.0.0.1:${await portOf(createHttpServer(answer))}`;
    expect(bytes).toBe((await createHttpProbe().askInTurn(plain, service('h1'), ping, 20, NEVER)).bytes);
  });

  it.each<[string, (port: Certificate) => Server, string]>([
    ['answers in plain HTTP', () => createHttpServer(answer), 'answers in plain HTTP'],
    [
      'has a certificate of its own',
      (other) => speaking(protocol, other),
      'shows another certificate than the one of this run',
    ],
  ])('is told what it does instead where it %s', async (_, server, does) => {
    expect(await answered(server(await newCertificate()), protocol)).toEqual({
      said: `It ${does}`,
      readiness: { kind: 'no-tls', does },
    });
  });
});

describe('a service that speaks HTTP/1.1 over TLS', () => {
  it('is told that it does not agree on HTTP/2 where the spec says that', async () => {
    const does = 'negotiates no common protocol in TLS (ALPN)';
    expect(await answered(speaking('https'), 'h2-tls')).toEqual({
      said: `It ${does}`,
      readiness: { kind: 'no-tls', does },
    });
  });
});
