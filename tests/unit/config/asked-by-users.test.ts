import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { askedByUsers } from '../../../src/core/config/asked-by-users.ts';
import type { AskedEndpoint } from '../../../src/core/config/asked-endpoint.ts';
import { requestAt } from '../../../src/core/requests/request-set.ts';
import { testCase } from '../support/trials.ts';

const headers = { authorization: 'Bearer ${login.token}' };
const { endpoint } = testCase({});
const items: AskedEndpoint = { ...endpoint, path: '/items', headers };
const users = (count: number) => Array.from({ length: count }, (_, at) => ({ 'login.token': `t${at + 1}` }));
const setOf = (paths: string[]): AskedEndpoint => ({
  ...items,
  requestSet: {
    requests: paths.map((path) => ({ ...items, path })),
    order: Uint32Array.from(paths.keys()),
  },
});

/** Path and token of each of the first requests, in their order. */
function sent(asked: AskedEndpoint, count: number): string[] {
  return Array.from({ length: count }, (_, place) => {
    const { path, headers: own } = requestAt(asked.requestSet!, place);
    return `${path} ${own.authorization!.replace('Bearer ', '')}`;
  });
}

describe('an endpoint that is asked by who has logged in', () => {
  it('is one request, by one user', () => {
    expect(askedByUsers(items, users(1))).toEqual({ ...items, headers: { authorization: 'Bearer t1' } });
    expect(askedByUsers(setOf(['/a', '/b']), users(1)).requestSet!.requests.map((each) => each.headers)).toEqual([
      { authorization: 'Bearer t1' },
      { authorization: 'Bearer t1' },
    ]);
  });

  it('is one request of each of several users, in turn', () => {
    expect(sent(askedByUsers(items, users(3)), 4)).toEqual(['/items t1', '/items t2', '/items t3', '/items t1']);
  });

  it('has each of its requests meet each user, and its requests in their order', () => {
    const odd = askedByUsers(setOf(['/a', '/b', '/c']), users(2));
    expect(sent(odd, 7)).toEqual(['/a t1', '/b t2', '/c t1', '/a t2', '/b t1', '/c t2', '/a t1']);
    const even = askedByUsers(setOf(['/a', '/b']), users(2));
    expect(sent(even, 4)).toEqual(['/a t1', '/b t2', '/a t2', '/b t1']);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 12 }), fc.integer({ min: 2, max: 12 }), (requests, count) => {
        const paths = Array.from({ length: requests }, (_, at) => `/${at}`);
        const all = sent(askedByUsers(setOf(paths), users(count)), requests * count);
        expect(new Set(all).size).toBe(requests * count);
        expect(all.map((each) => each.split(' ')[0])).toEqual(all.map((_, place) => paths[place % requests]));
      }),
    );
  });

  it('has each user come to a turn, however many requests there are', () => {
    const paths = Array.from({ length: 20_000 }, (_, at) => `/${at}`);
    const { requestSet } = askedByUsers(setOf(paths), users(50));
    expect([requestSet!.order.length, requestSet!.requests.length]).toEqual([20_000, 20_000]);
    expect(new Set(requestSet!.requests.map(({ headers: own }) => own.authorization)).size).toBe(50);
    expect(askedByUsers(setOf(paths.slice(0, 20)), users(1000)).requestSet!.requests).toHaveLength(10_000);
  });

  it('is the same for all where it wants nothing of a login', () => {
    const open = { ...items, headers: {} };
    expect(askedByUsers(open, users(3))).toEqual(open);
    expect(askedByUsers(items, [])).toBe(items);
  });
});
