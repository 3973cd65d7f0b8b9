import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  filledPartly,
  filledRequest,
  isOfLogin,
  partlyFilledRequest,
  RequestValueError,
  valuesIn,
  valuesOfRequest,
} from '../../../src/core/requests/request-values.ts';

const request = { path: '/', headers: {} as Record<string, string>, body: null as string | null };

describe('a request that values are filled into', () => {
  it('has them in its path, its headers and its body', () => {
    const written = {
      method: 'POST',
      path: '/items/${login.id}?key=${env.KEY}',
      headers: { authorization: 'Bearer ${login.token}', cookie: 'sid=${login.session}; theme=dark' },
      body: 'id=${login.id}',
    };
    const values = { 'login.id': '7', 'env.KEY': 'k', 'login.token': 'abc.def', 'login.session': 's1' };
    expect(filledRequest(written, values)).toEqual({
      method: 'POST',
      path: '/items/7?key=k',
      headers: { authorization: 'Bearer abc.def', cookie: 'sid=s1; theme=dark' },
      body: 'id=7',
    });
  });

  const hostile = { 'login.id': 'a/../b?c#d e"\\&=%' };

  it('has them percent-encoded in its path, so that a value stays one part of it', () => {
    const { path } = filledRequest({ ...request, path: '/items/${login.id}/parts' }, hostile);
    expect(path).toBe('/items/a%2F..%2Fb%3Fc%23d%20e%22%5C%26%3D%25/parts');
  });

  it.each([
    [
      'a form',
      { 'Content-Type': 'application/x-www-form-urlencoded' },
      'x=${login.id}',
      'x=a%2F..%2Fb%3Fc%23d%20e%22%5C%26%3D%25',
    ],
    [
      'JSON by its type',
      { 'content-type': 'application/json; charset=utf-8' },
      '{"x":"${login.id}"}',
      '{"x":"a/../b?c#d e\\"\\\\&=%"}',
    ],
    ['JSON by what it looks like', {}, ' ["${login.id}"]', ' ["a/../b?c#d e\\"\\\\&=%"]'],
    ['text', { 'content-type': 'text/plain' }, '{${login.id}}', '{a/../b?c#d e"\\&=%}'],
  ])('has them in a body that is %s as that has them', (_, headers, body, expected) => {
    expect(filledRequest({ ...request, headers, body }, hostile).body).toBe(expected);
  });

  it('has no value in a header that would begin another one', () => {
    const header = { ...request, headers: { 'x-token': '${login.token}' } };
    for (const value of ['a\r\nx-admin: 1', 'a\nb', 'é', '\0', '\u007f']) {
      expect(() => filledRequest(header, { 'login.token': value })).toThrow(
        'The value of `${login.token}` holds characters that the header x-token cannot',
      );
    }
  });

  it('says which value is not known, and what is taken', () => {
    const wanting = { ...request, path: '/${login.csrf}' };
    expect(() => filledRequest(wanting, { 'login.token': 'x' })).toThrow(
      new RequestValueError(
        '`${login.csrf}` has no value: the login takes `${login.token}`. Add it to `take` of a step, or correct the name.',
      ),
    );
    expect(() => filledRequest(wanting, {})).toThrow('the login takes nothing.');
    // Names of every object's own are none of its values.
    expect(() => filledRequest({ ...request, path: '/${env.constructor}' }, {})).toThrow('has no value here');
  });

  it('keeps what means something else to it, and what is escaped', () => {
    const body = 'query ($id: ID!) ${x} ${user} $${user} $${login.token} $${other} ${login} ${env.}';
    expect(filledRequest({ ...request, body }, { 'login.token': 'abc' }).body).toBe(
      'query ($id: ID!) ${x} ${user} $${user} ${login.token} $${other} ${login} ${env.}',
    );
  });

  it('knows the number of the user in a login alone', () => {
    expect(filledRequest({ ...request, path: '/u${user}/$${user}' }, { user: '3' }).path).toBe('/u3/${user}');
  });

  it('fills in no value of a value', () => {
    const values = { 'login.a': '${login.b}', 'login.b': 'no' };
    expect(filledRequest({ ...request, body: 'text ${login.a}' }, values).body).toBe('text ${login.b}');
  });

  it('is one line of a path and of a header whatever a server hands out', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        try {
          const { path, headers } = filledRequest(
            { path: '/a/${login.x}/b', headers: { a: '${login.x}' }, body: null },
            { 'login.x': value },
          );
          expect(path).toMatch(/^\/a\/[!-~]*\/b$/);
          expect(path.split('/')).toHaveLength(4);
          expect(headers.a).toMatch(/^[ -~]*$/);
        } catch (error) {
          // A lone half of a character has no encoding, and is never taken.
          expect(error instanceof RequestValueError || error instanceof URIError).toBe(true);
        }
      }),
    );
  });
});

describe('what a request wants', () => {
  it('are the values that are named in it, each once', () => {
    expect(valuesIn('${login.a} ${env.B} $${login.c} ${login.a} ${port} ${user}')).toEqual(['login.a', 'env.B']);
    const all = { path: '/${login.a}', headers: { x: '${env.B}' }, body: '${login.c}' };
    expect(valuesOfRequest(all)).toEqual(['login.a', 'env.B', 'login.c']);
  });

  it('is of a login where one of them is', () => {
    expect([isOfLogin({ ...request, body: '${login.a}' }), isOfLogin({ ...request, body: '${env.A}' })]).toEqual([
      true,
      false,
    ]);
  });
});

describe('a request of which some values are known', () => {
  it('keeps the others as they are written', () => {
    expect(filledPartly('${env.A} ${env.B} $${env.A}', { 'env.A': '1' })).toBe('1 ${env.B} $${env.A}');
    const written = { path: '/?k=${env.A}', headers: { x: 'Bearer ${login.token} ${env.A}' }, body: '["${env.A}"]' };
    expect(partlyFilledRequest(written, { 'env.A': '"' })).toEqual({
      path: '/?k=%22',
      headers: { x: 'Bearer ${login.token} "' },
      body: '["\\""]',
    });
  });
});
