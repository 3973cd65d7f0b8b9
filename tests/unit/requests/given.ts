import type { InvokedRequest, RequestSet } from '../../../src/core/requests/request-set.ts';

/** A request of an endpoint, `GET` of a path unless told otherwise. */
export function requestTo(path: string, more: Partial<InvokedRequest & { name: string }> = {}) {
  return { name: 'items', method: 'GET', path, headers: {}, body: null, expect: { status: 200 }, ...more };
}

/** Requests in the order of the list. */
export function setOf<Request extends InvokedRequest>(requests: Request[], order?: number[]): RequestSet<Request> {
  return { requests, order: Uint32Array.from(order ?? requests.keys()) };
}
