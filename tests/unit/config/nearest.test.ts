import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { matchesGlob } from '../../../src/core/config/glob.ts';
import { editDistance, nearest, nearestFew } from '../../../src/core/config/nearest.ts';

describe('the nearest word', () => {
  const keys = ['connections', 'keep-alive', 'duration', 'timeout', 'command', 'cpu-per-request', 'network'];
  it.each([
    ['conections', 'connections'],
    ['keepalive', 'keep-alive'],
    ['Keep_Alive', 'keep-alive'],
    ['druation', 'duration'],
    ['timeot', 'timeout'],
    ['concurrency', 'connections'],
    ['cmd', 'command'],
    ['network_mode', 'network'],
    ['cpu', 'cpu-per-request'],
    ['zzzz', null],
    ['', null],
  ])('of %j is %j', (word, expected) => {
    expect(nearest(word, keys)).toBe(expected);
  });

  it('is the first of equals, and nothing among nothing', () => {
    expect(nearest('cat', ['bat', 'hat'])).toBe('bat');
    expect(nearest('cat', [])).toBeNull();
  });

  it('of several are given in the order of their distance', () => {
    expect(nearestFew('pong', ['other', 'ping', 'pong', 'ping'], 2)).toEqual(['pong', 'ping']);
  });
});

describe('a word of another tool', () => {
  const EXPECT = ['status', 'content-type', 'body', 'json', 'size', 'matches'];
  const ENDPOINT = ['method', 'path', 'headers', 'body', 'expect'];
  const K6 = ['rate', 'connections', 'keep-alive', 'duration', 'timeout', 'script'];
  it.each([
    ['code', EXPECT, 'status'],
    ['status_code', EXPECT, 'status'],
    ['statusCode', EXPECT, 'status'],
    ['url', ENDPOINT, 'path'],
    ['route', ENDPOINT, 'path'],
    ['verb', ENDPOINT, 'method'],
    ['payload', ENDPOINT, 'body'],
    ['data', ENDPOINT, 'body'],
    ['threads', K6, 'connections'],
    ['users', K6, 'connections'],
    ['clients', K6, 'connections'],
    ['qps', K6, 'rate'],
    ['bodi', EXPECT, 'body'],
  ])('%s is what is called so here', (word, keys, expected) => {
    expect(nearest(word, keys)).toBe(expected);
  });
});

describe('the edit distance', () => {
  it.each([
    ['', '', 0],
    ['kitten', 'sitting', 3],
    ['ab', 'ba', 1],
    ['ca', 'abc', 3],
    ['a'.repeat(100), 'a'.repeat(100), 0],
    ['a'.repeat(100), 'b', 100],
  ])('of %s and %s is %i', (a, b, distance) => {
    expect(editDistance(a, b)).toBe(distance);
  });

  it('is symmetric, and 0 for equal words only', () => {
    const words = fc.string({ maxLength: 12 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        expect(editDistance(a, b)).toBe(editDistance(b, a));
        expect(editDistance(a, b) === 0).toBe(a === b);
      }),
      { seed: 3 },
    );
  });
});

describe('a glob', () => {
  it.each([
    ['*', '', true],
    ['*', 'go/ping', true],
    ['go', 'go', true],
    ['go', 'go2', false],
    ['/db/*', '/db/ping', true],
    ['/db/*', '/db', false],
    ['*/wrk/*', 'go/ping/direct/wrk/keep-alive-off/100', true],
    ['*off/1??', 'go/ping/direct/wrk/keep-alive-off/100', true],
    ['*off/1??', 'go/ping/direct/wrk/keep-alive-off/1000', false],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'a-c-b', false],
    ['[go]', 'g', false],
    ['', '', true],
    ['?', '*', true],
  ])('%s and %s: %s', (pattern, text, expected) => {
    expect(matchesGlob(pattern, text)).toBe(expected);
  });

  it('says what the same pattern says as a regular expression', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*', '?', '/'), maxLength: 8 });
    fc.assert(
      fc.property(letters, letters, (pattern, text) => {
        const expression = new RegExp(
          `^${[...pattern].map((c) => (c === '*' ? '.*' : c === '?' ? '.' : c)).join('')}$`,
        );
        expect(matchesGlob(pattern, text)).toBe(expression.test(text));
      }),
      { seed: 5, numRuns: 2000 },
    );
  });

  it('says so of long parts too, wherever they begin', () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b', '?'), minLength: 33, maxLength: 80 });
    const filling = fc.string({ unit: fc.constantFrom('a', 'b', '?'), maxLength: 70 });
    fc.assert(
      fc.property(fc.array(letters, { minLength: 1, maxLength: 3 }), fc.array(filling), fc.nat(), (parts, fill, at) => {
        const pattern = `*${parts.join('*')}*`;
        const filled = parts.map((part, index) => `${fill[index] ?? ''}${part.replaceAll('?', 'b')}`).join('');
        // As it fits, and with one character another.
        const spot = at % filled.length;
        const spoilt = `${filled.slice(0, spot)}${filled[spot] === 'a' ? 'b' : 'a'}${filled.slice(spot + 1)}`;
        for (const text of [filled, spoilt, `${filled}b`, filled.slice(1)]) {
          const expression = new RegExp(`^${pattern.replaceAll('?', '.').replaceAll('*', '[^]*')}$`);
          expect(matchesGlob(pattern, text)).toBe(expression.test(text));
        }
        expect(matchesGlob(pattern, filled)).toBe(true);
      }),
      { seed: 6, numRuns: 500 },
    );
  });

  it('is quick where an expression would not be', () => {
    expect(matchesGlob('*a'.repeat(200), `${'a'.repeat(5000)}b`)).toBe(false);
    // Each of these takes longer than a test may where every place in the text is tried with the whole part.
    const many = 'a'.repeat(2_000_000);
    for (const part of [`${'a'.repeat(1_000)}b`, `b${'a'.repeat(1_000)}`, 'a?'.repeat(500).concat('b')]) {
      expect(matchesGlob(`*${part}*`, many)).toBe(false);
    }
  });
});
