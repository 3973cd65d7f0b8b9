import { describe, expect, it } from 'vitest';
import { readingCandidate } from '../../../../src/core/detection/asking/endpoint-candidate.ts';
import type { LoginSign, LoginStepSign } from '../../../../src/core/detection/asking/logins.ts';
import {
  canLogInBefore,
  innerCandidates,
  loginAfter,
  type MakingRequest,
  madeValueIn,
  makingCandidates,
  prepareRequests,
  takenName,
  templatesBelow,
} from '../../../../src/core/detection/asking/made-items.ts';
import { apiDescribed } from '../../../../src/core/detection/open-api.ts';
import { asked } from './given.ts';

const making = (path: string, take: MakingRequest['take'] = null, repeat = 50): MakingRequest => ({
  candidate: { method: 'POST', path, elsewhere: null, headers: { 'x-own': '1' }, body: '{}', from: 'a.http' },
  status: 201,
  repeat,
  take,
});
const step = (path: string): LoginStepSign => ({ path, form: null, body: '{"user":"ann"}' });
const login = (steps: LoginStepSign[], from = 'ADMIN_USER'): LoginSign => ({
  steps,
  take: '$.token',
  header: { name: 'authorization', value: 'Bearer ${login.token}' },
  from,
});

describe('requests that may make something', () => {
  it('have an example of their body, and neither ask nor let in', () => {
    const post = { post: { requestBody: { content: { 'application/json': { example: { a: 1 } } } } } };
    const open = { post: { requestBody: { content: { 'application/json': { schema: { type: 'object' } } } } } };
    const paths = {
      '/items': post,
      '/items/search': post,
      '/auth/login': post,
      '/users/{id}/roles': post,
      '/orders': open,
      '/users': post,
    };
    const api = apiDescribed({ paths }, 'openapi.json')!;
    expect(makingCandidates([api]).map(({ path }) => path)).toEqual(['/items', '/users']);
  });
});

it('nothing is made where enough of it is there already', () => {
  const post = { post: { requestBody: { content: { 'application/json': { example: { a: 1 } } } } } };
  const api = apiDescribed({ servers: [{ url: '/api' }], paths: { '/items': post, '/tags': post } }, 'openapi.json')!;
  const made = (...lists: Parameters<typeof asked>[]) =>
    makingCandidates(
      [api],
      lists.map((list) => asked(...list)),
    ).map(({ path }) => path);
  const three = '{"items": [{"id": 1}, {"id": 2}, {"id": 3}]}';
  expect(made(['/api/items?page=1', { body: three }], ['/api/tags', { body: '[1, 2]' }])).toEqual(['/api/tags']);
  expect(made(['/items', { body: three }], ['/api/tags', 'login'])).toEqual(['/api/tags']);
});

describe('requests to what was made', () => {
  const inner = (template: string, method: 'POST' | 'PUT' = 'POST') =>
    ({ template, method, headers: {}, body: '{}', from: 'a.http' }) as const;
  const paths = (candidates: readonly { written?: string }[]) => candidates.map(({ written }) => written);

  it('put something into a list of it or write to it, or ask it; anything else may do anything', () => {
    const { making: puts, asking } = innerCandidates(
      [
        inner('/a/{id}/authorization-notes'),
        inner('/a/{id}/tokens'),
        inner('/a/{id}/write'),
        inner('/a/{id}/check'),
        inner('/a/{id}/list-parts'),
        inner('/a/{id}', 'PUT'),
        inner('/a/{id}/close'),
      ],
      'id',
      '7',
      [{ template: '/a/{id}' }, { template: '/a/{id}/authorization-notes' }, { template: '/a/{id}/tokens' }],
    );
    expect(paths(puts)).toEqual(['/a/${prepare.id}/authorization-notes', '/a/${prepare.id}/write']);
    expect(paths(asking)).toEqual(['/a/${prepare.id}/check', '/a/${prepare.id}/list-parts']);
  });
});

describe('what an answer calls the one that was made', () => {
  it.each([
    [{ id: 7 }, 'itemId', { place: '$.id', value: '7' }],
    [{ item_id: 'x', id: 7 }, 'itemId', { place: '$.item_id', value: 'x' }],
    [{ article: { title: 'a b', slug: 'a-b' } }, 'slug', { place: '$.article.slug', value: 'a-b' }],
    [{ data: { item: { uuid: '01H' } } }, 'id', { place: '$.data.item.uuid', value: '01H' }],
    [{ name: 'x' }, 'id', null],
    [{ id: 'a/b' }, 'id', null],
    [[{ id: 1 }], 'id', null],
  ])('is, in %j, of the parameter %s: %j', (body, parameter, value) => {
    expect(madeValueIn(JSON.stringify(body), parameter)).toEqual(value);
  });

  it('is asked for below the list that it is in', () => {
    const templates = ['/a/{id}', '/a/{id}/b', '/a/{id}/b/{other}', '/ab/{id}', '/c/a/{id}'].map((template) => ({
      template,
    }));
    expect(templatesBelow('/a', templates).map(({ template }) => template)).toEqual(['/a/{id}', '/a/{id}/b']);
  });

  it('has a name of its own in the spec', () => {
    expect(takenName('item-id', new Set())).toBe('item_id');
    expect(takenName('id', new Set(['id', 'id2']))).toBe('id3');
    expect(takenName('_1', new Set())).toBe('id');
  });
});

describe('what a spec sends before anything is measured', () => {
  it('is what its endpoints show', () => {
    const item = { ...readingCandidate('/items/7', ''), written: '/items/${prepare.id}' };
    const all = [making('/items', { name: 'id', place: '$.id' }), making('/tags'), making('/owners', null, 1)];
    expect(prepareRequests(all, [item, readingCandidate('/owners?page=1', '')], null)).toEqual([
      {
        method: 'POST',
        path: '/items',
        headers: { 'x-own': '1' },
        body: '{}',
        status: 201,
        repeat: 50,
        take: { id: '$.id' },
      },
      { method: 'POST', path: '/owners', headers: { 'x-own': '1' }, body: '{}', status: 201, repeat: 1, take: {} },
    ]);
    expect(prepareRequests(all, [readingCandidate('/', '')], login([step('/login')]))).toEqual([]);
  });

  it('begins with the login of whoever made it', () => {
    const [before, made] = prepareRequests([making('/tags')], [readingCandidate('/tags', '')], login([step('/login')]));
    expect(before).toMatchObject({
      method: 'POST',
      path: '/login',
      body: '{"user":"ann"}',
      take: { token: '$.token' },
    });
    expect(made!.headers).toEqual({ 'x-own': '1', authorization: 'Bearer ${prepare.token}' });
  });

  it('makes the account too, which can be made once', () => {
    const own = login([step('/register'), step('/login')], 'POST /register');
    expect(canLogInBefore(own)).toBe(true);
    expect(loginAfter(own).steps).toEqual([step('/login')]);
    expect(loginAfter(login([step('/login')])).steps).toEqual([step('/login')]);
    expect(canLogInBefore(login([step('/register')], 'POST /register'))).toBe(false);
  });

  it('is nothing where a page logs in', () => {
    expect(canLogInBefore(login([{ ...step('/login'), cookie: 'csrf=${login.csrf}' }]))).toBe(false);
    expect(canLogInBefore({ ...login([]), take: null })).toBe(true);
  });
});
