import { describe, expect, it } from 'vitest';
import type { KeptCandidate } from '../../../../src/core/detection/asking/endpoint-candidate.ts';
import { answeredEndpoints } from '../../../../src/core/detection/asking/found-endpoints.ts';
import { asked } from './given.ts';

const kept = (...all: ReturnType<typeof asked>[]) => all as KeptCandidate[];
const LOGIN = {
  steps: [{ path: '/api/login', form: { user: 'a' }, body: null }],
  take: '$.token',
  header: { name: 'authorization', value: 'Bearer ${login.token}' },
  from: 'ADMIN_USERNAME',
};

describe('the endpoints of a spec', () => {
  it('are below the base path that all of them have, the login as well', () => {
    const { endpoints, basePath, login } = answeredEndpoints({
      kept: kept(asked('/api/items?page=1'), asked('/api/items?page=2', { status: 204, contentType: null })),
      login: LOGIN,
      leftOut: [],
      basePaths: ['/v2', '/a', '/api'],
    });
    expect(endpoints.map(({ name, path, status, contentType }) => [name, path, status, contentType])).toEqual([
      ['items', '/items?page=1', 200, 'application/json'],
      ['items-page-2', '/items?page=2', 204, null],
    ]);
    expect([basePath?.value, login?.steps[0]?.path]).toEqual(['/api', '/login']);
  });

  it('are below the longest of several base paths', () => {
    const all = { kept: kept(asked('/shop/api/items')), login: null, leftOut: [], basePaths: ['/shop', '/shop/api'] };
    expect(answeredEndpoints(all).endpoints.map(({ path }) => path)).toEqual(['/items']);
  });

  it('have no base path where one of them lies elsewhere', () => {
    const { endpoints, basePath } = answeredEndpoints({
      kept: kept(asked('/api/items'), asked('/health')),
      login: null,
      leftOut: [],
      basePaths: ['/api'],
    });
    expect([basePath, ...endpoints.map(({ path }) => path)]).toEqual([null, '/api/items', '/health']);
  });

  it('have names of their own, whatever their paths are', () => {
    const { endpoints } = answeredEndpoints({
      kept: kept(asked('/'), asked('/~'), asked('/a/b'), asked('/a-b')),
      login: null,
      leftOut: [],
      basePaths: [],
    });
    expect(endpoints.map(({ name }) => name)).toEqual(['root', 'endpoint-2', 'a-b', 'endpoint-4']);
  });
});
