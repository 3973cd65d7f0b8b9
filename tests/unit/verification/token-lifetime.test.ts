import { describe, expect, it } from 'vitest';
import { lifetimeSeconds } from '../../../src/core/verification/token-lifetime.ts';

const NOW_MS = 1_800_000_000_000;

/** How long a value is good that stands at `$.data.token` of an answer, beside what else is in it. */
function secondsOf(token: string, beside: object = {}, written = '$.data.token'): number | null {
  const body = new TextEncoder().encode(JSON.stringify({ data: { token, ...beside } }));
  const answer = { kind: 'answered' as const, status: 200, headers: {}, body, wireBytes: 0 };
  return lifetimeSeconds(token, written, answer, NOW_MS);
}

function jwt(claims: unknown): string {
  const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ alg: 'HS256' })}.${part(claims)}.c2lnbmF0dXJl`;
}

describe('how long a token is good', () => {
  it('says a JWT itself', () => {
    expect(secondsOf(jwt({ exp: 1_800_000_300, sub: 'ä?>' }))).toBe(300);
    expect(secondsOf(jwt({ exp: 1_799_999_990 }), { expires_in: 60 })).toBe(-10);
  });

  it('says `expires_in` beside it', () => {
    expect(secondsOf('opaque', { expires_in: 3600 })).toBe(3600);
    expect(secondsOf('opaque', { expires_in: '3600' })).toBe(3600);
    expect(secondsOf(jwt({ sub: 'me' }), { expires_in: 60 })).toBe(60);
  });

  it.each([
    ['opaque', {}],
    ['opaque', { expires_in: -1 }],
    ['opaque', { expires_in: 'soon' }],
    ['a.b.c', {}],
    [jwt({ exp: 'tomorrow' }), {}],
    [jwt(null), {}],
  ])('is not known of %s beside %j', (token, beside) => {
    expect(secondsOf(token, beside)).toBeNull();
  });

  it('is not known of a cookie or a header beside such a body', () => {
    expect(secondsOf('opaque', { expires_in: 60 }, 'cookie:sid')).toBeNull();
  });
});
