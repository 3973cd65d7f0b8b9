import { isHttp2 } from '../../values/protocol.ts';
import type { Invocation, InvocationRequest } from '../definition.ts';
import { bodyFile, differingParts, loadOfCase, type RequestParts, requestParts } from '../request.ts';
import type { H2loadCaseLoad } from './load.ts';

/** A line for each request that was answered. */
export const LOG = 'requests.log';
const LINE_BYTES = 28;
/** Some 10 million lines. A load that could make more has no log, and no percentiles before h2load 1.69. */
const MOST_LOG_BYTES = 256 << 20;
/** In a closed loop, from one core: 174,000 (`npm run bench:overhead`). */
const MOST_PER_SECOND = 200_000;
const BODY = 'body';
const ADDRESSES = 'addresses';

/** Sorting its samples, on a busy machine. */
const MARGIN_SECONDS = 5;

/**
 * With a `rate`, so many requests per second by all connections together. h2load wakes its connections all at the same
 * moment, at most every 10 ms, so that requests come in bursts; what a connection could not send yet it sends late.
 * Without one, each connection sends its next request when it has its answer.
 *
 * A connection that the server cuts is lost without a word, and so is a request that is never answered: at a rate, fewer are
 * sent then. Of requests that differ each connection sends all in their order, from the first on. `-N` would end such a wait, and ends h2load 1.52 with it (`Assertion … failed`).
 */
export function h2loadInvocation(request: InvocationRequest): Invocation {
  const { connections, service } = request.case;
  const { threads, streams } = loadOfCase<H2loadCaseLoad>(request, 'h2load');
  const { durationSeconds, rate } = request;
  const overHttp2 = isHttp2(service.protocol);
  const parts = requestParts(request);
  const { requestSet } = request.case.endpoint;
  const isLogged = (rate ?? MOST_PER_SECOND * threads) * durationSeconds * LINE_BYTES <= MOST_LOG_BYTES;
  return {
    program: 'h2load',
    arguments: [
      ...(overHttp2 ? [] : ['--h1']),
      '-D',
      `${Math.max(1, Math.round(durationSeconds * 1000))}ms`,
      '-c',
      String(connections),
      '-t',
      String(Math.min(threads, connections)),
      // Over HTTP/1.1 these would be pipelined, which hardly any client does and not every server understands.
      '-m',
      String(overHttp2 ? streams : 1),
      ...(rate === null ? [] : ['--rps', String(Number((rate / connections).toPrecision(9)))]),
      ...(isLogged ? [`--log-file=${LOG}`] : []),
      ...requestArguments(parts),
      ...(requestSet === undefined ? [parts.url] : ['-i', ADDRESSES]),
    ],
    ...bodyFile(BODY, parts.body),
    files: {
      ...bodyFile(BODY, parts.body).files,
      ...(requestSet === undefined ? {} : { [ADDRESSES]: addresses(differingParts(request), requestSet.order) }),
    },
    results: [],
    ...(isLogged ? { largeResult: { name: LOG, mostBytes: MOST_LOG_BYTES } } : {}),
    env: {},
    timeoutSeconds: durationSeconds + MARGIN_SECONDS,
    killedHint:
      'h2load before 1.64 never ends where the server closes connections that it was asked to keep, as after so many requests: raise that limit of the server, install a newer h2load, or measure with wrk or k6.',
  };
}

/** A line for each place of the order. */
function addresses(requests: readonly RequestParts[], order: Uint32Array): string {
  return Array.from(order, (index) => `${requests[index]!.url}\n`).join('');
}

/** `-d` means POST and brings the body; a `:method` after it keeps the body. The host is `:authority`, over HTTP/1.1 too. */
function requestArguments({ method, headers, body }: RequestParts): string[] {
  return [
    ...(body === null ? [] : ['-d', BODY]),
    ...(method === (body === null ? 'GET' : 'POST') ? [] : ['-H', `:method: ${method}`]),
    ...headers.flatMap(([name, value]) => ['-H', `${name === 'Host' ? ':authority' : name}: ${value}`]),
  ];
}
