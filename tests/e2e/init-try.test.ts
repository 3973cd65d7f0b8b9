// needs: nothing
import { existsSync, readdirSync, readFileSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { readSpec } from '../../src/core/config/read.ts';
import { specFolder, temporaryFolder } from '../support/spec-folder.ts';
import { start, wrkbench } from './support/command.ts';

/** What is measured of endpoints differs from machine to machine. */
const WITHOUT_WRK = { WRKBENCH_WRK: '/no-wrk' };
const MANIFEST = JSON.stringify({ name: 'shop', scripts: { start: 'node server.js' } });

/** A server whose `answers` are `path: [status, body]`; a body that is a text is a page, and a function gets the answer itself. */
const serverOf = (answers: string) => `
const answers = ${answers};
require('node:http').createServer((request, response) => {
  let sent = '';
  request.on('data', (chunk) => (sent += chunk));
  request.on('end', () => {
    const key = (request.method === 'GET' ? '' : request.method + ' ') + request.url;
    const answer = answers[key] ?? [404, {}];
    if (typeof answer === 'function') return answer(response, sent, request);
    const [status, body] = answer;
    response.writeHead(status, { 'content-type': typeof body === 'string' ? 'text/html' : 'application/json' });
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
}).listen(process.env.PORT || 3000);
`;

async function tried(files: Record<string, string>, args: string[] = []) {
  const folder = specFolder({ 'package.json': MANIFEST, ...files });
  const call = await wrkbench(['init', '--runtime', 'process', ...args], { cwd: folder, env: WITHOUT_WRK });
  const file = path.join(folder, 'wrkbench.yml');
  return { ...call, folder, spec: existsSync(file) ? readFileSync(file, 'utf8') : '' };
}

const endpointsIn = (spec: string) =>
  readSpec(spec, 'wrkbench.yml').endpoints.map(({ method, path: asked }) => `${method} ${asked}`);

const DOCUMENTED = serverOf(`{
  '/openapi.json': [200, {
    openapi: '3.0.0',
    paths: {
      '/items': {
        get: {},
        post: { requestBody: { content: { 'application/json': { example: { name: 'x' } } } }, responses: { 201: {} } },
      },
      '/items/{id}': { get: { parameters: [{ name: 'id', in: 'path', required: true }] } },
      '/me': { get: { security: [{ own: [] }] } },
      '/broken': { get: {} },
    },
  }],
  '/items': [200, [{ id: 1 }, { id: 2 }]],
  'POST /items': [201, { id: 3 }],
  '/items/1': [200, { id: 1 }],
  '/me': [401, {}],
  '/broken': [500, {}],
}`);

describe('init with a service that says what it serves', () => {
  it('writes what has answered twice, and says what it left out', async () => {
    const { status, stdout, stderr, spec } = await tried({ 'server.js': DOCUMENTED });
    expect(stderr).toBe('Starting shop.\nAsking shop for 3 paths.\n');
    expect(stdout).toBe(`Started shop as a process and asked for 5 paths (/openapi.json): 3 endpoints kept.
wrk is not on this machine. Install it with \`sudo apt-get install wrk\` (macOS: \`brew install wrk\`).
wrkbench.yml is written: shop on port 3000, 3 endpoints.
  A pull request waits about 8 min 10 s in all, without building images.
.github/workflows/benchmark.yml is written: it gates pull requests of the repository's own branches.
The workflow needs a container: add a Dockerfile for shop, or it fails.
Left out:
  GET /me: a login is needed: docs/applications.md shows how to write one.
  GET /broken: a server error.
  1 operation: the document has no example of what it needs.
Read it, then: wrkbench plan
`);
    expect(status).toBe(0);
    expect(spec).toContain(`
# What wrkbench measures here: \`wrkbench init\` has started it, and each endpoint answered twice as it says.
`);
    expect(spec).toContain(`
endpoints:
  items:   # /openapi.json
    path: /items
    expect: {status: 200, content-type: application/json}
  items-1:   # /openapi.json
    path: /items/1
    expect: {status: 200, content-type: application/json}
  post-items:   # /openapi.json
    method: POST
    path: /items
    headers: {content-type: application/json}
    body: "{\\"name\\":\\"x\\"}"
    expect: {status: 201, content-type: application/json}
`);
    expect(endpointsIn(spec)).toEqual(['GET /items', 'GET /items/1', 'POST /items']);
  });

  it('prints all of that with --dry-run --try, and writes nothing', async () => {
    const { status, stdout, folder } = await tried({ 'server.js': DOCUMENTED }, ['--dry-run', '--try']);
    expect(stdout).toContain('\n  items-1:   # /openapi.json\n');
    expect(stdout).toContain('\nStarted shop as a process and asked for 5 paths (/openapi.json): 3 endpoints kept.\n');
    expect([status, readdirSync(folder).sort()]).toEqual([0, ['package.json', 'server.js']]);
  });
});

it('init asks a service without a document for the routes of its code, and keeps those that answer', async () => {
  const routes = `
const app = { get: () => undefined };
app.get('/health', () => undefined);
app.get('/orders', () => undefined);
app.get('/reports', () => undefined);
app.listen = () => undefined;
`;
  const { status, stdout, spec } = await tried({
    'server.js': `${routes}${serverOf(`{ '/health': [200, {}], '/orders': [200, [1]], '/reports': [503, {}] }`)}`,
  });
  expect(status).toBe(0);
  expect(stdout).toContain('Started shop as a process and asked for 3 paths (server.js): 2 endpoints kept.\n');
  expect(stdout).toContain('Left out:\n  GET /reports: a server error.\n');
  expect(endpointsIn(spec)).toEqual(['GET /orders', 'GET /health']);
  expect(spec).toContain('\n    ready: {path: /health, timeout: 30s}\n');
});

it('init logs in where the document says how, with the account that the service is started with', async () => {
  const document = {
    openapi: '3.1.0',
    paths: { '/me': { get: { security: [{ own: [] }] } } },
    components: { securitySchemes: { own: { type: 'oauth2', flows: { password: { tokenUrl: 'token' } } } } },
  };
  const { status, stdout, spec } = await tried({
    '.env.example': 'FIRST_SUPERUSER=admin@shop.test\nFIRST_SUPERUSER_PASSWORD=changethis\n',
    'server.js': serverOf(`{
  '/openapi.json': [200, ${JSON.stringify(document)}],
  'POST /token': (response, sent) => {
    const form = new URLSearchParams(sent);
    const { FIRST_SUPERUSER: user, FIRST_SUPERUSER_PASSWORD: password } = process.env;
    const isIn = form.get('username') === user && form.get('password') === password;
    response.writeHead(isIn ? 200 : 400).end(isIn ? '{"access_token": "a-token-of-the-shop"}' : '{}');
  },
  '/me': (response, sent, { headers }) => {
    const isIn = headers.authorization === 'Bearer a-token-of-the-shop';
    response.writeHead(isIn ? 200 : 401, { 'content-type': 'application/json' }).end('{"name": "ann"}');
  },
}`),
  });
  expect([status, stdout.split('\n')[0]]).toEqual([
    0,
    'Started shop as a process and asked for 1 path (/openapi.json): 1 endpoint kept.',
  ]);
  expect(spec).toContain(`
login:   # with the account of FIRST_SUPERUSER
  request: {method: POST, path: /token, form: {grant_type: password, username: "admin@shop.test", password: made-up-value-for-measuring-only}}
  take: {token: "$.access_token"}

endpoints:
  me:   # /openapi.json
    path: /me
    headers: {authorization: "Bearer \${login.token}"}
    expect: {status: 200, content-type: application/json}
`);
  expect(readSpec(spec, 'wrkbench.yml').login?.steps[0]?.take).toEqual({ token: '$.access_token' });
});

it('init comes to an end with a service that answers too much, for ever, in a circle or with what no path holds', async () => {
  const { status, stdout, spec } = await tried({
    'server.js': `
const paths = {};
for (let index = 0; index < 10_000; index += 1) paths['/p' + index + String.fromCharCode(index % 32)] = { get: {} };
${serverOf(`{
  '/openapi.json': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const more = () => { while (response.write('{"paths": ' .repeat(10_000))) ; };
    response.on('drain', more);
    more();
  },
  '/swagger.json': [200, { swagger: '2.0', paths: { '/endless': { get: {} }, '/loop': { get: {} }, '/events-of-today': { get: {} }, '/ok': { get: {} }, ...paths } }],
  '/endless': (response) => void setInterval(() => response.write('a'), 100).unref(),
  '/events-of-today': (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).write('data: 1'),
  '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
  '/ok': [200, { ok: true }],
}`)}`,
  });
  expect(status).toBe(0);
  expect(stdout).toContain('(/swagger.json): 1 endpoint kept.\n');
  expect(stdout).toContain('  GET /endless, GET /events-of-today: no complete answer within 5 s, or a stream.\n');
  expect(stdout).toContain('  GET /loop: a redirect.\n');
  expect(stdout.split('\n').length).toBeLessThan(17);
  expect(endpointsIn(spec)).toEqual(['GET /ok']);
}, 60_000);

describe('init with a service that does not come up', () => {
  it('writes beside it why, shows what it printed last, and leaves the rest', async () => {
    const { status, stdout, spec } = await tried({
      'server.js': `const app = { get: () => undefined }; app.get('/orders', () => undefined); app.listen = 0;
console.error('no such table: orders'); process.exit(3);`,
    });
    expect(status).toBe(1);
    expect(stdout).toMatch(
      /^Service shop exited with status 3 before it was ready\.[^\n]*\n {4}no such table: orders\nwrkbench\.yml is written: /,
    );
    expect(spec).toMatch(/\nservices:\n {2}# did not come up: Service shop exited with status 3 [^\n]*\n {2}shop:\n/);
    expect(endpointsIn(spec)).toEqual(['GET /orders']);
  });

  it('says of a service that answers nothing what it was asked for', async () => {
    const { status, stdout, spec } = await tried({ 'server.js': serverOf('{}') });
    expect(status).toBe(1);
    expect(stdout).toMatch(/^Started shop as a process and asked for 0 paths: 0 endpoints kept\.\n/);
    expect(spec).toContain(
      '\n# Tried by `wrkbench init`, and nothing answered: correct it, then `wrkbench validate`.\n',
    );
  });
});

/** A folder with links to what processes are started with. */
function withoutJava(): string {
  const folder = temporaryFolder();
  for (const program of ['taskset', 'prlimit', 'setpriv']) {
    const found = ['/usr/bin', '/bin'].map((each) => path.join(each, program)).find(existsSync);
    if (found !== undefined) symlinkSync(found, path.join(folder, program));
  }
  return folder;
}

describe('init that starts nothing', () => {
  const untried = async (args: string[], env: Record<string, string> = {}) => {
    const folder = specFolder({ Dockerfile: 'FROM scratch\nEXPOSE 9000\nCMD ["/server"]\n' });
    const { status, stdout } = await wrkbench(['init', ...args], { cwd: folder, env });
    return { status, stdout, spec: readFileSync(path.join(folder, 'wrkbench.yml'), 'utf8').split('\n')[1] };
  };

  it('says why where no engine answers', async () => {
    const { status, stdout, spec } = await untried([], { DOCKER_HOST: 'unix:///nowhere/docker.sock' });
    expect([status, stdout.split('\n')[0], spec]).toEqual([
      0,
      'Not tried: no Docker engine answers.',
      '# Not tried: no Docker engine answers; `wrkbench init` again with Docker, or `wrkbench validate` and `wrkbench plan`.',
    ]);
  });

  it('is called so with --no-try', async () => {
    const { status, spec } = await untried(['--no-try']);
    expect([status, spec]).toEqual([
      0,
      '# Not tried: only files were read; `wrkbench init` again with Docker, or `wrkbench validate` and `wrkbench plan`.',
    ]);
  });

  it('says which program is missing', async () => {
    const folder = specFolder({
      'pom.xml': '<project><artifactId>shop</artifactId><dependency>spring-boot-starter-web</dependency></project>',
    });
    // In a PATH with all that a process is started with, and without Java.
    const { status, stdout } = await wrkbench(['init'], { cwd: folder, env: { PATH: withoutJava() } });
    expect([status, stdout.split('\n')[0]]).toEqual([
      0,
      'Not tried: Service shop cannot be started: there is no program `java` on the PATH. Install it, or correct its command.',
    ]);
  });
});

it('init that is interrupted takes everything down, and has written nothing', async () => {
  const folder = specFolder({
    'package.json': MANIFEST,
    'server.js': serverOf(`{
  '/openapi.json': (response) => { require('node:fs').writeFileSync('asked.pid', String(process.pid)); },
}`),
  });
  const running = start(['init', '--runtime', 'process'], { cwd: folder });
  await running.prints(/Starting shop\./);
  const file = path.join(folder, 'asked.pid');
  while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 50));
  running.process.kill('SIGINT');
  const { status, stdout, stderr } = await running.ended;
  expect([status, stdout]).toEqual([130, '']);
  expect(stderr).toContain('SIGINT: taking down what was started. Nothing is written.\n');
  expect(readdirSync(folder).sort()).toEqual(['asked.pid', 'package.json', 'server.js']);
  expect(() => process.kill(Number(readFileSync(file, 'utf8')), 0)).toThrow(/ESRCH/);
});
