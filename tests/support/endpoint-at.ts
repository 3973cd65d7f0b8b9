import type { Endpoint } from '../../src/core/config/resolved.ts';

/** `GET` of a path, which is to be answered with 200. */
export const endpointAt = (path: string): Endpoint => ({
  ...{ name: 'asked', method: 'GET', path, headers: {}, body: null },
  expect: { status: 200, contentType: null, body: null, sizeBytes: null, matches: null },
});
