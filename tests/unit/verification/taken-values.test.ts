import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { takenValues } from '../../../src/core/verification/taken-values.ts';

function answer(body: unknown, headers: Record<string, string> = {}) {
  const bytes = new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));
  return { kind: 'answered' as const, status: 200, headers, body: bytes, wireBytes: bytes.length };
}

describe('what is taken from an answer', () => {
  it('comes from its JSON, as text', () => {
    const body = { access_token: 'abc', user: { ids: [7, 8], 'is admin': false } };
    const take = { token: '$.access_token', id: '$.user.ids[1]', admin: "$.user['is admin']" };
    expect(takenValues(answer(body), take)).toEqual({
      values: { token: 'abc', id: '8', admin: 'false' },
      missing: [],
    });
    expect(takenValues(answer('"abc"'), { token: '$' }).values).toEqual({ token: 'abc' });
  });

  it('comes from a header', () => {
    expect(takenValues(answer('', { 'x-csrf-token': ' t ' }), { csrf: 'header:X-Csrf-Token' }).values).toEqual({
      csrf: 't',
    });
  });

  it.each([
    ['sid=abc; Path=/; HttpOnly', 'abc'],
    ['theme=dark, sid=abc', 'abc'],
    ['theme=dark; Expires=Wed, 09 Jun 2027 10:18:14 GMT, sid=abc; Expires=Wed, 09 Jun 2027 10:18:14 GMT', 'abc'],
    ['sid=old; Path=/, sid=new; Path=/', 'new'],
    ['sid="a b=c"; Path=/', 'a b=c'],
    ['xsid=no, sid=a=b', 'a=b'],
  ])('comes from a cookie: %s', (setCookie, expected) => {
    expect(takenValues(answer('', { 'set-cookie': setCookie }), { session: 'cookie:sid' }).values).toEqual({
      session: expected,
    });
  });

  it.each([
    ['$.token', { tokens: 1 }, {}, 'nothing is there'],
    ['$.token', { token: null }, {}, 'nothing is there'],
    ['$.constructor', {}, {}, 'nothing is there'],
    ['$.length', [], {}, 'nothing is there'],
    ['$.a[0]', { a: { 0: 'x' } }, {}, 'nothing is there'],
    ['$.token', { token: { a: 1 } }, {}, 'a map is there, and text or a number is wanted'],
    ['$.token', { token: [] }, {}, 'a list is there, and text or a number is wanted'],
    ['$.token', { token: '' }, {}, 'it is empty'],
    ['$.token', { token: 'a\r\nb' }, {}, 'it holds control characters'],
    ['$.token', { token: '\ud800' }, {}, 'it holds control characters'],
    ['$.token', { token: 'x'.repeat(16_385) }, {}, 'it is longer than 16384 characters'],
    ['$.token', '<html>', {}, 'the body is not JSON'],
    ['header:x-token', '', {}, 'the answer has no such header'],
    ['header:constructor', '', {}, 'the answer has no such header'],
    ['cookie:sid', '', {}, 'the answer sets no such cookie'],
    ['cookie:sid', '', { 'set-cookie': 'a=b; sid=c' }, 'the answer sets no such cookie'],
    ['cookie:sid', '', { 'set-cookie': 'sid=; Max-Age=0' }, 'it is empty'],
  ])('%s of %j is missing: %s', (place, body, headers, why) => {
    expect(takenValues(answer(body, headers as Record<string, string>), { x: place })).toEqual({
      values: {},
      missing: [`${place}: ${why}`],
    });
  });

  it('is all that is there, though something else is not', () => {
    expect(takenValues(answer({ a: 1 }), { a: '$.a', b: '$.b' })).toEqual({
      values: { a: '1' },
      missing: ['$.b: nothing is there'],
    });
  });

  it('is nothing that could end a line, whatever the server answers', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (body, cookies) => {
        const take = { a: '$', b: 'header:set-cookie', c: 'cookie:a' };
        const { values } = takenValues(answer(body, { 'set-cookie': cookies }), take);
        for (const value of Object.values(values)) expect(value).toMatch(/^[^\p{Cc}]+$/u);
      }),
    );
  });
});
