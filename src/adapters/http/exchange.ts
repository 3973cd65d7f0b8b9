import { type Agent, type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../../core/verification/answer.ts';

export interface ProbeLimits {
  /** From the first byte of the request to the last one of the answer. */
  timeoutSeconds: number;
  /** Most bytes of a body that are kept. */
  answerBytes: number;
}

export interface ProbeRequest {
  /** `http://172.18.0.3:8080` */
  origin: string;
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}

export interface Exchange {
  answer: Answer;
  /** Connections opened for it: 1, or 0 where one was used again. */
  opened: 0 | 1;
  /** A connection that was used again turned out to be closed, before a byte of an answer came. */
  unread: boolean;
}

/** Headers of an answer may be long; a server's mistake should not look like a lost connection. */
const HEADER_BYTES = 256 * 1024;

/** One request and its answer. Rejects only with the signal's reason when aborted. */
export function exchange(
  asked: ProbeRequest,
  agent: Agent,
  limits: ProbeLimits,
  signal: AbortSignal,
): Promise<Exchange> {
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    let socket: Socket | null = null;
    let readBefore = 0;
    let request: ClientRequest;
    const wireBytes = () => (socket === null ? 0 : socket.bytesRead - readBefore);

    const settle = (answer: Answer, unread = false) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', abort);
      resolve({ answer, opened: request?.reusedSocket || socket === null ? 0 : 1, unread });
    };
    const fail = (message: string, unread = false) => {
      settle({ kind: 'failed', message }, unread);
      request?.destroy();
    };
    const abort = () => {
      clearTimeout(timer);
      reject(signal.reason);
      request?.destroy();
    };
    const timer = setTimeout(() => {
      const came = wireBytes();
      fail(
        came === 0
          ? `nothing came within ${limits.timeoutSeconds} s`
          : `the answer was not complete after ${limits.timeoutSeconds} s; ${came} bytes of it had come`,
      );
    }, limits.timeoutSeconds * 1000);
    signal.addEventListener('abort', abort, { once: true });

    try {
      request = start(asked, agent);
    } catch (error) {
      fail(`the request cannot be sent: ${(error as Error).message}`);
      return;
    }
    request.on('socket', (given) => {
      socket = given;
      readBefore = given.bytesRead;
    });
    request.on('error', (error: NodeJS.ErrnoException) => {
      const unread = request.reusedSocket && wireBytes() === 0 && /^(ECONNRESET|EPIPE)$/.test(error.code ?? '');
      fail(failureSentence(error, asked.origin, wireBytes()), unread);
    });
    request.on('response', (response) => {
      collect(response, limits.answerBytes, (body) => {
        if (typeof body === 'string') return fail(body);
        const { statusCode = 0 } = response;
        settle({ kind: 'answered', status: statusCode, headers: headersOf(response), body, wireBytes: wireBytes() });
      });
    });
  });
}

function start({ origin, method, path, headers, body }: ProbeRequest, agent: Agent): ClientRequest {
  const { hostname, port } = new URL(origin);
  const names = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const request = httpRequest({
    agent,
    hostname: hostname.replace(/^\[|\]$/g, ''),
    port: port === '' ? 80 : Number(port),
    method,
    path,
    headers: names.has('host') ? headers : { host: origin.replace(/^http:\/\//, ''), ...headers },
    maxHeaderSize: HEADER_BYTES,
  });
  // HTTP/1.1 keeps connections unless told otherwise, and so generators do not say it; some servers answer it in kind.
  if (!names.has('connection')) request.removeHeader('connection');
  if (body !== null && !names.has('content-length')) request.setHeader('content-length', Buffer.byteLength(body));
  request.end(body ?? undefined);
  return request;
}

/** Calls `done` once: with the whole body as it was sent, or with a sentence where it did not come to its end. */
function collect(response: IncomingMessage, most: number, done: (body: Uint8Array | string) => void): void {
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

function headersOf({ headers }: IncomingMessage): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, Array.isArray(value) ? value.join(', ') : value] as const],
  );
  return Object.fromEntries(entries);
}

/** Why a request got no answer, for a person. `came`: bytes of the answer that had come by then. */
function failureSentence(error: NodeJS.ErrnoException, origin: string, came: number): string {
  const where = origin.replace(/^http:\/\//, '');
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
