import type { Invocation, InvocationRequest } from '../definition.ts';
import { wholeSeconds } from '../durations.ts';
import { bodyFile, loadOfCase, type RequestParts, requestParts } from '../request.ts';
import type { AbCaseLoad } from './load.ts';

export const PERCENTILES = 'percentiles.csv';
const BODY = 'body';

const MARGIN_SECONDS = 10;
const LONGEST_SECONDS = 3600;

/**
 * A `durationSeconds` of 0 is the case's own number of requests, however long they take; any other ends ab after that
 * time or that number, whichever comes first.
 *
 * With keep-alive (`-k`) ab still speaks HTTP/1.0: a server that keeps only HTTP/1.1 connections answers and closes,
 * and the outcome's `keepAliveRequests` is 0. Without it, HTTP/1.0 closes by itself.
 */
export function abInvocation(request: InvocationRequest): Invocation {
  const { connections, keepAlive } = request.case;
  const load = loadOfCase<AbCaseLoad>(request, 'ab');
  const parts = requestParts(request);
  const timeout = wholeSeconds(load.timeoutSeconds);
  const timed = request.durationSeconds > 0 ? wholeSeconds(request.durationSeconds) : null;
  // ab refuses fewer requests than connections.
  const requests = Math.max(load.requests, connections);
  return {
    program: 'ab',
    arguments: [
      // -t sets -n to 50,000, so -n comes after it.
      ...(timed === null ? [] : ['-t', String(timed)]),
      '-n',
      String(requests),
      '-c',
      String(connections),
      '-s',
      String(timeout),
      '-q',
      '-r',
      '-l',
      '-e',
      PERCENTILES,
      ...(keepAlive ? ['-k'] : []),
      ...requestArguments(parts),
      parts.url,
    ],
    ...bodyFile(BODY, parts.body),
    results: [PERCENTILES],
    env: {},
    timeoutSeconds: MARGIN_SECONDS + (timed === null ? longest(requests, connections, timeout) : timed + timeout),
  };
}

/** `-p` means POST and brings the body; a `-m` after it keeps the body and changes the method. `-i` is HEAD. */
function requestArguments({ method, headers, body }: RequestParts): string[] {
  const named =
    (wanted: string) =>
    ([name]: [string, string]) =>
      name.toLowerCase() === wanted;
  const contentType = headers.find(named('content-type'))?.[1];
  const others = body === null ? headers : headers.filter((header) => !named('content-type')(header));
  return [
    ...(body === null ? [] : ['-p', BODY, '-T', contentType ?? 'application/octet-stream']),
    ...methodArguments(method, body !== null),
    ...others.flatMap(([name, value]) => ['-H', `${name}: ${value}`]),
  ];
}

function methodArguments(method: string, hasBody: boolean): string[] {
  if (method === (hasBody ? 'POST' : 'GET')) return [];
  // After `-m HEAD` ab would wait for the body that Content-Length announces.
  return method === 'HEAD' && !hasBody ? ['-i'] : ['-m', method];
}

/** Each connection sends its share of the requests in turn, and none may take longer than the timeout. */
function longest(requests: number, connections: number, timeoutSeconds: number): number {
  return Math.min(LONGEST_SECONDS, Math.ceil(requests / connections) * timeoutSeconds);
}
