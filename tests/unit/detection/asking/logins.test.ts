import { describe, expect, it } from 'vitest';
import {
  accountsIn,
  loginAttempts,
  registrationAttempts,
  sessionCookieIn,
  tokenHeaders,
  tokenIn,
} from '../../../../src/core/detection/asking/logins.ts';

describe('the accounts that a service makes at its start', () => {
  it.each([
    [{ FIRST_SUPERUSER: 'a@b.test', FIRST_SUPERUSER_PASSWORD: 'x' }, ['a@b.test of FIRST_SUPERUSER']],
    [{ ADMIN_USERNAME: 'ann', ADMIN_PASSWORD: 'x' }, ['ann of ADMIN_USERNAME']],
    [
      { DJANGO_SUPERUSER_USERNAME: 'ann', DJANGO_SUPERUSER_EMAIL: 'a@b.test', DJANGO_SUPERUSER_PASSWORD: 'x' },
      ['ann of DJANGO_SUPERUSER_USERNAME', 'a@b.test of DJANGO_SUPERUSER_EMAIL'],
    ],
    [{ SHOP_ADMIN_EMAIL: 'a@b.test', SHOP_ADMIN_PASSWORD: 'x' }, ['a@b.test of SHOP_ADMIN_EMAIL']],
    [{ LD_SUPERUSER_NAME: 'ann', LD_SUPERUSER_PASSWORD: 'x' }, ['ann of LD_SUPERUSER_NAME']],
    [{ DB_USER: 'shop', DB_PASSWORD: '${database.password}', POSTGRES_PASSWORD: 'x' }, []],
    [{ ADMIN_PASSWORD: '${database.password}', ADMIN_USER: 'x' }, []],
    [{ ADMIN_PASSWORD: 'x' }, []],
  ])('are those of %j', (env, accounts) => {
    expect(accountsIn(env).map(({ user, from }) => `${user} of ${from}`)).toEqual(accounts);
  });
});

describe('ways in', () => {
  const account = { user: 'ann', password: 'x y', from: 'ADMIN_USERNAME' };
  const request = { path: '/login', inside: null, user: 'email', password: 'password' };

  it('are what a document describes with each account, then HTTP Basic', () => {
    expect(
      loginAttempts(
        [
          {
            requests: [
              { ...request, kind: 'oauth2', user: 'username' },
              { ...request, kind: 'form' },
              { ...request, kind: 'json' },
              { ...request, kind: 'json', inside: 'user' },
            ],
            registrations: [],
            basic: true,
            header: null,
          },
        ],
        [account],
        false,
      ).map(({ step, header }) => step?.form ?? step?.body ?? header?.value),
    ).toEqual([
      { grant_type: 'password', username: 'ann', password: 'x y' },
      { email: 'ann', password: 'x y' },
      '{"email":"ann","password":"x y"}',
      '{"user":{"email":"ann","password":"x y"}}',
      'Basic YW5uOnggeQ==',
    ]);
  });

  describe('with an account that anybody can make', () => {
    const made = { path: '/users', kind: 'json' as const, user: 'bench', email: 'b@x.test', password: 'p' };
    const requests = [
      { ...request, kind: 'json' as const },
      { ...request, kind: 'form' as const, user: 'username' },
    ];
    const attemptsWith = (fields: Record<string, unknown>) =>
      registrationAttempts([{ requests, registrations: [{ ...made, fields }], basic: false, header: null }]);

    it('are by its name and by its address, that which the field is called after first', () => {
      const fields = { user: { name: 'bench', email: 'b@x.test' } };
      const [attempt] = attemptsWith(fields);
      expect(attempt).toMatchObject({
        from: 'POST /users',
        registration: { path: '/users', form: null, body: JSON.stringify(fields) },
      });
      expect(attempt!.attempts.map(({ step }) => step?.body ?? step?.form)).toEqual([
        '{"email":"b@x.test","password":"p"}',
        '{"email":"bench","password":"p"}',
        { username: 'bench', password: 'p' },
        { username: 'b@x.test', password: 'p' },
      ]);
    });

    it('are by its address alone where it was told no name, whatever the field is called', () => {
      const [attempt] = attemptsWith({ email: 'b@x.test' });
      expect(attempt!.attempts).toEqual([
        {
          from: 'POST /users',
          step: { path: '/login', form: null, body: '{"email":"b@x.test","password":"p"}' },
          header: null,
        },
        {
          from: 'POST /users',
          step: { path: '/login', form: { username: 'b@x.test', password: 'p' }, body: null },
          header: null,
        },
      ]);
    });
  });

  it('are eight at most, and none of HTTP Basic that it cannot carry', () => {
    const requests = Array.from({ length: 20 }, () => ({ ...request, kind: 'json' as const }));
    expect(loginAttempts([{ requests, registrations: [], basic: false, header: null }], [account], true)).toHaveLength(
      8,
    );
    expect(loginAttempts([], [{ ...account, user: 'a:b' }], true)).toEqual([]);
  });
});

describe('a token', () => {
  it.each([
    ['{"access_token": "abcdefgh", "token_type": "bearer"}', '$.access_token'],
    ['{"token": "abcdefgh"}', '$.token'],
    ['{"refresh_token": "zzzzzzzz", "access_token": "abcdefgh"}', '$.access_token'],
    ['{"data": {"access_token": "abcdefgh"}}', '$.data.access_token'],
    ['{"user": {"email": "a", "token": "abcdefgh"}}', '$.user.token'],
    ['{"jwt": "abcdefgh"}', '$.jwt'],
    ['"abcdefgh"', '$'],
  ])('stands in %s at %s', (body, take) => {
    expect(tokenIn(body)).toEqual({ take, token: 'abcdefgh' });
  });

  it.each([['{"token": ""}'], ['{"token": 7}'], ['{"token": "has a space"}'], ['{"id": "abcdefgh"}'], ['<p>'], ['[]']])(
    'does not stand in %s',
    (body) => {
      expect(tokenIn(body)).toBeNull();
    },
  );

  it('is shown as most do first, and in the header that a document names', () => {
    expect(tokenHeaders([{ requests: [], registrations: [], basic: false, header: 'x-api-key' }])).toEqual([
      { name: 'authorization', value: 'Bearer ${login.token}' },
      { name: 'authorization', value: 'Token ${login.token}' },
      { name: 'x-api-key', value: '${login.token}' },
      { name: 'authorization', value: '${login.token}' },
    ]);
  });

  it('may be a cookie of a session', () => {
    expect(sessionCookieIn('csrftoken=abcdefgh; Path=/, sessionid=ijklmnop; HttpOnly')).toBe('sessionid');
    expect(sessionCookieIn('_flash=abcdefgh; Path=/, id=ijklmnop%3D; HttpOnly')).toBe('id');
    expect(sessionCookieIn('.AspNetCore.Antiforgery.x=abcdefgh, .AspNetCore.Identity.Application=ijklmnop')).toBe(
      '.AspNetCore.Identity.Application',
    );
    expect(sessionCookieIn('lang=en')).toBeNull();
    expect(sessionCookieIn('visitor_id=abcdefgh')).toBeNull();
  });
});
