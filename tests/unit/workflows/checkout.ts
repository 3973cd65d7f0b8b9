import { stringify } from 'yaml';
import type { CheckoutFiles } from '../../../src/app/ports/checkout-files.ts';

/** A spec of one service and endpoint, under one case of wrk where nothing else is said. */
export function specText(
  name: string,
  load: object = { wrk: { threads: 4, connections: [100], 'keep-alive': [true], duration: '10s' } },
): string {
  return stringify({
    name,
    services: { go: { image: 'bench/go:1', port: 8080, ready: { path: '/ping' } } },
    endpoints: { ping: { path: '/ping' } },
    load,
  });
}

/** A checkout of these files, path → text. */
export function checkoutOf(files: Record<string, string>): CheckoutFiles {
  return {
    list: async () => Object.keys(files),
    text: async (path) => files[path] ?? null,
    kind: async (path) => (files[path] === undefined ? null : 'file'),
    staysInside: async () => true,
  };
}
