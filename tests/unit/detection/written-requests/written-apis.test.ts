import { describe, expect, it } from 'vitest';
import { writtenApis } from '../../../../src/core/detection/written-requests/written-apis.ts';

const readme = (...lines: string[]) => writtenApis([{ path: 'README.md', content: lines.join('\n') }]);

describe('what people have written down of requests', () => {
  it('is the first of several that says what is sent', () => {
    const sent = (body: string) => `curl --json '${body}' localhost/notes`;
    const [api] = readme('curl -X POST localhost/notes', sent('{"a":1}'), sent('{"a":2}'));
    expect(api!.endpoints.map(({ body }) => body)).toEqual(['{"a":1}']);
  });

  it('is nothing that can be sent where its key is for its reader to fill in', () => {
    const [api] = readme(
      'curl "localhost/feed?api_key=YOUR_API_KEY&groups="',
      'curl "localhost/list?token=$TOKEN"',
      'curl "localhost/map?key=none-of-yours&zoom=$ZOOM"',
    );
    expect(api!.endpoints.map(({ path }) => path)).toEqual(['/map?key=none-of-yours']);
    expect(api!.left.map(({ operation }) => operation)).toEqual(['GET /feed', 'GET /list']);
  });

  it('is a path as it is sent, and a body with what it holds', () => {
    const [api] = readme(
      'curl localhost:8080/stores?page=2',
      `curl -X POST localhost:8080/stores -H 'Content-Type: application/json' -H 'X-Tenant: 7' -d '{"name": "demo"}'`,
    );
    expect(api).toMatchObject({ from: 'README.md', folder: '.', basePath: '' });
    expect(api!.endpoints).toMatchObject([
      { method: 'GET', path: '/stores?page=2', body: null, isSecured: false },
      {
        method: 'POST',
        path: '/stores',
        headers: { 'content-type': 'application/json', 'x-tenant': '7' },
        body: '{"name":"demo"}',
      },
    ]);
  });

  it('is without what a client sends of its own accord', () => {
    const own = ['X-Requested-With: XMLHttpRequest', 'Postman-Token: 1', 'Sec-Fetch-Mode: cors', 'X-Tenant: 7'];
    const [api] = readme(`curl localhost/stores ${own.map((each) => `-H '${each}'`).join(' ')}`);
    expect(api!.endpoints).toMatchObject([{ path: '/stores', headers: { 'x-tenant': '7' } }]);
    expect(Object.keys(api!.endpoints[0]!.headers)).toEqual(['x-tenant']);
  });

  it('is a list that an id is taken from, where only its reader knows one', () => {
    const [api] = readme('curl localhost/items/$ID', 'curl "localhost/users/<user id>"', 'curl localhost/items');
    expect(api!.items).toEqual(['/items/{ID}', '/users/{user_id}']);
    expect(api!.endpoints.map(({ path }) => path)).toEqual(['/items']);
  });

  it('names what is taken from the answer to another request after that', () => {
    const content =
      '# @name store\nPOST {{url}}/stores\n\n{"name": "a"}\n\n###\nGET {{url}}/stores/{{store.response.body.id}}/items\n';
    const [api] = writtenApis([{ path: 'api.http', content }]);
    expect(api!.items).toEqual(['/stores/{store}/items']);
  });

  it('has a way in, and the account of its example', () => {
    const [api] = readme(
      `curl -d '{"user": {"email": "ann@example.com", "password": "secret"}}' localhost/api/users/login`,
      `curl -H "Authorization: Token $TOKEN" localhost/api/user`,
    );
    expect(api!.logins.requests).toEqual([
      {
        path: '/api/users/login',
        kind: 'json',
        inside: 'user',
        user: 'email',
        password: 'password',
        account: { user: 'ann@example.com', password: 'secret' },
      },
    ]);
    expect(api!.endpoints.find(({ path }) => path === '/api/user')).toMatchObject({ isSecured: true });
  });

  it('may be below /api, where only its reader knows the address', () => {
    const collection = {
      info: { schema: 'https://schema.getpostman.com/json/collection/v2.1.0/' },
      item: [{ request: { method: 'GET', url: '{{url}}/articles' } }],
    };
    const [api] = writtenApis([{ path: 'docs/postman.json', content: JSON.stringify(collection) }]);
    expect(api).toMatchObject({ basePath: '/api', endpoints: [{ path: '/articles' }] });
  });

  it.each([
    ['another machine', 'curl https://get.docker.com/install.sh'],
    ['nothing', 'curl is needed.'],
  ])('is nothing of %s', (_, line) => {
    expect(readme(line)).toEqual([]);
  });
});
