import {
  type ClientHttp2Session,
  connect,
  type IncomingHttpHeaders,
  type IncomingHttpStatusHeader,
  type OutgoingHttpHeaders,
} from 'node:http2';
import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Trust } from '../tls/run-certificate.ts';
import {
  type Connection,
  collectBody,
  failureSentence,
  hostOf,
  type ProbeRequest,
  plainHeaders,
  untilItEnds,
} from './connection.ts';

/** Without TLS unless `trust` is given, and without asking first whether the server speaks it; one stream after the other. */
export function openHttp2Connection(trust: Promise<Trust> | null = null): Connection {
  let last: Opened | null = null;
  return {
    async exchange(asked, limits, signal) {
      const kept = last === null || last.session.closed || last.session.destroyed ? null : last;
      const current = kept ?? opened(asked.origin, (await trust) ?? {});
      last = current;
      const readBefore = kept?.bytesRead() ?? 0;
      const wireBytes = () => current.bytesRead() - readBefore;
      const running = {
        wireBytes,
        opened: () => (kept === null ? 1 : 0) as 0 | 1,
        destroy: () => current.session.destroy(),
      };
      return untilItEnds(limits, signal, running, ({ answer, fail }) => {
        const stream = current.session.request(http2HeadersOf(asked), { endStream: asked.body === null });
        let headers: (IncomingHttpHeaders & IncomingHttpStatusHeader) | null = null;
        stream.on('response', (given) => {
          headers = given;
        });
        stream.on('error', (error: NodeJS.ErrnoException) => {
          // What went wrong with the connection is the cause of what went wrong with the stream.
          const cause = (error.cause ?? error) as NodeJS.ErrnoException;
          fail(sentenceOf(cause, asked.origin, wireBytes()), kept !== null && wireBytes() === 0);
        });
        collectBody(stream, limits.answerBytes, (body) => {
          if (typeof body === 'string') return fail(body);
          // An error that ends the stream comes after its end, and before it is closed; a connection that ends without a word
          // leaves none.
          stream.once('close', () => {
            if (headers === null || stream.rstCode !== 0) {
              return fail(
                sentenceOf(CLOSED, asked.origin, headers === null ? 0 : wireBytes()),
                kept !== null && headers === null,
              );
            }
            const { ':status': status = 0 } = headers;
            answer({ kind: 'answered', status, headers: plainHeaders(headers), body, wireBytes: wireBytes() });
          });
        });
        if (asked.body !== null) stream.end(asked.body);
      });
    },
    close: () => last?.session.destroy(),
  };
}

const CLOSED = { name: 'Error', message: 'closed', code: 'ECONNRESET' };

interface Opened {
  session: ClientHttp2Session;
  /** Also when it is closed. */
  bytesRead(): number;
}

function opened(origin: string, trust: Trust): Opened {
  const session = connect(origin, trust);
  let socket: Socket | TLSSocket | null = null;
  session.once('connect', (_, given) => {
    socket = given;
  });
  // Its streams are told as well, and tell.
  session.on('error', () => {});
  return { session, bytesRead: () => socket?.bytesRead ?? 0 };
}

/** What HTTP/2 has no place for is left out, as generators leave it out. */
const OF_HTTP1 = new Set(['connection', 'keep-alive', 'transfer-encoding', 'upgrade', 'host']);

export function http2HeadersOf({ origin, method, path, headers, body }: ProbeRequest): OutgoingHttpHeaders {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const authority = own.find(([name]) => name === 'host')?.[1] ?? hostOf(origin);
  return {
    ':method': method,
    ':path': path,
    ':authority': authority,
    ...(body === null ? {} : { 'content-length': Buffer.byteLength(body) }),
    ...Object.fromEntries(own.filter(([name]) => !OF_HTTP1.has(name))),
  };
}

function sentenceOf(error: NodeJS.ErrnoException, origin: string, came: number): string {
  const where = hostOf(origin);
  if (!error.code?.startsWith('ERR_HTTP2_')) return failureSentence(error, origin, came);
  const way = origin.startsWith('https:')
    ? 'agree on it in TLS (ALPN)'
    : 'speak it without TLS, and without being asked to change from HTTP/1.1';
  return error.code === 'ERR_HTTP2_ERROR'
    ? `what ${where} sent is not HTTP/2 (${error.message}): it has to ${way}`
    : `${where} gave the request up (${error.message})`;
}
