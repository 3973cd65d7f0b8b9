import { describe, expect, it } from 'vitest';
import { ownRequests } from '../../../src/core/baseline/held-requests.ts';
import { requestLine, sameRequest } from '../../../src/core/baseline/wire-request.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import { smallSpec } from '../support/comparing.ts';

const spec = smallSpec([{ path: '/users' }]);
const [service] = spec.services;
const [endpoint] = spec.endpoints;
const asked = (changes: Partial<Endpoint>, basePath = ''): Parameters<typeof sameRequest>[0] => [
  { ...service!, basePath },
  { ...endpoint!, ...changes },
];

describe('a request as it goes over the wire', () => {
  it.each<[string, ReturnType<typeof asked>, string]>([
    ['path', asked({ path: '/quick' }), 'GET /quick'],
    ['query', asked({ path: '/users?limit=1' }), 'GET /users?limit=1'],
    ['base path', asked({}, '/quick'), 'GET /quick/users'],
    ['method', asked({ method: 'HEAD' }), 'HEAD /users'],
    ['header', asked({ headers: { 'if-none-match': '"1"' } }), 'GET /users with other headers'],
    ['body', asked({ body: '{}' }), 'GET /users with another body'],
    ['set of values', asked({ values: { id: ['1'] } }), 'GET /users with other values'],
    ['file of requests', asked({ requests: 'a.jsonl' }), 'GET /users with another file of requests'],
    ['mix', asked({ mix: { users: 1 } }), 'GET /users with another mix'],
    ['file as its body', asked({ content: { kind: 'file', file: 'a' } }), 'GET /users with another body'],
    ['kind of answer', asked({ expect: { ...endpoint!.expect, status: 503 } }), 'GET /users with status 503'],
  ])('is another one with another %s, in so many words', (_, other, line) => {
    expect(sameRequest(other, asked({}))).toBe(false);
    expect(requestLine(other, asked({}))).toBe(line);
  });

  it('is the same with a path in other parts, and with names of headers and methods in other cases', () => {
    expect(sameRequest(asked({ path: '/users' }, '/api'), asked({ path: '/api/users' }))).toBe(true);
    const [one, other] = [
      { method: 'get', headers: { Accept: '*/*', Host: 'a' } },
      { method: 'GET', headers: { host: 'a', accept: '*/*' } },
    ];
    expect(sameRequest(asked(one!), asked(other!))).toBe(true);
  });

  it('is the same with another status of one kind', () => {
    expect(sameRequest(asked({ expect: { ...endpoint!.expect, status: 204 } }), asked({}))).toBe(true);
  });

  it('is not the same with the same words in another header', () => {
    expect(sameRequest(asked({ headers: { a: '1' } }), asked({ headers: { b: '1' } }))).toBe(false);
  });
});

describe('the requests of a candidate that nobody was asked', () => {
  it('are named for each service that both specs have', () => {
    const two = smallSpec([{ path: '/users' }], ['go', 'rust']);
    const moved = { ...two, services: two.services.map((each) => ({ ...each, basePath: `/${each.name}` })) };
    expect(ownRequests(moved, spec)).toEqual({ 'go/ping': 'GET /go/users' });
    expect(ownRequests(two, spec)).toEqual({});
  });
});
