import { describe, expect, it } from 'vitest';
import { TAKEN_NAME, takePlaceOf } from '../../../src/core/config/take.ts';

describe('where a value stands in an answer', () => {
  it.each([
    ['$.access_token', ['access_token']],
    ['$.data.users[0].id', ['data', 'users', 0, 'id']],
    ['$[12]', [12]],
    ["$['a b'].c", ['a b', 'c']],
    ['$["x-y"]', ['x-y']],
    ['$', []],
  ])('%s is a path into its JSON', (text, path) => {
    expect(takePlaceOf(text)).toEqual({ kind: 'json', path });
  });

  it('is a header by its name in any case, or a cookie by its own', () => {
    expect(takePlaceOf('header:X-CSRF-Token')).toEqual({ kind: 'header', name: 'x-csrf-token' });
    expect(takePlaceOf('cookie:Sid')).toEqual({ kind: 'cookie', name: 'Sid' });
  });

  it.each([
    '',
    'access_token',
    '.a',
    '$a',
    '$..a',
    '$.a[*]',
    '$.a[-1]',
    '$.a[0',
    '$.a b',
    'header:',
    'header:a b',
    'cookie:a;b',
    'body:x',
    `$${'.a'.repeat(200)}`,
  ])('is not told by %j', (text) => {
    expect(takePlaceOf(text)).toBeNull();
  });
});

it('names of values are those that a placeholder can hold', () => {
  expect(['token', 'csrf_token', 'x-1'].every((name) => TAKEN_NAME.test(name))).toBe(true);
  expect(['', '1a', '__proto__', 'a.b', 'a b', 'a'.repeat(33)].some((name) => TAKEN_NAME.test(name))).toBe(false);
});
