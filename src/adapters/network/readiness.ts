import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Protocol } from '../../core/generators/definition.ts';
import type { Readiness } from '../../core/topology/part-readiness.ts';
import { requestUrl } from '../../core/values/request-url.ts';
import { isAnswer, isUp, type ReadyRequest } from '../../core/verification/ready-request.ts';
import { startHttp1Request } from '../http/http1-connection.ts';
import { http2HeadersOf } from '../http/http2-connection.ts';

export interface ReadinessRequest {
  /** `http://172.18.0.3:8080`. */
  origin: string;
  /** Null where an open port is enough. */
  asked: ReadyRequest | null;
  protocol: Protocol;
  timeoutSeconds: number;
  /** Main process of the container. */
  alive(): boolean;
}

const POLL_MS = 50;
/** A first answer may take its time (a JVM, a cold cache); a hung server is told apart by taking longer than this. */
const ANSWER_TIMEOUT_MS = 5_000;

/**
 * A service that answers, though not as expected, counts as up when it has done so for this long: it may have begun to listen before its
 * routes are there, and what it answers then is judged where its answers are.
 */
const SETTLED_MS = 2_000;

/**
 * Asks until the answer is one of a service that is up (or, without a request, a connection is taken) or the time is over. Rejects only
 * with the signal's reason.
 */
export async function waitUntilReady(request: ReadinessRequest, signal: AbortSignal): Promise<Readiness> {
  const deadline = performance.now() + request.timeoutSeconds * 1000;
  let last: Readiness = { kind: 'refused' };
  let answersSince: number | null = null;
  for (;;) {
    signal.throwIfAborted();
    const leftMs = Math.max(POLL_MS, deadline - performance.now());
    const answer = await ask(request, Math.min(ANSWER_TIMEOUT_MS, leftMs), signal);
    signal.throwIfAborted();
    if (answer.kind === 'ready') return answer;
    const isOver = performance.now() + POLL_MS > deadline;
    if (answer.kind === 'answered' && request.asked !== null) {
      if (isUp(answer.status, request.asked)) return { kind: 'ready' };
      answersSince = isAnswer(answer.status) ? (answersSince ?? performance.now()) : null;
      if (answersSince !== null && (isOver || performance.now() - answersSince >= SETTLED_MS)) return { kind: 'ready' };
    } else {
      answersSince = null;
    }
    // One refusal between answers is a restart, not a port that nothing listens on.
    if (answer.kind !== 'refused' || last.kind === 'refused') last = answer;
    if (!request.alive()) return { kind: 'ended' };
    if (isOver) return last;
    await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function ask(request: ReadinessRequest, timeoutMs: number, signal: AbortSignal): Promise<Readiness> {
  return new Promise((resolve) => {
    let connected = false;
    const end = (readiness: Readiness) => {
      clearTimeout(timer);
      resolve(readiness);
      destroy();
    };
    const timer = setTimeout(() => {
      const waited = `${Number((timeoutMs / 1000).toFixed(1))} s`;
      const what = connected ? 'it took the connection and did not answer' : 'it did not take a connection';
      end({ kind: 'failed', message: `${what} within ${waited}` });
    }, timeoutMs);
    const listener: Listener = {
      onConnect: () => {
        connected = true;
        if (request.asked === null) end({ kind: 'ready' });
      },
      // The rest of the answer may never come to its end.
      onStatus: (status) => end({ kind: 'answered', status }),
      onError: (error) =>
        end(error.code === 'ECONNREFUSED' ? { kind: 'refused' } : { kind: 'failed', message: sentenceOf(error) }),
    };
    let destroy = () => {};
    try {
      destroy =
        request.asked === null
          ? connect(new URL(request.origin), signal, listener)
          : SEND[request.protocol](requestTo(request.origin, request.asked), signal, listener);
    } catch (error) {
      end({ kind: 'failed', message: `the request cannot be sent (${(error as Error).message})` });
    }
  });
}

/** Nothing is sent: a server that takes one kind of request alone is not asked for another. */
function connect({ hostname, port }: URL, signal: AbortSignal, { onConnect, onError }: Listener): () => void {
  const socket = net.connect({ host: hostname, port: Number(port === '' ? '80' : port), signal });
  socket.once('connect', onConnect);
  socket.on('error', onError);
  return () => socket.destroy();
}

function sentenceOf({ code = '', message }: NodeJS.ErrnoException): string {
  if (code.startsWith('HPE_')) return `what it sent is not HTTP/1.1 (${message})`;
  if (code === 'ERR_HTTP2_ERROR') return `what it sent is not HTTP/2 without TLS (${message})`;
  return `the request ended with: ${message}`;
}

interface Listener {
  onConnect(): void;
  onStatus(status: number): void;
  onError(error: NodeJS.ErrnoException): void;
}

interface SentRequest {
  origin: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

function requestTo(origin: string, { method, path, headers, body }: ReadyRequest): SentRequest {
  const { pathname, search } = new URL(requestUrl(origin, path));
  return { origin, method, path: pathname + search, headers, body };
}

/** Each over a connection of its own; what it returns gives the request up. */
const SEND: Record<Protocol, (sent: SentRequest, signal: AbortSignal, listener: Listener) => () => void> = {
  h1(sent, signal, { onConnect, onStatus, onError }) {
    const request = startHttp1Request(sent, new http.Agent());
    const abort = () => request.destroy();
    signal.addEventListener('abort', abort, { once: true });
    request.on('socket', (socket) => socket.once('connect', onConnect));
    request.on('response', (answer) => onStatus(answer.statusCode ?? 0));
    request.on('error', onError);
    return () => {
      signal.removeEventListener('abort', abort);
      request.destroy();
    };
  },

  h2(sent, signal, { onConnect, onStatus, onError }) {
    const session = http2.connect(sent.origin);
    const stream = session.request(http2HeadersOf(sent), { signal, endStream: sent.body === null });
    session.once('connect', onConnect);
    // What the stream tells, with its own cause.
    session.on('error', () => {});
    stream.on('response', (headers) => onStatus(headers[':status'] ?? 0));
    stream.on('error', (error) => onError((error.cause as Error | undefined) ?? error));
    stream.on('close', () => onError(new Error('the connection was closed without an answer')));
    if (sent.body !== null) stream.end(sent.body);
    return () => session.destroy();
  },
};
