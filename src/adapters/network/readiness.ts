import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Service } from '../../core/config/resolved.ts';
import type { Protocol } from '../../core/generators/definition.ts';
import { requestUrl } from '../../core/values/request-url.ts';

/** How asking for the ready path ended. Only `ready` is good. */
export type Readiness =
  | { kind: 'ready' }
  /** Nobody has ever taken a connection. */
  | { kind: 'refused' }
  /** Connections were taken, and this is what came of the last one. */
  | { kind: 'answered'; status: number }
  | { kind: 'failed'; message: string }
  /** The process has ended meanwhile. */
  | { kind: 'ended' };

export interface ReadinessRequest {
  /** `http://172.18.0.3:8080`. */
  origin: string;
  /** Null where an open port is enough. */
  path: string | null;
  protocol: Protocol;
  timeoutSeconds: number;
  /** Main process of the container. */
  alive(): boolean;
}

const POLL_MS = 50;
/** A first answer may take its time (a JVM, a cold cache); a hung server is told apart by taking longer than this. */
const ANSWER_TIMEOUT_MS = 5_000;

/** `go was asked for http://…/ping for 30 s`, and what to do about it. */
export function readinessWords(
  { name, ready: { path, timeoutSeconds } }: Service,
  origin: string,
): { asked: string; more: string } {
  return path === null
    ? {
        asked: `${name} was to open its port at ${origin} within ${timeoutSeconds} s`,
        more: 'Correct its port, or raise ready.timeout in the spec.',
      }
    : {
        asked: `${name} was asked for ${origin}${path} for ${timeoutSeconds} s`,
        more: 'Correct ready.path, or raise ready.timeout in the spec.',
      };
}

/** Asks until a status below 400 comes back (or, without a path, a connection is taken) or the time is over. Rejects only with the signal's reason. */
export async function waitUntilReady(request: ReadinessRequest, signal: AbortSignal): Promise<Readiness> {
  const deadline = performance.now() + request.timeoutSeconds * 1000;
  let last: Readiness = { kind: 'refused' };
  for (;;) {
    signal.throwIfAborted();
    const leftMs = Math.max(POLL_MS, deadline - performance.now());
    const answer = await ask(request, Math.min(ANSWER_TIMEOUT_MS, leftMs), signal);
    signal.throwIfAborted();
    if (answer.kind === 'ready' || (answer.kind === 'answered' && answer.status < 400)) return { kind: 'ready' };
    // One refusal between answers is a restart, not a port that nothing listens on.
    if (answer.kind !== 'refused' || last.kind === 'refused') last = answer;
    if (!request.alive()) return { kind: 'ended' };
    if (performance.now() + POLL_MS > deadline) return last;
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
        if (request.path === null) end({ kind: 'ready' });
      },
      // The rest of the answer may never come to its end.
      onStatus: (status) => end({ kind: 'answered', status }),
      onError: (error) =>
        end(error.code === 'ECONNREFUSED' ? { kind: 'refused' } : { kind: 'failed', message: sentenceOf(error) }),
    };
    const destroy =
      request.path === null
        ? connect(new URL(request.origin), signal, listener)
        : GET[request.protocol](new URL(requestUrl(request.origin, request.path)), signal, listener);
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

/** Each over a connection of its own; what it returns gives the request up. */
const GET: Record<Protocol, (url: URL, signal: AbortSignal, listener: Listener) => () => void> = {
  h1(url, signal, { onConnect, onStatus, onError }) {
    const request = http.get(url, { agent: false, signal }, (answer) => onStatus(answer.statusCode ?? 0));
    request.on('socket', (socket) => socket.once('connect', onConnect));
    request.on('error', onError);
    return () => request.destroy();
  },

  h2(url, signal, { onConnect, onStatus, onError }) {
    const session = http2.connect(url.origin);
    const stream = session.request({ ':path': url.pathname + url.search }, { signal });
    session.once('connect', onConnect);
    // What the stream tells, with its own cause.
    session.on('error', () => {});
    stream.on('response', (headers) => onStatus(headers[':status'] ?? 0));
    stream.on('error', (error) => onError((error.cause as Error | undefined) ?? error));
    stream.on('close', () => onError(new Error('the connection was closed without an answer')));
    return () => session.destroy();
  },
};
