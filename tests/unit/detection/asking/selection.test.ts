import { describe, expect, it } from 'vitest';
import type { AskedCandidate } from '../../../../src/core/detection/asking/endpoint-candidate.ts';
import { groupsOut, selectedCandidates } from '../../../../src/core/detection/asking/selection.ts';
import { asked } from './given.ts';

const pathsOf = (all: readonly AskedCandidate[]) =>
  selectedCandidates(all).map(({ candidate: { method, path } }) => `${method} ${path}`);

describe('what is kept', () => {
  it('is JSON before pages, pages before files, what asks the database before what does not, and something before nothing', () => {
    expect(
      pathsOf([
        asked('/style', { form: 'file' }),
        asked('/page', { form: 'html' }),
        asked('/empty', { isEmpty: true }, { usesDatabase: true }),
        asked('/static', {}, { usesDatabase: false }),
        asked('/text', { form: 'other' }),
        asked('/items', {}, { usesDatabase: true }),
        asked('/gone', 'missing'),
      ]),
    ).toEqual(['GET /items', 'GET /empty', 'GET /static', 'GET /page', 'GET /text', 'GET /style']);
  });

  it('is of each part of the API before another of the same, and eight at most', () => {
    const users = Array.from({ length: 8 }, (_, index) => asked(`/api/v1/users/${index}`));
    expect(pathsOf([...users, asked('/api/v1/tags'), asked('/api/v1/feeds')])).toEqual([
      'GET /api/v1/users/0',
      'GET /api/v1/tags',
      'GET /api/v1/feeds',
      ...[1, 2, 3, 4, 5].map((index) => `GET /api/v1/users/${index}`),
    ]);
  });

  it('is of each part below the path of the application, too', () => {
    const paths = ['/shop/api/users/1', '/shop/api/users/2', '/shop/api/v2/users', '/shop/api/tags', '/rest/v1/tags'];
    expect(pathsOf(paths.map((path) => asked(path)))).toEqual([
      'GET /shop/api/users/1',
      'GET /shop/api/tags',
      'GET /shop/api/users/2',
      'GET /rest/v1/tags',
      'GET /shop/api/v2/users',
    ]);
  });

  it('is a health path last, as is a page for logging in, and none where three others answer', () => {
    const others = [asked('/a'), asked('/b'), asked('/c')];
    expect(pathsOf([asked('/healthz'), ...others.slice(0, 2)])).toEqual(['GET /a', 'GET /b', 'GET /healthz']);
    expect(pathsOf([asked('/login', { form: 'html' }), ...others.slice(0, 2)])).toEqual([
      'GET /a',
      'GET /b',
      'GET /login',
    ]);
    expect(pathsOf([asked('/healthz'), asked('/login'), asked('/v1/version'), ...others])).toEqual([
      'GET /a',
      'GET /b',
      'GET /c',
    ]);
  });

  it('is two that write at most, behind those that read', () => {
    const writing = ['/x', '/y', '/z'].map((path) => asked(path, { status: 201 }, { method: 'POST', body: '{}' }));
    const reading = Array.from({ length: 9 }, (_, index) => asked(`/r${index}`));
    expect(pathsOf([...writing, ...reading])).toEqual([
      ...[0, 1, 2, 3, 4, 5].map((index) => `GET /r${index}`),
      'POST /x',
      'POST /y',
    ]);
  });

  it('is one of several that are the same page, or what any path is answered with', () => {
    expect(
      pathsOf([
        asked('/', { form: 'html', body: '<p>' }),
        asked('/about', { form: 'html', body: '<p>' }),
        asked('/ok', { body: '{}', isAnywhere: true }),
        asked('/fine', { body: '{}', isAnywhere: true }),
        asked('/none', { body: '[]' }),
        asked('/nothing', { body: '[]' }),
      ]),
    ).toEqual(['GET /ok', 'GET /none', 'GET /nothing', 'GET /']);
    const empty = ['/', '/databases'].map((path) => asked(path, { form: 'html', body: '' }));
    expect(pathsOf(empty)).toEqual(['GET /', 'GET /databases']);
  });
});

it('what is served with a slash at its end and without is one', () => {
  expect(pathsOf([asked('/tasks'), asked('/tasks/'), asked('/tasks/?page=2'), asked('/tasks?page=2')])).toEqual([
    'GET /tasks',
    'GET /tasks/?page=2',
  ]);
});

it('what is left out is grouped, the most important group first', () => {
  const all = [
    asked('/gone', 'missing'),
    asked('/me', 'login'),
    asked('/orders', 'login'),
    asked('/carts', 'login'),
    asked(`/${'x'.repeat(100)}`, 'fails'),
    asked('/', { form: 'html', body: '<p>' }),
    asked('/about', { form: 'html', body: '<p>' }),
  ];
  expect(groupsOut(all, selectedCandidates(all))).toEqual([
    {
      what: 'GET /me, GET /orders and 1 more',
      why: 'a login is needed: docs/applications.md shows how to write one',
    },
    { what: `GET /${'x'.repeat(79)}…`, why: 'a server error' },
    { what: 'GET /gone', why: 'not found' },
    { what: 'GET /about', why: 'works, but tells less than the endpoints that are kept' },
  ]);
});
