import { describe, expect, it } from 'vitest';
import { placeholdersOf, withRow } from '../../../src/core/requests/placeholders.ts';
import { UnusableRequests } from '../../../src/core/requests/request-set.ts';
import { requestTo } from './given.ts';

const pathWith = (slug: string) => withRow(requestTo('/articles/{slug}?lang={lang}'), { slug, lang: 'en' }).path;

describe('the placeholders of a path', () => {
  it('are what stands in braces, each once', () => {
    expect(placeholdersOf('/a/{slug}/b/{id}?again={slug}&none={}&{1}')).toEqual(['slug', 'id']);
  });
});

describe('a request with a row of values', () => {
  it('has them in its path as one segment each, whatever they hold', () => {
    expect(pathWith('plain-slug_1.html')).toBe('/articles/plain-slug_1.html?lang=en');
    expect(pathWith('a/b?c=d&e#f g')).toBe('/articles/a%2Fb%3Fc%3Dd%26e%23f%20g?lang=en');
    expect(pathWith('größe 😀')).toBe('/articles/gr%C3%B6%C3%9Fe%20%F0%9F%98%80?lang=en');
    expect(pathWith("it's(!*)")).toBe('/articles/it%27s%28%21%2A%29?lang=en');
    expect(pathWith('\r\nHost: evil')).toBe('/articles/%0D%0AHost%3A%20evil?lang=en');
    expect(pathWith('half \ud800')).toBe('/articles/half%20%EF%BF%BD?lang=en');
  });

  it('is refused where a value would be a step to another path', () => {
    expect(() => pathWith('..')).toThrow(UnusableRequests);
    expect(() => pathWith('.')).toThrow('which servers take for a step to another path');
    expect(pathWith('...')).toBe('/articles/...?lang=en');
  });

  it('does not look again at what was filled in', () => {
    expect(withRow(requestTo('/{a}'), { a: 'x{b}', b: 'y' }).path).toBe('/x%7Bb%7D');
  });

  it('leaves braces that name no placeholder', () => {
    expect(withRow(requestTo('/{a}/{constructor}/{b}'), { a: 'x' }).path).toBe('/x/{constructor}/{b}');
  });

  it('has them in headers, where these can hold them', () => {
    const headers = { 'if-match': '"{tag}"', accept: 'text/html' };
    expect(withRow(requestTo('/', { headers }), { tag: 'v1' }).headers).toEqual({ ...headers, 'if-match': '"v1"' });
    expect(() => withRow(requestTo('/', { headers }), { tag: 'v1\r\nx: y' })).toThrow(
      'A value for the header if-match holds a line break',
    );
  });

  it('has them in its body as the content type wants them', () => {
    const bodyWith = (type: string, body: string) =>
      withRow(requestTo('/', { headers: { 'Content-Type': type }, body }), { name: 'a "b"\n&c' }).body;
    expect(JSON.parse(bodyWith('application/vnd.api+json', '{"name": "{name}", "n": {"x": 1}}')!)).toEqual({
      name: 'a "b"\n&c',
      n: { x: 1 },
    });
    expect(bodyWith('application/x-www-form-urlencoded', 'name={name}')).toBe('name=a%20%22b%22%0A%26c');
    expect(bodyWith('text/plain', '{name}')).toBe('a "b"\n&c');
  });
});
