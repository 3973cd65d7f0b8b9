import { describe, expect, it } from 'vitest';
import { loginPageIn, loginPagePath, pageSteps } from '../../../../src/core/detection/asking/login-pages.ts';

const FORM = '<form method="post"><input type="text" name="username"><input name=password type=password>';
const DJANGO = `<input type="hidden" name="csrfmiddlewaretoken" value="x">${FORM}`;
const account = { user: 'ann', password: 'x', from: 'ADMIN' };

describe('a page for logging in', () => {
  it.each([
    ['/accounts/login/?next=/', '/accounts/login/'],
    ['http://172.18.0.3:8000/login#a', '/login'],
    ['https://elsewhere.test', null],
    ['javascript:1', null],
  ])('is where %s sends to: %s', (location, path) => {
    expect(loginPagePath(location)).toBe(path);
  });

  it('is filled in and sent', () => {
    expect(pageSteps(loginPageIn('/login', FORM, '')!, account)).toEqual([
      { path: '/login', form: { username: 'ann', password: 'x' }, body: null },
    ]);
  });

  it.each(['csrftoken', 'ld_csrftoken'])(
    'of Django is asked for before, for the cookie that its hidden field repeats: %s',
    (cookie) => {
      expect(pageSteps(loginPageIn('/login/', DJANGO, `lang=en, ${cookie}=abc; Path=/`)!, account)).toEqual([
        { path: '/login/', form: null, body: null, take: { csrf: `cookie:${cookie}` } },
        {
          path: '/login/',
          form: { username: 'ann', password: 'x', csrfmiddlewaretoken: '${login.csrf}' },
          body: null,
          cookie: `${cookie}=\${login.csrf}`,
        },
      ]);
    },
  );

  it.each([
    ['no password', '<input name="q">'],
    ['no name', '<input type="password" name="p"><input type="checkbox" name="c">'],
    ['a hidden value of its own', `<input type="hidden" name="_csrf" value="x">${FORM}`],
    ['a hidden value of Django without its cookie', DJANGO],
    ['names that no form has', FORM.replace('username', 'a&b')],
    ['unclosed tags', '<input '.repeat(50_000)],
  ])('is none with %s', (_, page) => {
    expect(loginPageIn('/login', page, '')).toBeNull();
  });
});
