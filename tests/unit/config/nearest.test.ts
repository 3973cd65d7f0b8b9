import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
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
