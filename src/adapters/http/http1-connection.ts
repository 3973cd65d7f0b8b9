import { Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import type { Trust } from '../tls/run-certificate.ts';
import {
  type Connection,
  collectBody,
  type Exchange,
  failureSentence,
  hostOf,
  type ProbeLimits,
  type ProbeRequest,
  plainHeaders,
  portOf,
  untilItEnds,
} from './connection.ts';

/** `trust`: of a server that is asked over TLS. */
export function openHttp1Connection(trust: Promise<Trust> | null = null): Connection {
  let agent: Agent | null = null;
  return {
    async exchange(asked, limits, signal) {
      agent ??= http1Agent((await trust) ?? null);
      return await exchange(asked, agent, limits, signal);
    },
    close: () => agent?.destroy(),
  };
}

export function http1Agent(trust: Trust | null): Agent {
  const one = { keepAlive: true, maxSockets: 1, maxFreeSockets: 1 };
  return trust === null ? new Agent(one) : new HttpsAgent({ ...one, ...trust });
}

/** Headers of an answer may be long; a server's mistake should not look like a lost connection. */
const HEADER_BYTES = 256 * 1024;

async function exchange(
  asked: ProbeRequest,
  agent: Agent,
  limits: ProbeLimits,
  signal: AbortSignal,
): Promise<Exchange> {
  let socket: Socket | null = null;
  let readBefore = 0;
  let request: ClientRequest | null = null;
  const wireBytes = () => (socket === null ? 0 : socket.bytesRead - readBefore);
  const running = {
    wireBytes,
    opened: () => (request?.reusedSocket || socket === null ? 0 : 1) as 0 | 1,
    destroy: () => void request?.destroy(),
  };
  return untilItEnds(limits, signal, running, ({ answer, fail }) => {
    const started = startHttp1Request(asked, agent);
    request = started;
    started.on('socket', (given) => {
      socket = given;
      readBefore = given.bytesRead;
    });
    started.on('error', (error: NodeJS.ErrnoException) => {
      const unread = started.reusedSocket && wireBytes() === 0 && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '');
      fail(failureSentence(error, asked.origin, wireBytes()), unread);
    });
    started.on('response', (response) => {
      collectBody(response, limits.answerBytes, (body) => {
        if (typeof body === 'string') return fail(body);
        const { statusCode: status = 0, headers } = response;
        const came = { status, headers: plainHeaders(headers), body, wireBytes: wireBytes() };
        answer({
          kind: 'answered',
          ...came,
          ...(endsWithConnection(asked, response) ? { endsWithConnection: true } : {}),
        });
      });
    });
  });
}

/** https://www.rfc-editor.org/rfc/rfc9112#section-6.3 */
function endsWithConnection({ method }: ProbeRequest, { statusCode = 0, headers }: IncomingMessage): boolean {
  if (method === 'HEAD' || statusCode === 204 || statusCode === 304) return false;
  return headers['content-length'] === undefined && headers['transfer-encoding'] === undefined;
}

/** Sent as generators send it. Throws where it cannot be. */
export function startHttp1Request({ origin, method, path, headers, body }: ProbeRequest, agent: Agent): ClientRequest {
  const url = new URL(origin);
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const request = (url.protocol === 'https:' ? httpsRequest : httpRequest)({
    agent,
    hostname: url.hostname.replace(/^\[|\]$/g, ''),
    port: portOf(url),
    method,
    path,
    headers: names.has('host') ? headers : { host: hostOf(origin), ...headers },
    maxHeaderSize: HEADER_BYTES,
  });
  // HTTP/1.1 keeps connections unless told otherwise, and so generators do not say it; some servers answer it in kind.
  if (!names.has('connection')) request.removeHeader('connection');
  if (body !== null && !names.has('content-length')) request.setHeader('content-length', Buffer.byteLength(body));
  request.end(body ?? undefined);
  return request;
}
