import http from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

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
  path: string;
  timeoutSeconds: number;
  /** Main process of the container. */
  alive(): boolean;
}

const POLL_MS = 50;
/** A first answer may take its time (a JVM, a cold cache); a hung server is told apart by taking longer than this. */
const ANSWER_TIMEOUT_MS = 5_000;

/** Asks until a status below 400 comes back or the time is over. Rejects only with the signal's reason. */
export async function waitUntilReady(request: ReadinessRequest, signal: AbortSignal): Promise<Readiness> {
  const deadline = performance.now() + request.timeoutSeconds * 1000;
  let last: Readiness = { kind: 'refused' };
  for (;;) {
    signal.throwIfAborted();
    const leftMs = Math.max(POLL_MS, deadline - performance.now());
    const answer = await ask(request, Math.min(ANSWER_TIMEOUT_MS, leftMs), signal);
    signal.throwIfAborted();
    if (answer.kind === 'answered' && answer.status < 400) return { kind: 'ready' };
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
    const url = new URL(request.path, request.origin);
    const outgoing = http.get(url, { agent: false, signal }, (answer) => {
      clearTimeout(timer);
      answer.resume();
      outgoing.destroy();
      resolve({ kind: 'answered', status: answer.statusCode ?? 0 });
    });
    const timer = setTimeout(() => {
      outgoing.destroy();
      const waited = `${Number((timeoutMs / 1000).toFixed(1))} s`;
      if (connected) resolve({ kind: 'failed', message: `it took the connection and did not answer within ${waited}` });
      else resolve({ kind: 'failed', message: `it did not take a connection within ${waited}` });
    }, timeoutMs);
    outgoing.on('socket', (socket) => socket.once('connect', () => (connected = true)));
    outgoing.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      if (error.code === 'ECONNREFUSED') resolve({ kind: 'refused' });
      else resolve({ kind: 'failed', message: `the request ended with: ${error.message}` });
    });
  });
}
