import type { InvokedRequest, RequestSet } from './request-set.ts';

/**
 * Up to `most` of the requests, each different: of each group of a mix the first, and then as many as there is room for, evenly from the
 * whole order. `most` is exceeded only by a mix of more groups.
 */
export function sampledRequests<Request extends InvokedRequest & { name: string }>(
  { requests, order }: RequestSet<Request>,
  most: number,
): Request[] {
  const firsts = new Map<string, Request>();
  for (const index of order) {
    const request = requests[index]!;
    if (!firsts.has(request.name)) firsts.set(request.name, request);
  }
  const sampled = new Set(firsts.values());
  const step = Math.max(1, Math.floor(order.length / most));
  for (let place = 0; place < order.length && sampled.size < most; place += step) sampled.add(requests[order[place]!]!);
  return [...sampled];
}
