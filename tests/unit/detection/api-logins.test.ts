import { describe, expect, it } from 'vitest';
import { loginsIn } from '../../../src/core/detection/api-logins.ts';

const withBody = (path: string, schema: unknown, more: object = {}) => ({
  paths: { [path]: { post: { requestBody: { content: { 'application/json': { schema } } } } } },
  ...more,
});
const properties = (...names: string[]) => ({ properties: Object.fromEntries(names.map((name) => [name, {}])) });

describe('the ways in of a document', () => {
  it.each([
    ['/api/token', '/api/token'],
    ['token', '/token'],
    ['https://shop.test/token', '/token'],
  ])('are OAuth2 with a password, at %s', (tokenUrl, path) => {
    const securitySchemes = { own: { type: 'oauth2', flows: { password: { tokenUrl } } } };
    expect(loginsIn({ components: { securitySchemes } })).toEqual({
      requests: [{ path, kind: 'oauth2', inside: null, user: 'username', password: 'password' }],
      registrations: [],
      basic: false,
      header: null,
    });
  });

  it.each([
    ['/users/login', properties('email', 'password'), { inside: null, user: 'email', password: 'password' }],
    [
      '/auth/login',
      properties('username', 'password_hash'),
      { inside: null, user: 'username', password: 'password_hash' },
    ],
    ['/auth', { $ref: '#/s/A' }, { inside: null, user: 'username', password: 'password' }],
    [
      '/sessions',
      { allOf: [properties('login'), properties('password')] },
      { inside: null, user: 'login', password: 'password' },
    ],
    [
      '/sign-in',
      { properties: { user: properties('email', 'password') } },
      { inside: 'user', user: 'email', password: 'password' },
    ],
  ])('are an operation at %s whose body has a name and a password', (path, schema, fields) => {
    const document = withBody(path, schema, { s: { A: properties('username', 'password') } });
    expect(loginsIn(document).requests).toEqual([{ path, kind: 'json', ...fields }]);
  });

  it('have the account of their example', () => {
    const schema = { properties: { email: { example: 'a@b.test' }, password: { example: 'secret' } } };
    const [request] = loginsIn(withBody('/login', schema)).requests;
    expect(request?.account).toEqual({ user: 'a@b.test', password: 'secret' });
  });

  it.each([
    ['another name', withBody('/users', properties('email', 'password'))],
    ['a parameter', withBody('/users/{id}/login', properties('email', 'password'))],
    ['no password', withBody('/login', properties('email', 'code'))],
    ['no body', { paths: { '/login': { post: {} } } }],
  ])('are none of an operation with %s', (_, document) => {
    expect(loginsIn(document).requests).toEqual([]);
  });

  it('are of Swagger 2 as well', () => {
    const login = {
      parameters: [
        { in: 'formData', name: 'user' },
        { in: 'formData', name: 'password' },
      ],
    };
    expect(
      loginsIn({
        securityDefinitions: { basic: { type: 'basic' }, key: { type: 'apiKey', in: 'header', name: 'X-Token' } },
        paths: { '/login': { post: login } },
      }),
    ).toEqual({
      requests: [{ path: '/login', kind: 'form', inside: null, user: 'user', password: 'password' }],
      registrations: [],
      basic: true,
      header: 'x-token',
    });
  });
});

describe('the ways of a document to make an account', () => {
  const schema = (names: string[], required: string[] = names) => ({ ...properties(...names), required });

  it.each([
    [
      '/register',
      schema(['username', 'email', 'password', 'language'], ['username', 'password']),
      { username: 'wrkbench', email: 'wrkbench@example.com', password: 'Made-up-4-measuring' },
    ],
    [
      '/api/users',
      {
        properties: { user: schema(['email', 'password', 'password_confirmation', 'first_name']) },
        required: ['user'],
      },
      {
        user: {
          email: 'wrkbench@example.com',
          password: 'Made-up-4-measuring',
          password_confirmation: 'Made-up-4-measuring',
          first_name: 'wrkbench',
        },
      },
    ],
    [
      '/auth/sign-up',
      { properties: { name: {}, password: {}, plan: { enum: ['free'] } }, required: ['plan'] },
      { name: 'wrkbench', password: 'Made-up-4-measuring', plan: 'free' },
    ],
  ])('are an operation at %s, with all that it requires', (path, body, fields) => {
    const own = { user: 'wrkbench', email: 'wrkbench@example.com', password: 'Made-up-4-measuring' };
    expect(loginsIn(withBody(path, body)).registrations).toEqual([{ path, kind: 'json', fields, ...own }]);
  });

  it.each([
    ['something that nobody knows', withBody('/register', schema(['username', 'password', 'invitation']))],
    ['no password', withBody('/register', schema(['username', 'email']))],
    ['another name', withBody('/orders', schema(['username', 'password']))],
  ])('are none of an operation with %s', (_, document) => {
    expect(loginsIn(document).registrations).toEqual([]);
  });
});
