import { describe, expect, it } from 'vitest';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import { askedService } from '../../../src/app/run/asking.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { answeredEndpoints } from '../../../src/core/detection/asking/found-endpoints.ts';
import { canLogInBefore } from '../../../src/core/detection/asking/made-items.ts';
import type { EndpointSources } from '../../../src/core/detection/endpoints.ts';
import { apiDescribed } from '../../../src/core/detection/open-api.ts';
import { writtenApis } from '../../../src/core/detection/written-requests/written-apis.ts';

interface Request {
  method: string;
  path: string;
  headers: Record<string, string>;
  body: string | null;
}
interface Reply {
  status?: number;
  body?: unknown;
  headers?: Record<string, string>;
  /** That it takes. */
  ms?: number;
}
/** Undefined for what never ends; a path that it does not know is answered with 404. */
type Server = (request: Request) => Reply | undefined;

const NOTHING: EndpointSources = { api: null, written: [], routes: [], basePath: null, accounts: [], keepsData: false };
const text = (body: unknown) => new TextEncoder().encode(typeof body === 'string' ? body : JSON.stringify(body));

/** Asks a server that is a function; `order` has every request that came. */
async function ask(server: Server, sources: Partial<EndpointSources> = {}, env: Record<string, string> = {}) {
  const order: string[] = [];
  let nowNs = 0;
  const probe = {
    ask: async (_: string, __: unknown, { method, path, headers, body }: Request) => {
      order.push(`${method} ${path}`);
      const reply = server({ method, path, headers, body });
      if (reply === undefined) return { kind: 'failed' as const, message: 'nothing came within 5 s' };
      const { status = 200, body: given = '', headers: own = {}, ms = 0 } = reply;
      nowNs += ms * 1e6;
      const type = typeof given === 'string' ? 'text/plain' : 'application/json';
      return {
        kind: 'answered' as const,
        status,
        headers: { 'content-type': type, ...own },
        body: text(given),
        wireBytes: 1,
      };
    },
  };
  const spec = readSpec('name: a\nservices: {shop: {command: [./a], port: 80}}\nendpoints: {a: /}\n', 'wrkbench.yml');
  const service = { ...spec.services[0]!, env, ready: { path: null, timeoutSeconds: 30 } };
  const testbed = { service, origins: { direct: 'http://127.0.0.1:80' }, database: null } as unknown as Testbed;
  const adapters = {
    probe,
    clock: { sleep: async () => undefined, monotonicNs: () => nowNs },
    progress: { say: () => undefined },
  } as unknown as Parameters<typeof askedService>[2];
  const found = await askedService(testbed, { ...NOTHING, ...sources }, adapters, new AbortController().signal);
  return { ...found, order, paths: found.kept.map(({ candidate: { method, path } }) => `${method} ${path}`) };
}

const of =
  (answers: Record<string, Reply | undefined>): Server =>
  ({ method, path }) => {
    const key = method === 'GET' ? path : `${method} ${path}`;
    return Object.hasOwn(answers, key) ? answers[key] : { status: 404 };
  };
const route = (path: string) => ({ method: 'GET' as const, path, from: 'app.js' });
const document = (paths: object, more: object = {}) => ({ body: { openapi: '3.0.0', paths, ...more } });

describe('a service whose requests people have written down', () => {
  const readme = (...lines: string[]) => ({
    written: writtenApis([{ path: 'README.md', content: lines.map((line) => `    ${line}`).join('\n') }]),
  });

  it('is asked as they say, with the account of their login', async () => {
    const server: Server = ({ method, path, headers, body }) => {
      if (method === 'POST' && path === '/login')
        return body?.includes('ann') ? { body: { token: 't-12345678' } } : { status: 401 };
      if (headers.authorization !== 'Bearer t-12345678') return { status: 401 };
      return path === '/orders?open=1' || method === 'POST' ? { body: [{ id: 1 }] } : { status: 404 };
    };
    const { paths, login, from } = await ask(
      server,
      readme(
        `curl -d '{"email": "ann@example.com", "password": "secret"}' localhost/login`,
        'curl -H "Authorization: Bearer $TOKEN" localhost/orders?open=1',
        `curl -H "Authorization: Bearer $TOKEN" --json '{"item": 1}' localhost/orders`,
      ),
    );
    // The login itself is no endpoint.
    expect(paths).toEqual(['GET /orders?open=1', 'POST /orders']);
    expect(login?.sign).toMatchObject({ from: 'the example of POST /login', take: '$.token' });
    expect(from).toEqual(['README.md']);
  });

  it('is asked by its own document too', async () => {
    const { paths } = await ask(
      of({
        '/openapi.json': document({ '/tags': { get: {} } }),
        '/tags': { body: [1] },
        '/orders?open=1': { body: [{ id: 1 }] },
      }),
      readme('curl localhost/orders?open=1', 'curl localhost/gone'),
    );
    expect(paths.toSorted()).toEqual(['GET /orders?open=1', 'GET /tags']);
  });
});

describe('a service whose README tells of an account', () => {
  it('lets it in at the path that its code has for that', async () => {
    const server: Server = ({ method, path, headers, body }) => {
      if (method === 'POST' && path === '/api/auth/login')
        return body === '{"email":"ann","password":"s3cret"}' ? { body: { token: 't-12345678' } } : { status: 400 };
      if (headers.authorization !== 'Bearer t-12345678') return { status: 401 };
      return path === '/api/orders' ? { body: [1] } : { status: 404 };
    };
    const { paths, login } = await ask(server, {
      routes: [route('/api/orders'), { ...route('/api/auth/login'), method: 'POST' }],
      accounts: [{ user: 'ann', password: 's3cret', from: 'README.md' }],
    });
    expect([paths, login?.sign.from]).toEqual([['GET /api/orders'], 'README.md']);
  });
});

describe('a service that has nothing yet', () => {
  const example = (value: object) => ({ requestBody: { content: { 'application/json': { example: value } } } });
  const api = document({
    '/items': { get: {}, post: example({ name: 'x' }) },
    '/items/{itemId}': { get: {} },
    '/items/{itemId}/parts': { get: {} },
    '/owners': { get: {}, post: example({ email: 'a@b.test' }) },
    '/search': { post: example({ text: 'x' }) },
  });

  /** Ids are of no order, and of owners there is one with an address. */
  function shop(): Server {
    const items: { id: string }[] = [];
    const owners: object[] = [];
    return ({ method, path }) => {
      if (path === '/openapi.json') return api;
      if (method === 'POST' && path === '/items') {
        const item = { id: `i-${(items.length * 7919) % 1000}x` };
        items.push(item);
        return { status: 201, body: { item } };
      }
      if (method === 'POST' && path === '/owners')
        return owners.push({}) > 1 ? { status: 409 } : { status: 201, body: {} };
      if (method === 'POST') return { body: [] };
      if (path === '/items') return { body: items };
      if (path === '/owners') return { body: owners };
      return items.some(({ id }) => path.startsWith(`/items/${id}`)) ? { body: { path } } : { status: 404 };
    };
  }

  it('is made to have some, by what its document has an example of, and is asked for one of them', async () => {
    const found = await ask(shop(), { keepsData: true });
    expect(found.paths.slice(0, 4).map((path) => path.replaceAll(/i-\w+/g, 'ID'))).toEqual([
      'GET /items',
      'GET /owners',
      'GET /items/ID',
      'GET /items/ID/parts',
    ]);
    const { endpoints, prepare } = answeredEndpoints({ ...found, login: null });
    expect(endpoints.slice(2, 4).map(({ name, path }) => [name, path])).toEqual([
      ['items-itemid', '/items/${prepare.itemId}'],
      ['items-itemid-parts', '/items/${prepare.itemId}/parts'],
    ]);
    const common = { method: 'POST', headers: { 'content-type': 'application/json' }, status: 201 };
    expect(prepare).toEqual([
      { ...common, path: '/items', body: '{"name":"x"}', repeat: 50, take: { itemId: '$.item.id' } },
      { ...common, path: '/owners', body: '{"email":"a@b.test"}', repeat: 1, take: {} },
    ]);
  });

  it('is made to have some by what its document says of their form alone, with POST or PUT', async () => {
    const of = (required: string[]) => ({
      requestBody: {
        content: {
          'application/json': {
            schema: { required, properties: { title: { type: 'string' }, size: { type: 'integer' } } },
          },
        },
      },
    });
    const described = document({
      '/shelves': { get: {}, put: of([]) },
      '/shelves/{id}': { get: {} },
      '/books': { get: {}, post: of(['size']) },
      '/books/{id}': { get: {} },
      '/settings': { get: {}, put: of([]) },
    });
    const made: Record<string, unknown[]> = { '/shelves': [], '/books': [] };
    const { prepare } = answeredEndpoints({
      ...(await ask(
        ({ method, path, body }) => {
          if (path === '/openapi.json') return described;
          const [list, id] = path.split('/').slice(1);
          const all = made[`/${list}`];
          if (all === undefined) return method === 'GET' ? { body: {} } : { status: 500 };
          if (method === 'GET') return { body: id === undefined ? all : { id } };
          return { status: 201, body: { id: all.push(body) } };
        },
        { keepsData: true },
      )),
      login: null,
    });
    expect(prepare?.map(({ method, path, body }) => [method, path, body])).toEqual([
      ['PUT', '/shelves', '{"title":"wrkbench"}'],
      ['POST', '/books', '{"title":"wrkbench","size":1}'],
    ]);
    expect(made).toMatchObject({ '/shelves': { length: 50 }, '/books': { length: 50 } });
  });

  it('has something put into what was made, which is asked for that', async () => {
    const described = document({
      '/rooms': { get: {}, post: example({ name: 'x' }) },
      '/rooms/{roomId}': { get: {} },
      '/rooms/{roomId}/chairs': { get: {}, post: example({ legs: 4 }) },
      '/rooms/{roomId}/write': { post: example({ note: 'a' }) },
      '/rooms/{roomId}/search': { post: example({ legs: 4 }) },
      '/rooms/{roomId}/close': { post: example({ now: true }) },
    });
    let chairs = 0;
    let notes = 0;
    const found = await ask(
      ({ method, path }) => {
        if (path === '/openapi.json') return described;
        if (method === 'POST' && path === '/rooms') return { status: 201, body: { id: 'r-7' } };
        if (method === 'POST' && path === '/rooms/r-7/write')
          return notes++ === 0 ? { body: {} } : { status: 409, body: {} };
        if (path === '/rooms') return { body: [{ name: 'x' }] };
        if (path === '/rooms/r-7/search') return chairs > 0 ? { body: [4] } : { status: 400 };
        if (method === 'POST' && path === '/rooms/r-7/chairs') return { status: 201, body: { chairs: ++chairs } };
        return path === '/rooms/r-7' || path === '/rooms/r-7/chairs' ? { body: { chairs } } : { status: 404 };
      },
      { keepsData: true },
    );
    expect(found.order.some((request) => request.endsWith('/close'))).toBe(false);
    const { endpoints, prepare } = answeredEndpoints({ ...found, login: null });
    expect(endpoints.map(({ method, path, body }) => [method, path, body])).toContainEqual([
      'POST',
      '/rooms/${prepare.roomId}/search',
      '{"legs":4}',
    ]);
    expect(prepare?.map(({ path, repeat }) => [path, repeat])).toEqual([
      ['/rooms', 50],
      ['/rooms/${prepare.roomId}/chairs', 10],
      ['/rooms/${prepare.roomId}/write', 1],
    ]);
  });

  it('is asked for none where what was made would be gone', async () => {
    const { paths, made } = await ask(shop());
    expect([paths.includes('GET /items'), made.requests]).toEqual([true, []]);
    expect(paths.some((path) => path.startsWith('GET /items/'))).toBe(false);
  });
});

describe('a service that answers with a document', () => {
  it('is asked for all of it that reads, twice each, then for what writes', async () => {
    const example = { requestBody: { content: { 'application/json': { example: { name: 'x' } } } } };
    const { paths, order, from } = await ask(
      of({
        '/openapi.json': document({ '/items': { get: {}, post: example }, '/tags': { get: {} } }),
        '/items': { body: [{ id: 1 }] },
        '/tags': { body: [] },
        'POST /items': { status: 201, body: { id: 2 } },
      }),
    );
    expect(paths).toEqual(['GET /items', 'GET /tags', 'POST /items']);
    expect(order.slice(order.indexOf('GET /items'))).toEqual([
      'GET /items',
      'GET /items',
      'GET /tags',
      'GET /tags',
      'POST /items',
      'POST /items',
    ]);
    expect(from).toEqual(['/openapi.json']);
  });

  it('is asked below the base path of the document, or without it where that is not its own', async () => {
    const swagger = (basePath: string) => ({ body: { swagger: '2.0', basePath, paths: { '/items': { get: {} } } } });
    const inside = await ask(of({ '/swagger.json': swagger('/v2'), '/v2/items': { body: [1] } }));
    const outside = await ask(of({ '/swagger.json': swagger('/gateway'), '/items': { body: [1] } }));
    expect([inside.paths, outside.paths]).toEqual([['GET /v2/items'], ['GET /items']]);
  });

  it('is asked for an item with the first id of its list', async () => {
    const { paths } = await ask(
      of({
        '/openapi.json': document({ '/items': { get: {} }, '/items/{id}': { get: {} }, '/users/{id}': { get: {} } }),
        '/items': { body: { results: [{ id: 41 }] } },
        '/items/41': { body: { id: 41 } },
      }),
    );
    expect(paths).toEqual(['GET /items', 'GET /items/41']);
  });

  it('is asked to delete nothing, which would be gone the second time', async () => {
    const { order } = await ask(
      of({ '/openapi.json': document({ '/items/1': { delete: {}, get: {} } }), '/items/1': { body: { id: 1 } } }),
    );
    expect(order.filter((request) => request.startsWith('DELETE'))).toEqual([]);
  });

  it('keeps nothing of what is answered otherwise the second time', async () => {
    const example = { requestBody: { content: { 'application/json': { example: { name: 'x' } } } } };
    let created = 0;
    const { paths, leftOut } = await ask(({ method, path }) => {
      if (path === '/openapi.json') return document({ '/users': { post: example } });
      if (method !== 'POST') return { status: 404 };
      created += 1;
      return { status: created === 1 ? 201 : 409 };
    });
    expect(paths).toEqual([]);
    expect(leftOut).toEqual([{ what: 'POST /users', why: 'a different answer the second time' }]);
  });
});

describe('a service without a document', () => {
  it('is asked for what its code declares, and for what its root names', async () => {
    const { paths, leftOut } = await ask(
      of({
        '/': { body: { items: 'http://127.0.0.1:80/items', docs: '/docs' } },
        '/items': { body: [1] },
        '/health': { body: 'ok' },
      }),
      { routes: [route('/health'), route('/gone'), route('/items/{id}')] },
    );
    expect(paths).toEqual(['GET /items', 'GET /', 'GET /health']);
    expect(leftOut).toEqual([{ what: 'GET /gone', why: 'not found' }]);
  });

  it('keeps the first page of an application for a browser, and none of the paths that show it', async () => {
    const page: Reply = { body: '<p>shop</p>', headers: { 'content-type': 'text/html' } };
    const { paths, leftOut } = await ask(() => page, { routes: [route('/about'), route('/cart')] });
    expect(paths).toEqual(['GET /']);
    expect(leftOut).toEqual([
      { what: 'GET /about, GET /cart and 1 more', why: 'the same page as for a path that does not exist' },
    ]);
  });

  it('is asked once more at the end for what took too long at the beginning', async () => {
    const asked: string[] = [];
    const server: Server = (request) => {
      asked.push(request.path);
      const times = asked.filter((path) => path === '/items').length;
      if (request.path === '/items' && times < 3) return undefined;
      return of({ '/items': { body: [1] }, '/tags': { body: [1] }, '/slow': undefined })(request);
    };
    const { paths } = await ask(server, { routes: ['/items', '/slow', '/tags'].map(route) });
    expect(paths).toEqual(['GET /items', 'GET /tags']);
    expect(asked.slice(-4)).toEqual(['/items', '/items', '/slow', '/slow']);
  });

  it('is asked by the document in the repository where that says more than its own', async () => {
    const own = document({
      '/tags': { get: {} },
      '/items': { get: { parameters: [{ in: 'query', name: 'a', required: true }] } },
    });
    const api = apiDescribed({ paths: { '/tags': { get: {} }, '/items': { get: {} } } }, 'openapi.yml');
    const server = of({ '/openapi.json': own, '/tags': { body: [1] }, '/items': { body: [1] } });
    expect((await ask(server, { api })).paths).toEqual(['GET /tags', 'GET /items']);
    expect((await ask(server, { api: { ...api!, endpoints: [] } })).from).toEqual(['/openapi.json']);
  });

  it('is asked again where its first answer did not come', async () => {
    let came = 0;
    const { paths } = await ask(
      ({ path }) => {
        if (path !== '/items') return { status: 404 };
        came += 1;
        return came === 1 ? undefined : { body: [1] };
      },
      { routes: [route('/items')] },
    );
    expect(paths).toEqual(['GET /items']);
  });

  it('waits until it answers', async () => {
    let came = 0;
    const { order } = await ask(() => {
      came += 1;
      return came < 4 ? { status: 503 } : { status: 404 };
    });
    expect(order.slice(0, 5)).toEqual(['GET /', 'GET /', 'GET /', 'GET /', 'GET /api/']);
  });
});

describe('a service with a login', () => {
  const env = { ADMIN_USERNAME: 'ann', ADMIN_PASSWORD: 'made-up' };
  const paths = { '/me': { get: { security: [{ own: [] }] } }, '/tags': { get: {} } };
  const locked =
    (isIn: (request: Request) => boolean, more: Server): Server =>
    (request) => {
      if (request.path === '/tags') return { body: [1] };
      if (request.path === '/me') return isIn(request) ? { body: { name: 'ann' } } : { status: 401 };
      return more(request);
    };

  it('that its document describes is logged in to with an account of its environment', async () => {
    const securitySchemes = { own: { type: 'oauth2', flows: { password: { tokenUrl: '/token' } } } };
    const { paths: kept, login } = await ask(
      locked(
        ({ headers }) => headers.authorization === 'Bearer abcdefgh',
        ({ path, body }) => {
          if (path === '/openapi.json') return document(paths, { components: { securitySchemes } });
          if (path !== '/token') return { status: 404 };
          return body === 'grant_type=password&username=ann&password=made-up'
            ? { body: { access_token: 'abcdefgh' } }
            : { status: 400 };
        },
      ),
      {},
      env,
    );
    expect(kept).toEqual(['GET /me', 'GET /tags']);
    expect(login?.sign).toEqual({
      steps: [{ path: '/token', form: { grant_type: 'password', username: 'ann', password: 'made-up' }, body: null }],
      take: '$.access_token',
      header: { name: 'authorization', value: 'Bearer ${login.token}' },
      from: 'ADMIN_USERNAME',
    });
  });

  it.each([
    ['after making an account', false, true, 2],
    ['after making an account that answers with a token too', true, true, 2],
    ['with what making an account answers, without another way in', true, false, 1],
  ])('is logged in to %s, where nobody is known', async (_, isTokenAtOnce, hasLogin, steps) => {
    const body = { content: { 'application/json': { schema: { properties: { email: {}, password: {} } } } } };
    const all = {
      ...paths,
      '/users': { post: { requestBody: body } },
      ...(hasLogin ? { '/users/login': { post: { requestBody: body } } } : {}),
    };
    let isThere = false;
    const { paths: kept, login } = await ask(
      locked(
        ({ headers }) => headers.authorization === 'Token abcdefgh',
        ({ path }) => {
          if (path === '/openapi.json') return document(all);
          if (path === '/users') {
            isThere = true;
            return { status: 201, body: isTokenAtOnce ? { user: { token: 'abcdefgh' } } : { id: 1 } };
          }
          return path === '/users/login' && isThere ? { body: { token: 'abcdefgh' } } : { status: 401 };
        },
      ),
    );
    expect(kept).toEqual(['GET /me', 'GET /tags']);
    expect(login?.sign).toMatchObject({ from: 'POST /users', header: { value: 'Token ${login.token}' } });
    expect(login?.sign.steps.map(({ path }) => path)).toEqual(['/users', '/users/login'].slice(0, steps));
    // With a step of its own the account can be made before, and what it reads as well.
    expect(canLogInBefore(login!.sign)).toBe(steps === 2);
  });

  it.each([
    ['as Django has it', [route('/items')]],
    ['beside an API that sends nowhere', [route('/items'), route('/api/items')]],
  ])('is logged in to by the page that it sends to, %s', async (_, routes) => {
    const form = '<input type=hidden name=csrfmiddlewaretoken><input name=username><input type=password name=password>';
    const { paths: kept, login } = await ask(
      ({ method, path, headers, body }) => {
        if (path === '/items') {
          return headers.cookie === 'sessionid=a-session-of-ann'
            ? { body: [1] }
            : { status: 302, headers: { location: '/login?next=/items' } };
        }
        if (path === '/api/items') return headers.cookie === undefined ? { status: 401 } : { body: { items: [1] } };
        if (path === '/login') return { status: 301, headers: { location: '/login/' } };
        if (path !== '/login/') return { status: 404 };
        if (method === 'GET') {
          return { body: form, headers: { 'content-type': 'text/html', 'set-cookie': 'csrftoken=abcdefgh; Path=/' } };
        }
        const isIn = body === 'username=ann&password=made-up&csrfmiddlewaretoken=abcdefgh';
        return isIn && headers.cookie === 'csrftoken=abcdefgh'
          ? { status: 302, headers: { 'set-cookie': 'csrftoken=ijklmnop; Path=/, sessionid=a-session-of-ann' } }
          : { status: 403 };
      },
      { routes },
      env,
    );
    expect(kept.toSorted()).toEqual(routes.map(({ path }) => `GET ${path}`).toSorted());
    expect(login?.sign).toMatchObject({
      steps: [{ path: '/login/' }, { path: '/login/' }],
      take: 'cookie:sessionid',
      header: { name: 'cookie', value: 'sessionid=${login.token}' },
    });
  });

  it('is logged in to by HTTP Basic where it says so itself', async () => {
    const { kept } = await ask(
      locked(
        ({ headers }) => headers.authorization === `Basic ${btoa('ann:made-up')}`,
        ({ path }) => (path === '/openapi.json' ? document(paths) : { status: 404 }),
      ),
      {},
      env,
    );
    expect(kept.map(({ candidate }) => candidate.path)).toEqual(['/tags']);
    const challenged = await ask(
      (request) => {
        if (request.headers.authorization !== undefined) return { body: { name: 'ann' } };
        const isLocked = request.path === '/me';
        return isLocked ? { status: 401, headers: { 'www-authenticate': 'Basic realm=a' } } : { status: 404 };
      },
      { routes: [route('/me')] },
      env,
    );
    expect(challenged.kept.map(({ candidate }) => candidate.headers)).toEqual([
      { authorization: `Basic ${btoa('ann:made-up')}` },
    ]);
  });

  it.each([
    ['72 ms for a request', 72, [/^the service checks the password of HTTP Basic in each request, .* 72 ms: /]],
    ['next to nothing', 2, []],
  ])('whose password takes %s to check', async (_, ms, told) => {
    const right = `Basic ${btoa('ann:made-up')}`;
    const { leftOut } = await ask(
      ({ path, headers: { authorization } }) => {
        if (path !== '/me') return { status: 404 };
        const challenge = { 'www-authenticate': 'Basic realm=a' };
        if (authorization === undefined) return { status: 401, headers: challenge };
        return authorization === right ? { body: { name: 'ann' }, ms } : { status: 401, headers: challenge, ms };
      },
      { routes: [route('/me')] },
      env,
    );
    expect(leftOut).toEqual(
      told.map((why) => ({ what: 'a token in place of the password', why: expect.stringMatching(why) })),
    );
  });

  it.each([
    ['x-auth-token', 'abcdefgh'],
    ['authorization', 'Bearer abcdefgh'],
  ])('whose password takes long to check gives a key in its place, which is shown as %s', async (name, value) => {
    const right = `Basic ${btoa('ann:made-up')}`;
    const made: string[] = [];
    const { paths, login, leftOut } = await ask(
      ({ method, path, headers, body }) => {
        if (headers[name] === value) return path === '/v1/me' ? { body: { name: 'ann' } } : { status: 404 };
        if (headers.authorization === undefined)
          return { status: 401, headers: { 'www-authenticate': 'Basic realm=a' } };
        if (headers.authorization !== right) return { status: 401, ms: 80 };
        if (method === 'POST' && path === '/v1/api-keys') {
          made.push(body!);
          return { status: 201, body: { id: 1, token: 'abcdefgh' }, ms: 80 };
        }
        return path === '/v1/me' ? { body: { name: 'ann' }, ms: 80 } : { status: 404, ms: 80 };
      },
      { routes: [route('/v1/me'), { ...route('/v1/api-keys'), method: 'POST' }] },
      env,
    );
    expect(made).toEqual(['{"name":"wrkbench","description":"wrkbench"}']);
    expect(leftOut.map(({ what }) => what)).not.toContain('a token in place of the password');
    expect(paths).toEqual(['GET /v1/me']);
    expect(login?.sign).toEqual({
      steps: [{ path: '/v1/api-keys', form: null, body: made[0], headers: { authorization: right } }],
      take: '$.token',
      header: { name, value: value.replace('abcdefgh', '${login.token}') },
      from: 'ADMIN_USERNAME',
    });
  });

  it('is asked for what its root names to those who are in', async () => {
    const { paths: kept } = await ask(
      ({ path, headers }) => {
        if (path === '/token') return { body: { token: 'abcdefgh' } };
        if (headers.authorization !== 'Bearer abcdefgh') return { status: 401 };
        return of({ '/api/': { body: { items: 'http://127.0.0.1:80/api/items/' } }, '/api/items/': { body: [1] } })({
          ...{ method: 'GET', path, headers, body: null },
        });
      },
      { routes: [{ ...route('/token'), method: 'POST' }] },
      env,
    );
    expect(kept).toEqual(['GET /api/items/', 'GET /api/']);
  });

  it('that nobody knows a way into is said to need one', async () => {
    const {
      paths: kept,
      login,
      leftOut,
    } = await ask(
      locked(
        () => false,
        ({ path }) => (path === '/openapi.json' ? document(paths) : { status: 404 }),
      ),
    );
    expect([kept, login]).toEqual([['GET /tags'], null]);
    expect(leftOut).toEqual([
      { what: 'GET /me', why: 'a login is needed: docs/applications.md shows how to write one' },
    ]);
  });
});

describe('a hostile service', () => {
  it('is asked for no more than a bounded number of paths', async () => {
    const all = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [
        `/p${index}\u0007`.slice(0, index % 2 ? 4 : undefined),
        { get: {} },
      ]),
    );
    const { order } = await ask(of({ '/openapi.json': document(all) }));
    expect(order.length).toBeLessThan(60);
    expect(order.join('')).not.toContain('\u0007');
  });

  it('that never answers keeps nothing', async () => {
    const { kept, leftOut } = await ask(() => undefined, { routes: [route('/stream-of-work')] });
    expect(kept).toEqual([]);
    expect(leftOut).toEqual([{ what: 'GET /stream-of-work', why: 'no complete answer within 5 s, or a stream' }]);
  });
});
