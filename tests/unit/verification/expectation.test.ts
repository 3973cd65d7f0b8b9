import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Expectation } from '../../../src/core/config/resolved.ts';
import type { Answer } from '../../../src/core/verification/answer.ts';
import {
  jsonDifference,
  type SearchResult,
  differencesOf as verified,
} from '../../../src/core/verification/expectation.ts';

const nothing: Expectation = {
  status: 200,
  contentType: null,
  body: null,
  sizeBytes: null,
  matches: null,
};

function answer(body: string, status = 200, contentType = 'application/json; charset=utf-8'): Answer {
  const bytes = new TextEncoder().encode(body);
  return { kind: 'answered', status, headers: { 'content-type': contentType }, body: bytes, wireBytes: bytes.length };
}

const inPlace = async (expression: string, body: string): Promise<SearchResult> => ({
  kind: new RegExp(expression).test(body) ? 'found' : 'absent',
});
const differencesOf = (given: Answer, expected: Expectation) => verified(given, expected, inPlace);

describe('an answer', () => {
  it('is as expected when every named part fits', async () => {
    const expected: Expectation = {
      status: 200,
      contentType: 'application/json',
      body: '{"ok":true,"message":"OK"}',
      json: { ok: true },
      sizeBytes: { min: 26, max: 26 },
      matches: '"message":"O.*"',
    };
    expect(await differencesOf(answer('{"ok":true,"message":"OK"}'), expected)).toEqual([]);
  });

  it('names every part that does not fit, with what was expected and what came', async () => {
    const expected: Expectation = {
      status: 200,
      contentType: 'application/json',
      body: 'Hello',
      json: { ok: true },
      sizeBytes: { min: 5, max: 9 },
      matches: '^Hell',
    };
    expect(await differencesOf(answer('<html>\n', 503, 'text/html'), expected)).toEqual([
      'status: expected 200, got 503 (body: "<html>\\n")',
      'content-type: expected application/json, got text/html',
      'body: expected "Hello", got "<html>\\n"',
      'body: expected a match of /^Hell/, got "<html>\\n"',
      'json: expected {"ok":true}, got something that is not JSON: "<html>\\n"',
    ]);
  });

  it('is measured in bytes, not in characters', async () => {
    expect(await differencesOf(answer('é'), { ...nothing, sizeBytes: { min: 1, max: 1 } })).toEqual([
      'size: expected 1 bytes, got 2 bytes',
    ]);
    expect(await differencesOf(answer('é'), { ...nothing, sizeBytes: { min: 3, max: 4 } })).toEqual([
      'size: expected 3 to 4 bytes, got 2 bytes',
    ]);
  });

  it('has a content type that is compared with its parameters only where the spec names some', async () => {
    const type = (contentType: string) =>
      differencesOf(answer('', 200, 'Text/Plain ;charset=UTF-8'), { ...nothing, contentType });
    expect(await type('text/plain')).toEqual([]);
    expect(await type('text/plain; charset=utf-8')).toEqual([]);
    expect(await type('text/plain; charset=latin1')).toHaveLength(1);
  });

  it('may lack a content type', async () => {
    const bare: Answer = { kind: 'answered', status: 200, headers: {}, body: new Uint8Array(), wireBytes: 0 };
    expect(await differencesOf(bare, { ...nothing, contentType: 'text/plain' })).toEqual([
      'content-type: expected text/plain, got none',
    ]);
  });

  it('is cut where it is long', async () => {
    const [difference] = await differencesOf(answer('x'.repeat(5000)), { ...nothing, body: 'short' });
    expect(difference).toBe(`body: expected "short", got "${'x'.repeat(120)}…" (5000 characters)`);
  });

  it('may not come at all', async () => {
    expect(await differencesOf({ kind: 'failed', message: 'connection refused' }, nothing)).toEqual([
      'no answer: connection refused',
    ]);
  });

  it('has a content type whatever its length', async () => {
    const long = `text/plain;${' '.repeat(250_000)}x`;
    const expected = { ...nothing, contentType: 'text/plain' };
    expect(await differencesOf(answer('', 200, long), expected)).toEqual([]);
  });

  it('says of an expression that took too long, or cannot be used, what to do about it', async () => {
    const said = (result: SearchResult) => verified(answer('é'), { ...nothing, matches: '\\s+$x' }, async () => result);
    expect(await said({ kind: 'stopped', seconds: 1 })).toEqual([
      'body: expected a match of /\\s+$x/, which took longer than 1 s on 2 bytes: simplify the expression',
    ]);
    expect(await said({ kind: 'failed', message: 'Maximum call stack size exceeded' })).toEqual([
      'body: expected a match of /\\s+$x/, which cannot be used on 2 bytes (Maximum call stack size exceeded): simplify the expression',
    ]);
  });

  it('is searched only where an expression is expected, and something came', async () => {
    const never = () => Promise.reject(new Error('nothing is searched here'));
    expect(await verified(answer('a'), nothing, never)).toEqual([]);
    expect(await verified({ kind: 'failed', message: 'reset' }, { ...nothing, matches: 'a' }, never)).toHaveLength(1);
  });
});

describe('a JSON subset', () => {
  it('names the first place that differs', () => {
    expect(jsonDifference({ users: [{ id: 2 }] }, { users: [{ id: 1 }] })).toBe('$.users[0].id: expected 1, got 2');
    expect(jsonDifference({}, { 'a b': null })).toBe('$["a b"]: expected null, got nothing');
    expect(jsonDifference([], [1])).toBe('$: expected at least 1 elements, got 0');
    expect(jsonDifference('x', [1])).toBe('$: expected an array, got "x"');
    expect(jsonDifference(null, { a: 1 })).toBe('$: expected an object, got null');
    expect(jsonDifference('y'.repeat(200), 'x')).toBe(`$: expected "x", got "${'y'.repeat(119)}…`);
  });

  it('does not find a key in the prototype', () => {
    expect(jsonDifference({}, { toString: 1 })).toBe('$.toString: expected 1, got nothing');
  });

  it('holds for every JSON value against itself, and with keys added', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(jsonDifference(value, value)).toBeNull();
        expect(jsonDifference({ more: 1, value }, { value })).toBeNull();
      }),
      { seed: 20261120 },
    );
  });
});
