import http2 from 'node:http2';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Readiness } from '../../core/topology/part-readiness.ts';
import { isHttp2, isOverTls, type Protocol } from '../../core/values/protocol.ts';
import { requestUrl } from '../../core/values/request-url.ts';
import { isAnswer, isUp, type ReadyRequest } from '../../core/verification/ready-request.ts';
import { portOf } from '../http/connection.ts';
import { http1Agent, startHttp1Request } from '../http/http1-connection.ts';
import { http2HeadersOf } from '../http/http2-connection.ts';
import { tlsFailure } from '../tls/failures.ts';
import { runTrust, type Trust } from '../tls/run-certificate.ts';

export interface ReadinessRequest {
  /** `http://172.18.0.3:8080`, or `https://…` */
  origin: string;
  /** Null where an open port is enough. */
  asked: ReadyRequest | null;
  protocol: Protocol;
  timeoutSeconds: number;
  /** Main process of the container. */
  alive(): boolean;
  /** Its port is open, and only to those who stand inside: it will not be reached by waiting. */
  isInsideAlone?(): boolean;
}

const POLL_MS = 50;
/** What its ports are takes longer to read than to ask it. */
const POLLS_BETWEEN_LOOKS = 20;
/** Where all of these see that it is reached from inside alone, nobody waits any longer: a script may have it so for a moment, to fill it. */
const LOOKS_INSIDE = 10;
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
  let insecureSince: number | null = null;
  let polls = 0;
  let looksInside = 0;
  const trust = isOverTls(request.protocol) ? await runTrust() : null;
  for (;;) {
    signal.throwIfAborted();
    const leftMs = Math.max(POLL_MS, deadline - performance.now());
    const answer = await ask(request, trust, Math.min(ANSWER_TIMEOUT_MS, leftMs), signal);
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
    insecureSince = answer.kind === 'no-tls' ? (insecureSince ?? performance.now()) : null;
    if (insecureSince !== null && performance.now() - insecureSince >= SETTLED_MS) return answer;
    // One refusal between answers is a restart, not a port that nothing listens on.
    if (answer.kind !== 'refused' || last.kind === 'refused') last = answer;
    if (!request.alive()) return { kind: 'ended' };
    polls += 1;
    if (polls % POLLS_BETWEEN_LOOKS === 0) {
      looksInside = answer.kind === 'refused' && request.isInsideAlone?.() === true ? looksInside + 1 : 0;
      if (looksInside === LOOKS_INSIDE) return last;
    }
    if (isOver) return last;
    await sleep(POLL_MS, undefined, { signal }).catch(() => signal.throwIfAborted());
  }
}

function ask(
  request: ReadinessRequest,
  trust: Trust | null,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Readiness> {
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
      onError(error) {
        if (error.code === 'ECONNREFUSED') return end({ kind: 'refused' });
        const insecure = trust === null ? null : tlsFailure(error);
        end(
          insecure === null
            ? { kind: 'failed', message: sentenceOf(error, trust !== null) }
            : { kind: 'no-tls', does: insecure },
        );
      },
    };
    let destroy = () => {};
    try {
      destroy =
        request.asked === null
          ? connect(new URL(request.origin), signal, listener)
          : (isHttp2(request.protocol) ? sendHttp2 : sendHttp1)(
              requestTo(request.origin, request.asked),
              trust,
              signal,
              listener,
            );
    } catch (error) {
      end({ kind: 'failed', message: `the request cannot be sent (${(error as Error).message})` });
    }
  });
}

/** Nothing is sent: a server that takes one kind of request alone is not asked for another. */
function connect(url: URL, signal: AbortSignal, { onConnect, onError }: Listener): () => void {
  const socket = net.connect({ host: url.hostname, port: portOf(url), signal });
  socket.once('connect', onConnect);
  socket.on('error', onError);
  return () => socket.destroy();
}

function sentenceOf({ code = '', message }: NodeJS.ErrnoException, overTls: boolean): string {
  if (code.startsWith('HPE_')) return `what it sent is not HTTP/1.1 (${message})`;
  if (code === 'ERR_HTTP2_ERROR') return `what it sent is not HTTP/2${overTls ? '' : ' without TLS'} (${message})`;
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
type Send = (sent: SentRequest, trust: Trust | null, signal: AbortSignal, listener: Listener) => () => void;

const sendHttp1: Send = (sent, trust, signal, { onConnect, onStatus, onError }) => {
  const agent = http1Agent(trust);
  const request = startHttp1Request(sent, agent);
  const abort = () => request.destroy();
  signal.addEventListener('abort', abort, { once: true });
  request.on('socket', (socket) => socket.once('connect', onConnect));
  request.on('response', (answer) => onStatus(answer.statusCode ?? 0));
  request.on('error', onError);
  return () => {
    signal.removeEventListener('abort', abort);
    request.destroy();
    agent.destroy();
  };
};

const sendHttp2: Send = (sent, trust, signal, { onConnect, onStatus, onError }) => {
  const session = http2.connect(sent.origin, trust ?? {});
  const stream = session.request(http2HeadersOf(sent), { signal, endStream: sent.body === null });
  session.once('connect', onConnect);
  // What the stream tells, with its own cause.
  session.on('error', () => {});
  stream.on('response', (headers) => onStatus(headers[':status'] ?? 0));
  stream.on('error', (error) => onError((error.cause as Error | undefined) ?? error));
  stream.on('close', () => onError(new Error('the connection was closed without an answer')));
  if (sent.body !== null) stream.end(sent.body);
  return () => session.destroy();
};
