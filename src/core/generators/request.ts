import { type InvokedRequest, requestAt } from '../requests/request-set.ts';
import { requestTarget, requestUrl } from '../values/request-url.ts';
import type { Invocation, InvocationRequest } from './definition.ts';
import type { LoadOfCase } from './load.ts';

/** What every generator has to send, in the form that all of them can be told. */
export interface RequestParts {
  url: string;
  method: string;
  headers: [name: string, value: string][];
  body: string | Uint8Array | null;
}

/** The generator's own business: it counts the body itself and decides about the connection by the case. */
const OWN_HEADERS = new Set(['content-length', 'connection', 'transfer-encoding']);

/**
 * The request of a case, of several the first. With keep-alive off the header `Connection: close` is not among the headers: k6 and ab send
 * it, or HTTP/1.0, themselves.
 */
export function requestParts(request: InvocationRequest): RequestParts {
  const { endpoint } = request.case;
  return partsOf(endpoint.requestSet === undefined ? endpoint : requestAt(endpoint.requestSet, 0), request);
}

/** Each different request of a case that has several, in the order of its set's `requests`. */
export function differingParts(request: InvocationRequest): RequestParts[] {
  return (request.case.endpoint.requestSet?.requests ?? []).map((each) => partsOf(each, request));
}

function partsOf(asked: InvokedRequest, { case: { service }, origin }: InvocationRequest): RequestParts {
  const headers = Object.entries(asked.headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  return {
    url: requestUrl(origin, requestTarget(service.basePath + asked.path)),
    method: asked.method.toUpperCase(),
    // wrk and ab add a Host of their own beside one that is spelt differently.
    headers: headers.map(([name, value]) => [name.toLowerCase() === 'host' ? 'Host' : name, value]),
    body: asked.bodyBytes ?? asked.body,
  };
}

/** A body as a file of an invocation; none where there is none. */
export function bodyFile(name: string, body: RequestParts['body']): Pick<Invocation, 'files' | 'binaryFiles'> {
  if (body === null) return { files: {} };
  return typeof body === 'string' ? { files: { [name]: body } } : { files: {}, binaryFiles: { [name]: body } };
}

/** The case's load, as its generator knows it. Throws `TypeError` where the case is another generator's. */
export function loadOfCase<Load extends LoadOfCase>(
  { case: own }: InvocationRequest,
  generator: Load['generator'],
): Load {
  if (own.load.generator !== generator) throw new TypeError(`${own.key} is not a case of ${generator}`);
  return own.load as Load;
}
