import { requestUrl } from '../values/request-url.ts';
import type { InvocationRequest } from './definition.ts';
import type { LoadOfCase } from './load.ts';

/** What every generator has to send, in the form that all of them can be told. */
export interface RequestParts {
  url: string;
  method: string;
  headers: [name: string, value: string][];
  body: string | null;
}

/** The generator's own business: it counts the body itself and decides about the connection by the case. */
const OWN_HEADERS = new Set(['content-length', 'connection', 'transfer-encoding']);

/**
 * The request of a case. With keep-alive off the header `Connection: close` is not among the headers: k6 and ab send
 * it, or HTTP/1.0, themselves.
 */
export function requestParts({ case: { service, endpoint }, origin }: InvocationRequest): RequestParts {
  const headers = Object.entries(endpoint.headers).filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()));
  return {
    url: requestUrl(origin, targetOf(service.basePath + endpoint.path)),
    method: endpoint.method.toUpperCase(),
    // wrk and ab add a Host of their own beside one that is spelt differently.
    headers: headers.map(([name, value]) => [name.toLowerCase() === 'host' ? 'Host' : name, value]),
    body: endpoint.body,
  };
}

/** The case's load, as its generator knows it. Throws `TypeError` where the case is another generator's. */
export function loadOfCase<Load extends LoadOfCase>(
  { case: own }: InvocationRequest,
  generator: Load['generator'],
): Load {
  if (own.load.generator !== generator) throw new TypeError(`${own.key} is not a case of ${generator}`);
  return own.load as Load;
}

/** What no request line may hold is percent-encoded; what a person has encoded stays as it is. */
function targetOf(path: string): string {
  return path.replaceAll(/[^\x21-\x7e]+/gu, (text) =>
    Array.from(new TextEncoder().encode(text), (byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`).join(
      '',
    ),
  );
}
