import { describe, expect, it } from 'vitest';
import {
  type Testbed,
  TestbedError,
  type TestbedRequest,
  type TestbedRuntime,
} from '../../../src/app/ports/testbed.ts';
import type { TryAdapters, TryRequest } from '../../../src/app/run/attempt.ts';
import { runtimeFor, trySpec } from '../../../src/app/run/try-spec.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { Endpoint } from '../../../src/core/config/resolved.ts';
import { USUAL_LOAD } from '../../../src/core/detection/load-text.ts';
import { proposal } from '../../../src/core/detection/proposal.ts';

const FILES = {
  'package.json': '{"name": "shop", "scripts": {"start": "node server.js"}, "dependencies": {"express": "5"}}',
  'server.js': `const app = express(); app.get('/ready', f); app.get('/orders', f); app.get('/me', f); app.listen(3000);`,
};
const draftOf = (files: Record<string, string>) => {
  const all = Object.entries(files).map(([path, content]) => ({ path, content }));
  return proposal(all, { folderName: 'shop', isSecret: () => false }).specs[0]!;
};

interface Given {
  files?: Record<string, string>;
  /** Path → status for a service; 404 for any other. */
  answers?: (service: string, path: string, headers: Record<string, string>) => number;
  /** Path → JSON of its answer. */
  bodies?: Record<string, unknown>;
  /** Instead of a testbed. */
  start?: (request: TestbedRequest) => TestbedError | null;
  prepared?: TestbedError;
  measured?: TryRequest['measured'];
  isRuntimeNamed?: boolean;
  /** Connections that three requests in turn take. */
  connections?: number;
  /** Until a service is up. */
  startSeconds?: number;
  /** Lines of its database's log; without one where it is absent. */
  printed?: (request: TestbedRequest) => string[];
}

async function tried(given: Given) {
  const {
    files = FILES,
    answers,
    bodies = {},
    start,
    prepared,
    measured,
    isRuntimeNamed = true,
    connections = 1,
    startSeconds = 3,
    printed: printedOf,
  } = given;
  const database =
    printedOf === undefined
      ? null
      : { resetStatements: async () => undefined, markStatements: async () => undefined, statements: async () => [] };
  const printedBy = (request: TestbedRequest) => printedOf?.(request) ?? [];
  const did: string[] = [];
  let nowNs = 0;
  const probe = {
    ask: async (_: string, { name }: { name: string }, { path, headers }: Endpoint) => {
      const status = answers?.(name, path, headers) ?? 404;
      const body = new TextEncoder().encode(JSON.stringify(bodies[path] ?? { of: path }));
      return { kind: 'answered', status, headers: { 'content-type': 'application/json' }, body, wireBytes: 1 };
    },
    askInTurn: async () => ({ connections }),
  };
  const runtime = {
    kind: 'process',
    sweep: async () => [],
    prepare: async ({ services }: { services: { name: string }[] }) =>
      services.map(({ name }) => ({ service: name, artifact: name, failure: prepared ?? null })),
    start: async (request: TestbedRequest) => {
      nowNs += startSeconds * 1e9;
      did.push(`started ${request.service.name} until ${request.service.ready.path ?? 'its port is open'}`);
      const failure = start?.(request) ?? null;
      if (failure !== null) throw failure;
      return {
        service: request.service,
        origins: { direct: 'http://127.0.0.1:80' },
        database,
        logLines: async (part: string) => (part === 'database' ? printedBy(request) : []),
        failure: async () => null,
        stop: async () => void did.push(`stopped ${request.service.name}`),
      } as unknown as Testbed;
    },
    release: async () => void did.push('released'),
  } as unknown as TestbedRuntime;
  const adapters = {
    runtime,
    probe,
    clock: { sleep: async () => undefined, monotonicNs: () => nowNs },
    progress: { say: () => undefined },
  } as unknown as TryAdapters;
  const placement = { service: '0', database: '0', generator: '0' };
  const request = {
    runId: 'a',
    draft: draftOf(files),
    specDirectory: '/',
    list: async () => [],
    placement,
    isRuntimeNamed,
  };
  const result = await trySpec(
    { ...request, ...(measured === undefined ? {} : { measured }) },
    adapters,
    new AbortController().signal,
  );
  return { ...result, did, spec: readSpec(result.draft.content, 'wrkbench.yml') };
}

const known =
  (...paths: string[]) =>
  (_: string, path: string) =>
    paths.includes(path) ? 200 : 404;

describe('a service whose tables nothing has made', () => {
  const files = {
    ...FILES,
    'package.json': FILES['package.json'].replace('"5"', '"5", "pg": "8"'),
    'schema.sql': 'CREATE TABLE orders (id int);',
  };
  const hasTables = ({ spec }: TestbedRequest) => spec.database!.init.length > 0;

  it('is started again with the SQL that makes them', async () => {
    let made = false;
    const { spec, did } = await tried({
      files,
      start: (request) => {
        made = hasTables(request);
        return null;
      },
      answers: (_, path) => (path === '/orders' ? (made ? 200 : 500) : path === '/ready' ? 200 : 404),
      printed: (request) => (hasTables(request) ? [] : ['ERROR:  relation "orders" does not exist']),
    });
    expect(spec.database!.init).toEqual(['schema.sql']);
    expect(spec.endpoints.map(({ path }) => path)).toContain('/orders');
    expect(did.filter((line) => line.startsWith('started'))).toHaveLength(2);
  });

  it('is left to make them itself where it does not come up with them', async () => {
    const { spec, did, isGood } = await tried({
      files,
      start: (request) =>
        hasTables(request) ? new TestbedError('start-failed', 'It exited.', ['exists already']) : null,
      answers: (_, path) => (path === '/orders' ? 500 : path === '/ready' ? 200 : 404),
      printed: () => ['ERROR:  relation "orders" does not exist'],
    });
    expect(spec.database!.init).toEqual([]);
    expect(isGood).toBe(true);
    expect(did.filter((line) => line.startsWith('started'))).toHaveLength(3);
  });
});

describe('a spec that is tried', () => {
  it('is mended by what the service says of its database, and tried again', async () => {
    const said = ['FATAL: password authentication failed for user "ann"', 'FATAL: database "orders" does not exist'];
    const { did, spec, isGood } = await tried({
      files: { ...FILES, 'package.json': FILES['package.json'].replace('"5"', '"5", "pg": "8"') },
      answers: known('/ready', '/orders'),
      start: () => {
        const line = said.shift();
        return line === undefined ? null : new TestbedError('start-failed', 'Service shop exited.', [line, 'bye']);
      },
    });
    expect(did.filter((line) => line.startsWith('started'))).toHaveLength(3);
    expect(spec.database).toMatchObject({ user: 'ann', name: 'orders' });
    expect(isGood).toBe(true);
  });

  it('has what answered, and is up when the path says so that files name', async () => {
    const { did, spec, lines, isGood } = await tried({ answers: known('/ready', '/orders') });
    expect(did).toEqual(['started shop until /ready', 'stopped shop', 'released']);
    expect(spec.endpoints.map(({ path }) => path)).toEqual(['/orders', '/ready']);
    expect(spec.services[0]!.ready.path).toBe('/ready');
    expect([isGood, lines]).toEqual([
      true,
      ['Started shop as a process and asked for 3 paths (server.js): 2 endpoints kept.'],
    ]);
  });

  it('may take its time for the first start, and has a timeout after what it took', async () => {
    const waited: number[] = [];
    const start = ({ service }: TestbedRequest) => {
      waited.push(service.ready.timeoutSeconds);
      return null;
    };
    const { spec } = await tried({ answers: known('/ready'), startSeconds: 41, start });
    expect(waited).toEqual([150]);
    expect(spec.services[0]!.ready).toEqual({ path: '/ready', timeoutSeconds: 150 });
    expect((await tried({ answers: known('/ready') })).spec.services[0]!.ready.timeoutSeconds).toBe(30);
  });

  it('makes what there is to read before anything is measured, where a database keeps it', async () => {
    const files = { ...FILES, 'package.json': FILES['package.json'].replace('"express"', '"pg": "8", "express"') };
    const post = { requestBody: { content: { 'application/json': { example: { item: 'x' } } } } };
    const { spec } = await tried({
      files,
      answers: known('/openapi.json', '/orders', '/orders/x1'),
      bodies: {
        '/openapi.json': { openapi: '3.0.0', paths: { '/orders': { get: {}, post }, '/orders/{id}': { get: {} } } },
        '/orders': { id: 'x1' },
      },
    });
    expect(spec.endpoints.map(({ method, path }) => `${method} ${path}`)).toEqual([
      'GET /orders',
      'GET /orders/${prepare.id}',
      'POST /orders',
    ]);
    expect(spec.prepare).toEqual([
      {
        kind: 'requests',
        requests: [
          {
            method: 'POST',
            path: '/orders',
            headers: { 'content-type': 'application/json' },
            body: '{"item":"x"}',
            status: 200,
            repeat: 50,
            take: { id: '$.id' },
          },
        ],
      },
    ]);
  });

  it('says of a service that it closes each connection, since cases that keep theirs would be invalid', async () => {
    const answers = known('/ready', '/orders');
    expect((await tried({ answers, connections: 3 })).spec.services[0]!.keepAlive).toBe('closes');
    expect((await tried({ answers, connections: 1 })).spec.services[0]!.keepAlive).toBeUndefined();
    const told: boolean[] = [];
    const measured: TryRequest['measured'] = async (_, { closes }) => {
      told.push(closes);
      throw new TestbedError('not-ready', 'It is enough.');
    };
    await expect(tried({ answers, connections: 3, measured })).rejects.toThrow('It is enough.');
    expect(told).toEqual([true]);
  });

  it('is started anew until its port is open, where that path shows nothing', async () => {
    const { did, spec } = await tried({
      answers: known('/orders'),
      start: ({ service }) => (service.ready.path === null ? null : new TestbedError('not-ready', 'It is not ready.')),
    });
    expect(did).toEqual([
      'started shop until /ready',
      'started shop until its port is open',
      'stopped shop',
      'released',
    ]);
    expect(spec.services[0]!.ready.path).toBe('/orders');
  });

  it('is as files show it where nothing comes up, with the reason and the last lines of the log', async () => {
    const { draft, spec, lines, isGood, did } = await tried({
      start: () => new TestbedError('start-failed', 'Service shop exited.', [...'abcdefghij']),
    });
    expect([isGood, lines]).toEqual([false, [['Service shop exited.', ...'cdefghij'].join('\n    ')]]);
    expect(draft.content).toContain('\n  # did not come up: Service shop exited.\n  shop:\n');
    expect(spec.endpoints.map(({ path }) => path)).toEqual(['/ready', '/orders', '/me']);
    expect(did.at(-1)).toBe('released');
  });

  it('is not tried where a program is missing and nobody has named the runtime', async () => {
    const failure = new TestbedError('start-failed', 'There is no program `node`. Install it.');
    const { lines, isGood, draft } = await tried({ prepared: failure, isRuntimeNamed: false });
    expect([isGood, lines]).toEqual([true, ['Not tried: There is no program `node`. Install it.']]);
    expect(draft.content).toContain('\n# Not tried: There is no program `node`. Install it; `wrkbench init` again');
    expect((await tried({ prepared: failure })).isGood).toBe(false);
  });

  it('with two services has what both answer', async () => {
    const server = (port: number) => ({
      [`${port}/package.json`]: FILES['package.json'],
      [`${port}/server.js`]: FILES['server.js'].replace('3000', String(port)),
    });
    const { spec, draft, did } = await tried({
      files: { ...server(81), ...server(82) },
      answers: (service, path) =>
        path === '/me' && service === '82' ? 500 : known('/ready', '/orders', '/me')('', path),
    });
    expect(did.filter((each) => each.startsWith('started'))).toEqual([
      'started 81 until /ready',
      'started 82 until /ready',
    ]);
    expect(spec.endpoints.map(({ path }) => path)).toEqual(['/orders', '/ready']);
    expect(draft.content).toContain('# - 1 endpoint: 82 answers otherwise\n');
  });
});

describe('what is measured of endpoints while their service is up', () => {
  it('gets them as they are asked, and its lines are the load of the spec', async () => {
    const asked: [string, Record<string, string>][] = [];
    const { spec, lines, did } = await tried({
      answers: known('/orders'),
      measured: async (testbed, { endpoints, startSeconds }) => {
        asked.push(...endpoints.map(({ path, headers }): [string, Record<string, string>] => [path, headers]));
        expect([testbed.service.basePath, startSeconds]).toEqual(['', 3]);
        const load = ['  wrk: {threads: 1, connections: [4], duration: 10s}'];
        return {
          text: { load, gate: ['  budget: 6m'] },
          endpoints: endpoints.map(({ name }) => name),
          sentences: ['A pull request waits long.'],
        };
      },
    });
    expect(asked).toEqual([['/orders', {}]]);
    expect(spec.load.wrk?.connections).toEqual([4]);
    expect(spec.gate.budgetSeconds).toBe(360);
    expect(lines.at(-1)).toBe('A pull request waits long.');
    expect(did.at(-2)).toBe('stopped shop');
  });

  it('is logged in as its endpoints are', async () => {
    const asked: [string, Record<string, string>][] = [];
    const securitySchemes = { own: { type: 'oauth2', flows: { password: { tokenUrl: '/token' } } } };
    const { draft } = await tried({
      files: {
        ...FILES,
        'server.js': `${FILES['server.js']} process.env.ADMIN_USER; process.env.ADMIN_PASSWORD;`,
        '.env.example': 'ADMIN_USER=ann\nADMIN_PASSWORD=made-up\n',
      },
      bodies: {
        '/openapi.json': { openapi: '3.0.0', paths: { '/me': { get: {} } }, components: { securitySchemes } },
        '/token': { access_token: 'a-token-of-shop' },
      },
      answers: (_, path, { authorization }) => {
        if (path === '/me') return authorization === 'Bearer a-token-of-shop' ? 200 : 401;
        return path === '/openapi.json' || path === '/token' ? 200 : 404;
      },
      measured: async (_, { endpoints }) => {
        asked.push(...endpoints.map(({ path, headers }): [string, Record<string, string>] => [path, headers]));
        return { text: USUAL_LOAD, endpoints: endpoints.map(({ name }) => name), sentences: [] };
      },
    });
    expect(asked).toEqual([['/me', { authorization: 'Bearer a-token-of-shop' }]]);
    expect(draft.content).toContain('\n    headers: {authorization: "Bearer ${login.token}"}\n');
  });

  it('is logged in with an account that a first step of the login makes', async () => {
    const schema = { properties: { username: {}, password: {} }, required: ['username', 'password'] };
    const post = { requestBody: { content: { 'application/json': { schema } } } };
    const { draft, spec } = await tried({
      bodies: {
        '/openapi.json': {
          openapi: '3.0.0',
          servers: [{ url: '/api' }],
          paths: { '/me': { get: {} }, '/register': { post }, '/login': { post } },
        },
        '/api/login': { token: 'a-token-of-shop' },
      },
      answers: (_, path, { authorization }) => {
        if (path === '/api/me') return authorization === 'Bearer a-token-of-shop' ? 200 : 401;
        return ['/openapi.json', '/api/register', '/api/login'].includes(path) ? 200 : 404;
      },
    });
    const account = '"{\\"username\\":\\"wrkbench\\",\\"password\\":\\"Made-up-4-measuring\\"}"';
    expect(draft.content).toContain(`
login:   # with the account of POST /api/register
  steps:
    - request: {method: POST, path: /register, headers: {content-type: application/json}, body: ${account}}
    - request: {method: POST, path: /login, headers: {content-type: application/json}, body: ${account}}
      take: {token: "$.token"}

endpoints:
  me:   # /openapi.json
    path: /me
    headers: {authorization: "Bearer \${login.token}"}
    expect: {status: 200, content-type: application/json}
`);
    expect(spec.services[0]!.basePath).toBe('/api');
  });

  it('leaves out those that a pull request has no time for, the least worth of them first', async () => {
    const { spec, draft, lines } = await tried({
      files: { ...FILES, 'server.js': `${FILES['server.js']} app.get('/users', h); app.get('/tags', h);` },
      answers: known('/orders', '/users', '/tags'),
      measured: async (_, { endpoints }) => ({
        text: USUAL_LOAD,
        endpoints: endpoints.slice(0, 2).map(({ name }) => name),
        sentences: [],
      }),
    });
    const all = ['/orders', '/users', '/tags'];
    const kept = spec.endpoints.map(({ path }) => path);
    expect(kept).toHaveLength(2);
    const [left] = all.filter((each) => !kept.includes(each));
    expect(draft.content).toContain(
      `# - GET ${left}: works too, but with more endpoints a pull request waits longer than 8 min\n`,
    );
    expect(lines.at(-1)).toContain(': 2 endpoints kept.');
  });

  it('is nothing where nothing answered', async () => {
    let calls = 0;
    const measured = async () => {
      calls += 1;
      return { text: USUAL_LOAD, endpoints: [], sentences: [] };
    };
    expect((await tried({ measured })).isGood).toBe(false);
    expect(calls).toBe(0);
  });
});

describe('the runtime of a trial', () => {
  const engine = (version: string | null) => {
    const docker = { kind: 'docker', version: async () => version } as TestbedRuntime;
    return { docker, process: { kind: 'process' } as TestbedRuntime };
  };
  const services = (text: string) => readSpec(`name: a\nservices: {${text}}\nendpoints: {a: /}\n`, 'x');

  it.each([
    ['a: {build: ., port: 80}', 'auto', '29', 'docker'],
    ['a: {build: ., port: 80}', 'auto', null, 'no Docker engine answers'],
    ['a: {command: [a], port: 80}', 'auto', null, 'process'],
    [
      'a: {command: [a], port: 80}, b: {build: ., port: 81}',
      'auto',
      '29',
      'some services have an image and b has no command',
    ],
    ['a: {build: ., port: 80}', 'process', '29', 'process'],
  ] as const)('of {%s} with %s and engine %s is %s', async (text, wanted, version, expected) => {
    const runtime = await runtimeFor(services(text), wanted, engine(version));
    expect(typeof runtime === 'string' ? runtime : runtime.kind).toBe(expected);
  });
});
