import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { requestUrl } from '../../../src/core/values/request-url.ts';

const ORIGIN = 'http://172.18.0.3:8080';

describe('the URL of a path at an origin', () => {
  it.each(['/', '/ping?a=1', '//host/x', '///host', '/\\host/x', '/http://host/', '/@host/', '/:81/'])(
    'stays at the origin for %s',
    (path) => {
      expect(requestUrl(ORIGIN, path)).toBe(`${ORIGIN}${path}`);
      expect(new URL(requestUrl(ORIGIN, path)).host).toBe('172.18.0.3:8080');
    },
  );

  it('is refused for what would change its host or port', () => {
    for (const path of ['@host/', '.host/', '0/', ':81/', 'host', ''])
      expect(() => requestUrl(ORIGIN, path)).toThrow(`the path ${path} does not stay at ${ORIGIN}`);
  });

  it('has the origin whatever the path, or is refused', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('/', '\\', '@', ':', '.', '0', 'a', '?', '#', '\t') }), (path) => {
        try {
          expect(new URL(requestUrl(ORIGIN, path)).origin).toBe(ORIGIN);
        } catch (error) {
          expect(error).toBeInstanceOf(TypeError);
        }
      }),
      { seed: 7 },
    );
  });
});
