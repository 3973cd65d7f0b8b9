import { describe, expect, it } from 'vitest';
import {
  apiOfAnswer,
  distinctCandidates,
  documentPaths,
  readingCandidates,
  writingCandidates,
} from '../../../../src/core/detection/asking/endpoint-candidate.ts';
import { candidate } from './given.ts';

const api = (document: unknown) => apiOfAnswer('/openapi.json', JSON.stringify(document))!;
const DOCUMENT = {
  openapi: '3.0.0',
  servers: [{ url: 'https://shop.test/v2' }],
  paths: {
    '/users': { get: {}, post: { requestBody: { content: { 'application/json': { example: { a: 1 } } } } } },
    '/users/me': { get: { security: [{ bearer: [] }] } },
    '/users/{id}': { get: {} },
    '/tags': { get: {} },
    '/oops': { get: { summary: 'Always fails' } },
    '/old': { get: { deprecated: true } },
    '/broken': { get: { responses: { 400: {}, 500: {} } } },
    '/logout': { get: {} },
    '/a\u0007b': { get: {} },
  },
};

describe('candidates that read', () => {
  it('are those of a document, one of each part first, then those that code declares', () => {
    const routes = [
      { method: 'GET' as const, path: '/health', from: 'app.js' },
      { method: 'GET' as const, path: '/health/{id}', from: 'app.js' },
      { method: 'POST' as const, path: '/orders', from: 'app.js' },
    ];
    expect(
      readingCandidates({ apis: [api(DOCUMENT)], routes, basePath: '/shop' }).map(
        ({ path, elsewhere, from }) => `${path}, else ${elsewhere} (${from})`,
      ),
    ).toEqual([
      '/v2/users, else /users (/openapi.json)',
      '/v2/tags, else /tags (/openapi.json)',
      '/v2/users/me, else /users/me (/openapi.json)',
      '/shop/health, else null (app.js)',
    ]);
  });

  it('are some of each part that code declares, too', () => {
    const routes = ['/v1/users', '/v1/users/me', '/v1/tags'].map((path) => ({
      method: 'GET' as const,
      path,
      from: 'a.go',
    }));
    expect(readingCandidates({ apis: [], routes, basePath: '' }).map(({ path }) => path)).toEqual([
      '/v1/users',
      '/v1/tags',
      '/v1/users/me',
    ]);
  });

  it('are a list before what is below it, and an API before pages', () => {
    const routes = ['/welcome', '/v1/notes/counts', '/v1/tags', '/archive', '/v1/notes'].map((path) => ({
      method: 'GET' as const,
      path,
      from: 'a.go',
    }));
    expect(readingCandidates({ apis: [], routes, basePath: '' }).map(({ path }) => path)).toEqual([
      '/v1/tags',
      '/v1/notes',
      '/v1/notes/counts',
      '/welcome',
      '/archive',
    ]);
  });

  it('are never what measures nothing, does not end or logs out, and each once', () => {
    const never = [
      '/debug/pprof/profile?seconds=1',
      '/metrics',
      '/swagger/index.html',
      '/openapi.json',
      '/favicon.ico',
      '/plugin',
      '/auth/oidc/callback',
      '/oauth2/authorize',
      '/api/users/logout',
      '/sign-out',
      '/ws',
      '/api/v1/stream',
      '/admin/shutdown',
      '/settings/delete-api-token',
      '/a b',
    ];
    const kept = ['/', '/api/plugins', '/login', '/api/streams-of-work', '/documents', '/blog/about', '/'];
    expect(distinctCandidates([...never, ...kept].map((path) => candidate(path))).map(({ path }) => path)).toEqual([
      ...new Set(kept),
    ]);
  });
});

it('candidates that write are those of a document with an example of the body, four at most', () => {
  const post = DOCUMENT.paths['/users'].post;
  const paths = Object.fromEntries(Array.from({ length: 9 }, (_, index) => [`/w${index}`, { post, put: {} }]));
  expect(
    writingCandidates({ apis: [api({ paths })], routes: [], basePath: '' }).map(
      ({ method, path, body, headers }) => `${method} ${path} ${body} ${headers['content-type']}`,
    ),
  ).toEqual([0, 1, 2, 3].map((index) => `POST /w${index} {"a":1} application/json`));
});

describe('a document', () => {
  it('is looked for where frameworks put it, at the root and below base paths', () => {
    const paths = documentPaths(['/shop/', '', 'no path', '/shop']);
    expect(paths).toHaveLength(2 * documentPaths([]).length);
    expect(paths.slice(0, 3)).toEqual(['/openapi.json', '/shop/openapi.json', '/v3/api-docs']);
    expect(documentPaths(Array.from({ length: 50 }, (_, index) => `/p${index}`)).length).toBeLessThan(100);
  });

  it.each([
    ['a page', '/openapi.yaml', '<!doctype html>\npaths: {/a: {get: {}}}'],
    ['JSON without paths', '/openapi.json', '{"paths": {}}'],
    ['broken JSON', '/openapi.json', '{"paths": {'],
    ['nothing', '/api-docs', ''],
  ])('is not %s', (_, path, body) => {
    expect(apiOfAnswer(path, body)).toBeNull();
  });

  it('of 10,000 operations is read as far as anybody would', () => {
    const paths = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`/p${index}/`, { get: {} }]));
    expect(api({ paths }).endpoints).toHaveLength(500);
  });

  it('says which paths have one parameter that an answer may have a value for', () => {
    const names = ['/a/{id}', '/a/{id}/b', '/a/{x}/{y}', '/a', '/{a b}'];
    expect(api({ paths: Object.fromEntries(names.map((path) => [path, { get: {} }])) }).items).toEqual([
      '/a/{id}',
      '/a/{id}/b',
    ]);
  });
});
