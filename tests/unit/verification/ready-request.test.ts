import { describe, expect, it } from 'vitest';
import { readSpec } from '../../../src/core/config/read.ts';
import { isUp, readinessWords, readyRequestOf } from '../../../src/core/verification/ready-request.ts';

/** What the only service of a spec with these keys and endpoints is asked. */
function asked(endpoints: string, service = '', more = '') {
  const spec = readSpec(
    `name: ready\nservices: {api: {command: [node, server.js], port: 8080${service}}}\nendpoints: ${endpoints}\nload: {k6: {rate: 60%}}\n${more}`,
    'wrkbench.yml',
  );
  return readyRequestOf(spec.services[0]!, spec.endpoints);
}

const bearer = '{me: {path: /me, headers: {authorization: Bearer t0ken, host: shop.example}, expect: 202}}';
const post = '{add: {method: POST, path: /items, body: "{}"}}';

describe('what a service is asked until it is up', () => {
  it('is the request of the first GET endpoint, and the status that it expects', () => {
    const own = { method: 'GET', headers: { authorization: 'Bearer t0ken', host: 'shop.example' }, body: null };
    expect(asked(bearer)).toEqual({ ...own, path: '/me', endpoint: 'me', expected: 202 });
    expect(asked(bearer, ', base-path: /v2')).toEqual({ ...own, path: '/v2/me', endpoint: 'me', expected: 202 });
    expect(asked('{missing: {path: /nope, expect: 404}}')).toMatchObject({ path: '/nope', expected: 404 });
  });

  it('is the request of the endpoint whose path is the ready path', () => {
    const both = '{ping: /ping, me: {path: /me, headers: {authorization: Bearer t0ken}}}';
    expect(asked(both, ', ready: /me')).toMatchObject({ endpoint: 'me', headers: { authorization: 'Bearer t0ken' } });
  });

  it('is a bare GET where the request takes something from a login, which nobody has made yet: that it refuses will do', () => {
    const withToken = '{me: {path: /me, headers: {authorization: "Bearer ${login.token}"}}}';
    const bare = { method: 'GET', path: '/me', headers: {}, body: null, endpoint: null, expected: 'answered' };
    expect(asked(withToken, '', 'login: {request: /login, take: {token: $.token}}\n')).toEqual(bare);
  });

  it('is a bare GET as well where the request takes something from what was prepared', () => {
    const ofStore = '{items: {path: "/stores/${prepare.store}"}}';
    const more = 'database: postgres:18\nprepare: [{requests: {method: POST, path: /stores, take: {store: $.id}}}]\n';
    expect(asked(ofStore, '', more)).toMatchObject({ path: '/stores/${prepare.store}', expected: 'answered' });
  });

  it('is none of an endpoint that the service does not have', () => {
    const both = '{add: {method: POST, path: /}, home: {path: /, expect: 302}}';
    const service = readSpec(
      `name: ready\nservices:\n  api: {image: a, port: 1, endpoints: add}\n  web: {image: b, port: 2}\nendpoints: ${both}\n`,
      'wrkbench.yml',
    );
    const [api, web] = service.services.map((each) => readyRequestOf(each, service.endpoints)!);
    expect([api, web].map((each) => [each!.endpoint, each!.expected])).toEqual([
      [null, 'answered'],
      ['home', 302],
    ]);
  });

  it('is a bare GET of another ready path, which a good status answers', () => {
    const bare = { method: 'GET', headers: {}, body: null, endpoint: null };
    expect(asked(bearer, ', ready: /health')).toEqual({ ...bare, path: '/health', expected: 'good' });
  });

  it('writes nothing: where only other methods are known, it is a bare GET, and any answer below 500 will do', () => {
    const bare = { method: 'GET', headers: {}, body: null, endpoint: null, expected: 'answered' };
    expect(asked(post)).toEqual({ ...bare, path: '/' });
    expect(asked(post, ', base-path: /v2')).toEqual({ ...bare, path: '/v2/' });
    expect(asked(post, ', ready: /items')).toEqual({ ...bare, path: '/items' });
    expect(asked(post, ', ready: /health')).toMatchObject({ expected: 'good' });
  });

  it('is nothing where an open port is enough', () => {
    expect(asked(bearer, ', ready: port')).toBe(null);
  });
});

describe('an answer', () => {
  const up = (expected: number | 'good' | 'answered') =>
    [200, 302, 401, 404, 500, 503].filter((status) => isUp(status, { ...asked(post)!, expected }));

  it('is that of a service that is up by what is known of its path', () => {
    expect(up('good')).toEqual([200, 302]);
    expect(up('answered')).toEqual([200, 302, 401, 404]);
    expect(up(404)).toEqual([404]);
    expect(up(503)).toEqual([503]);
  });
});

describe('a service that is never ready', () => {
  const service = { name: 'api', ready: { path: '/me', timeoutSeconds: 30 } };
  const sentence = (request: ReturnType<typeof asked>) => {
    const { asked: words, answers, more } = readinessWords(service, request, 'http://127.0.0.1:8080');
    return `${words} and ${answers(503)}. ${more}`;
  };

  it('is told what it was asked, what came, and what to do', () => {
    expect(sentence(asked(bearer))).toBe(
      'api was asked for http://127.0.0.1:8080/me, with the request of endpoint me, for 30 s and answers with status 503 instead of 202. Set ready.path to a path that it answers when it is up, or raise ready.timeout in the spec.',
    );
    expect(sentence(asked(post))).toBe(
      'api was asked for http://127.0.0.1:8080/ for 30 s and answers with status 503. Set ready.path to a path that it answers when it is up, or raise ready.timeout in the spec.',
    );
    expect(sentence(asked(bearer, ', ready: /health'))).toBe(
      'api was asked for http://127.0.0.1:8080/health for 30 s and answers with status 503. Correct ready.path, or raise ready.timeout in the spec.',
    );
  });
});
