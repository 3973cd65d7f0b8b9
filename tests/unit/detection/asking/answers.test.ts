import { describe, expect, it } from 'vitest';
import { judgedAnswer, judgedAnswers, type SeenAnswer } from '../../../../src/core/detection/asking/answers.ts';
import { answer } from './given.ts';

const page = (body: string) => answer({ contentType: 'text/html', body });

describe('an answer', () => {
  it('is good with a good status, and said by its kind', () => {
    expect(judgedAnswer(answer())).toEqual({
      status: 200,
      contentType: 'application/json',
      form: 'json',
      isEmpty: false,
      isAnywhere: false,
      body: '{"ok": true}',
    });
  });

  it.each<[string, SeenAnswer, string]>([
    ['none within the time', { failure: 'nothing came within 5 s' }, 'endless'],
    ['a stream of events', answer({ contentType: 'text/event-stream' }), 'endless'],
    ['401', answer({ status: 401 }), 'login'],
    ['403', answer({ status: 403 }), 'login'],
    ['a way to the login', answer({ status: 302, location: '/accounts/login/?next=/' }), 'login'],
    ['a page with a password', page('<form><input name=p type="password"></form>'), 'login'],
    ['a way elsewhere', answer({ status: 301, location: '/items/' }), 'redirects'],
    ['a want of another protocol', answer({ status: 426 }), 'refused'],
    ['a switch of protocols', answer({ status: 101 }), 'fails'],
    ['404', answer({ status: 404 }), 'missing'],
    ['400', answer({ status: 400 }), 'refused'],
    ['500', answer({ status: 500 }), 'fails'],
    ['an error page under 200', page('<h1>Something went wrong</h1>'), 'fails'],
    ['an error of JSON under 200', answer({ body: '{"error": "no such table"}' }), 'fails'],
    ['errors of GraphQL under 200', answer({ body: '{"data": null, "errors": [{}]}' }), 'fails'],
  ])('that is %s is left out', (_, seen, way) => {
    expect(judgedAnswer(seen)).toBe(way);
  });

  it.each([
    ['/login', 'html'],
    ['/accounts/sign_in/?next=/', 'html'],
    ['/account/password', 'html'],
    ['/register/', 'html'],
    ['/', 'login'],
    ['/logins/7', 'login'],
  ])('that has a field for a password is the page of %s: %s', (path, form) => {
    const judged = judgedAnswer(page('<form><input name=p type="password"></form>'), null, path);
    expect(typeof judged === 'string' ? judged : judged.form).toBe(form);
  });

  it.each([
    ['[]', true],
    ['{}', true],
    ['null', true],
    ['{"count": 0, "results": []}', true],
    ['{"count": 1, "results": [{}]}', false],
    ['[1]', false],
    ['"text"', false],
    ['{"errors": [], "a": 1}', true],
  ])('of %s is empty: %s', (body, isEmpty) => {
    expect(judgedAnswer(answer({ body }))).toMatchObject({ form: 'json', isEmpty });
  });

  it.each([
    ['text/html; charset=utf-8', '<p>a</p>', 'html', 'text/html'],
    ['', '<!doctype html><p>a</p>', 'html', null],
    ['text/plain', 'a', 'other', 'text/plain'],
    ['text/css', 'a', 'file', 'text/css'],
    ['image/png', 'a', 'file', 'image/png'],
    ['application/json', '{', 'other', 'application/json'],
    ['application/problem+json', '{"a": 1}', 'json', 'application/problem+json'],
    ['"; rm', 'a', 'other', null],
  ])('of the type %s is of a form', (contentType, body, form, type) => {
    expect(judgedAnswer(answer({ contentType, body }))).toMatchObject({ form, contentType: type });
  });
});

describe('an answer that a path of nobody gets as well', () => {
  it('is left out where it is a page', () => {
    expect(judgedAnswer(page('<p>shop</p>'), page('<p>shop</p>'))).toBe('everywhere');
    expect(judgedAnswer(page('<p>shop</p>'), page('<p>other</p>'))).toMatchObject({ isAnywhere: false });
    expect(judgedAnswer(page('<p>shop</p>'), { failure: 'nothing came' })).toMatchObject({ isAnywhere: false });
  });

  it('is marked where it is something else', () => {
    expect(judgedAnswer(answer(), answer())).toMatchObject({ status: 200, isAnywhere: true });
  });
});

describe('two answers', () => {
  it('are good where both are of one status and type, whatever their bodies', () => {
    expect(judgedAnswers(answer({ body: '1' }), answer({ body: '2' }), null)).toMatchObject({ body: '2' });
  });

  it.each<[string, SeenAnswer, SeenAnswer, string]>([
    ['another status', answer({ status: 201 }), answer(), 'differs'],
    ['another type', answer(), answer({ contentType: 'text/plain' }), 'differs'],
    ['a failure', answer({ status: 201 }), answer({ status: 409 }), 'differs'],
    ['a first one that was not good', answer({ status: 404 }), answer(), 'missing'],
  ])('are left out for %s', (_, first, second, way) => {
    expect(judgedAnswers(first, second, null)).toBe(way);
  });
});
