import { describe, expect, it } from 'vitest';
import { itemPathOf, linkedCandidates, listPathOf } from '../../../../src/core/detection/asking/found-in-answers.ts';

describe('links in an answer', () => {
  const links = (json: unknown) =>
    linkedCandidates('/api/', JSON.stringify(json), '172.18.0.3:8000').map(({ path, from }) => `${path} of ${from}`);

  it('are those of HAL and of the root of a Django REST API, on the service itself', () => {
    expect(
      links({
        _links: { orders: { href: '/orders' }, self: { href: '/api/' } },
        dcim: 'http://172.18.0.3:8000/api/dcim/',
        local: 'http://localhost:8000/api/local?limit=2',
        other: 'https://shop.test/api/',
        network: '//shop.test/a',
        again: '/orders',
      }),
    ).toEqual(['/orders of /api/', '/api/dcim/ of /api/', '/api/local?limit=2 of /api/']);
  });

  it('are not what only begins as a path', () => {
    expect(links(['/ or nothing', '/a b', '/items/{id}', '/a#b', '/a\u0000b'])).toEqual([]);
  });

  it('are twenty at most, of an answer of any size and depth', () => {
    expect(links(Array.from({ length: 1_000 }, (_, index) => `/p${index}`))).toHaveLength(20);
    expect(linkedCandidates('/', `${'['.repeat(50_000)}${']'.repeat(50_000)}`, 'a')).toEqual([]);
    expect(linkedCandidates('/', '<p>no JSON</p>', 'a')).toEqual([]);
  });
});

describe('the path of an item', () => {
  it.each([
    ['/items/{id}', '[{"id": 7}, {"id": 8}]', '/items/7'],
    ['/items/{id}/parts', '{"results": [{"id": "12"}]}', '/items/12/parts'],
    ['/items/{itemId}', '{"data": [{"id": 3}], "links": []}', '/items/3'],
    ['/articles/{slug}', '{"articles": [{"id": 1, "slug": "first-one"}], "count": 1}', '/articles/first-one'],
    ['/users/{user_name}', '[{"id": 1, "userName": "ann"}]', '/users/ann'],
    ['/items/{item_id}', '[{"item_id": 4, "id": 9}]', '/items/4'],
  ])('%s is made of the first of %s', (template, body, path) => {
    expect(itemPathOf(template, body)).toBe(path);
  });

  it.each([
    ['a UUID', '[{"id": "2f1c8a0e-8b0a-4a4c-9f3e-0d6f5c1a2b3c"}]'],
    ['an id that is made anew', '[{"id": "cm3x9q0z10001"}]'],
    ['a list with nothing in it', '[]'],
    ['two lists', '{"a": [{"id": 1}], "b": [{"id": 2}]}'],
    ['a list of texts', '["a"]'],
    ['no JSON', '<p>'],
  ])('is not made of %s', (_, body) => {
    expect(itemPathOf('/items/{id}', body)).toBeNull();
  });

  it.each([
    ['/items/{id}', '/items'],
    ['/api/items/{id}/parts', '/api/items'],
    ['/{id}', null],
    ['/a/{x}/b/{y}', null],
    ['/a/{x}.json', null],
    ['/items', null],
  ])('%s belongs to %s', (template, list) => {
    expect(listPathOf(template)).toBe(list);
  });
});
