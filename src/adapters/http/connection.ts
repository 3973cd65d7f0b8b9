import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Answer } from '../../core/verification/answer.ts';
import { tlsFailure } from '../tls/failures.ts';

/** One socket at a time, kept from request to request for as long as the server keeps it. */
export interface Connection {
  /** One request and its answer. Rejects only with the signal's reason when aborted. */
  exchange(asked: ProbeRequest, limits: ProbeLimits, signal: AbortSignal): Promise<Exchange>;
  close(): void;
}

export interface ProbeLimits {
  /** From the first byte of the request to the last one of the answer. */
  timeoutSeconds: number;
  /** Most bytes of a body that are kept. */
  answerBytes: number;
}

export interface ProbeRequest {
  /** `http://172.18.0.3:8080`, or `https://…` */
  origin: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | Uint8Array | null;
}

export interface Exchange {
  answer: Answer;
  /** Connections opened for it: 1, or 0 where one was used again. */
  opened: 0 | 1;
  /** A connection that was used again turned out to be closed, before a byte of an answer came. */
  unread: boolean;
}

/** How an exchange ends; what comes after the first end is nobody's business any more. */
export interface Ends {
  answer(answer: Answer): void;
  fail(message: string, unread?: boolean): void;
}

export interface Running {
  /** Bytes of the answer that have come, headers included. */
  wireBytes(): number;
  /** Connections opened for it. */
  opened(): 0 | 1;
  destroy(): void;
}

/** One exchange from `start` to its answer, its failure or the end of its time, whichever comes first; an abort rejects. */
export function untilItEnds(
  { timeoutSeconds }: ProbeLimits,
  signal: AbortSignal,
  running: Running,
  start: (ends: Ends) => void,
): Promise<Exchange> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const finish = () => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
    };
    const settle = (answer: Answer, unread: boolean) => {
      finish();
      resolve({ answer, opened: running.opened(), unread });
    };
    const fail = (message: string, unread = false) => {
      settle({ kind: 'failed', message }, unread);
      running.destroy();
    };
    const abort = () => {
      finish();
      reject(signal.reason);
      running.destroy();
    };
    const timer = setTimeout(() => {
      const came = running.wireBytes();
      fail(
        came === 0
          ? `nothing came within ${timeoutSeconds} s`
          : `the answer was not complete after ${timeoutSeconds} s; ${came} bytes of it had come`,
      );
    }, timeoutSeconds * 1000);
    signal.addEventListener('abort', abort, { once: true });
    try {
      start({ answer: (answer) => settle(answer, false), fail });
    } catch (error) {
      fail(`the request cannot be sent: ${(error as Error).message}`);
    }
  });
}

/** Calls `done` once: with the whole body as it was sent, or with a sentence where it did not come to its end. */
export function collectBody(response: Readable, most: number, done: (body: Uint8Array | string) => void): void {
  const chunks: Buffer[] = [];
  let length = 0;
  response.on('data', (chunk: Buffer) => {
    length += chunk.byteLength;
    if (length > most) {
      response.removeAllListeners('data');
      return done(`the answer is longer than ${most / 1024 ** 2} MiB, which is more than is looked at`);
    }
    chunks.push(chunk);
  });
  response.on('end', () => {
    if (length <= most) done(Buffer.concat(chunks));
  });
  response.on('error', (error) => {
    if (length <= most)
      done(
        `the connection was closed in the middle of the answer, after ${length} bytes of its body (${error.message})`,
      );
  });
}

/** Without what HTTP/2 has of its own (`:status`). */
export function plainHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || name.startsWith(':')
      ? []
      : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}

/** `172.18.0.3:8080`, as it stands in a `Host`. */
export function hostOf(origin: string): string {
  return origin.replace(/^https?:\/\//, '');
}

/** What an address leaves out where it is the usual one. */
export function portOf({ protocol, port }: URL): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}

/** Why a request got no answer, for a person. `came`: bytes of the answer that had come by then. */
export function failureSentence(error: NodeJS.ErrnoException, origin: string, came: number): string {
  const where = hostOf(origin);
  const insecure = origin.startsWith('https:') ? tlsFailure(error) : null;
  if (insecure !== null) return `${where} ${insecure}`;
  const code = error.code ?? '';
  if (code.startsWith('HPE_')) {
    return code === 'HPE_HEADER_OVERFLOW'
      ? `the headers of the answer from ${where} are longer than a server should send`
      : `what ${where} sent is not an HTTP answer (${plain(error.message)})`;
  }
  switch (code) {
    case 'ECONNREFUSED':
      return `the connection to ${where} was refused: nothing listens there`;
    case 'ECONNRESET':
    case 'EPIPE':
      return came === 0
        ? `${where} closed the connection without an answer`
        : `${where} closed the connection in the middle of the answer, after ${came} bytes`;
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return `there is no route to ${where} from here`;
    case 'ETIMEDOUT':
      return `${where} does not take the connection`;
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return `the name in ${where} cannot be resolved`;
    case 'EADDRNOTAVAIL':
      return `no local port is free for a connection to ${where}: wait a minute for closed ones to be released`;
    default:
      return `the request to ${where} failed: ${plain(error.message)}`;
  }
}

/** `Parse Error: Expected HTTP/` without its own beginning. */
function plain(message: string): string {
  return message.replace(/^Parse Error:\s*/, '').replace(/\.$/, '');
}
