// needs: engine, wrk, k6, h2load, ab, linux
// seconds: 55
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { branchedRepository } from '../e2e/support/branched-repository.ts';
import { reasonsIn, recordIn, wrkbench } from '../e2e/support/command.ts';
import { IMAGES } from '../support/images.ts';
import { specFolder, temporaryFolder } from '../support/spec-folder.ts';

/**
 * A server that hands out another token at each start, for a password, and refuses whoever has none. It prints what it hands out, and
 * keeps it where the test finds it.
 */
const SERVER = `
const { randomBytes } = require('node:crypto');
const { appendFileSync } = require('node:fs');
const token = randomBytes(24).toString('base64url');
const session = randomBytes(12).toString('hex') + '/=';
appendFileSync(process.env.TOKENS, token + '\\n' + session + '\\n' + encodeURIComponent(session) + '\\n');
const read = async (request) => { let text = ''; for await (const part of request) text += part; return text; };
require('node:http').createServer(async (request, response) => {
  const { pathname, searchParams } = new URL(request.url, 'http://localhost');
  const answer = (status, body, headers = {}) => {
    const text = JSON.stringify(body);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text), ...headers }).end(text);
  };
  const body = await read(request);
  if (pathname === '/health') return answer(200, {});
  if (pathname === '/login') {
    if (body !== 'user=a&password=' + encodeURIComponent(process.env.PASSWORD)) return answer(403, { error: 'wrong password', body });
    console.log('handed out', token);
    return answer(200, { data: { tokens: [{ value: token, expires_in: 3600 }] } }, { 'set-cookie': 'sid=' + session + '; Path=/' });
  }
  const known = [request.headers.authorization === 'Bearer ' + token, searchParams.get('session') === session, body.includes(token)];
  if (!known.includes(true)) { console.log('refused', token, session); return answer(401, { error: 'who are you?' }); }
  // Slower than any generator, or that would be what is measured.
  const end = process.hrtime.bigint() + 500_000n;
  while (process.hrtime.bigint() < end);
  answer(200, { ok: true });
}).listen(Number(process.env.PORT));
`;

const SPEC = `
name: login
services:
  node:
    command: [node, server.js]
    port: 8080
    env: {PORT: "\${port}", PASSWORD: "\${env.SHOP_PASSWORD}", TOKENS: tokens.txt}
    ready: /health
login:
  request: {method: POST, path: /login, form: {user: a, password: "\${env.SHOP_PASSWORD}"}}
  take: {token: "$.data.tokens[0].value", session: cookie:sid}
endpoints:
  by-header: {path: /items, headers: {authorization: "Bearer \${login.token}"}, expect: {json: {ok: true}}}
  by-path: {path: "/items?session=\${login.session}"}
  by-body: {method: POST, path: /items, headers: {content-type: application/json}, body: '{"token": "\${login.token}"}'}
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}
  k6: {rate: 50/s, connections: [4], keep-alive: [on], duration: 1s}
  ab: {requests: 200, connections: [4]}
  h2load: {connections: [4], duration: 1s}
  warm-up: 200ms
  cool-down: 0s
`;

const PASSWORD = 'p w/&é-of-the-caller';

/** Files below a folder, with which of the texts each holds. */
function holding(folder: string, texts: readonly string[]): [string, string][] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
  return files.flatMap(({ parentPath, name }) => {
    const content = readFileSync(path.join(parentPath, name), 'utf8');
    return texts.filter((text) => content.includes(text)).map((text): [string, string] => [name, text]);
  });
}

function handedOut(folder: string): string[] {
  return readFileSync(path.join(folder, 'tokens.txt'), 'utf8').trim().split('\n');
}

describe('wrkbench run of a server that answers nobody without a login', () => {
  it('measures it with every generator, and keeps and prints neither token nor password', async () => {
    const folder = specFolder({ 'wrkbench.yml': SPEC, 'server.js': SERVER });
    const { status, stdout, stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'process'], {
      cwd: folder,
      env: { SHOP_PASSWORD: PASSWORD },
    });
    const out = path.join(folder, 'out');
    expect(Object.values(reasonsIn(out)).flat()).toEqual([]);
    expect(stderr).toContain(
      'The spec names variables of yours, which what is started or asked gets: SHOP_PASSWORD (services.node.env.PASSWORD).',
    );
    expect(new Set(recordIn(out).cases.map(({ generator, endpoint }) => `${generator} ${endpoint}`)).size).toBe(12);
    expect(status).toBe(0);

    const secrets = [...handedOut(folder), PASSWORD, encodeURIComponent(PASSWORD)];
    expect(secrets).toHaveLength(5);
    expect(holding(out, secrets)).toEqual([]);
    expect(secrets.filter((secret) => (stdout + stderr).includes(secret))).toEqual([]);
    const { spec } = recordIn(out);
    expect(spec.endpoints[0]!.headers).toEqual({ authorization: 'Bearer ${login.token}' });
    expect(JSON.stringify(spec.login)).toContain('user=a&password=${env.SHOP_PASSWORD}');
  });

  it('measures it in a container, and through a gateway, where the container alone gets the password', async () => {
    const spec = SPEC.replace('command: [node, server.js]', `image: "${IMAGES.node}"\n    command: SOURCE`)
      .replace(/load:[\s\S]*/, '')
      .replace('TOKENS: tokens.txt', 'TOKENS: /dev/stderr')
      .replace('SOURCE', () => JSON.stringify(['node', '-e', SERVER.replaceAll('${', '$${')]));
    const folder = specFolder({
      'wrkbench.yml': `${spec}gateway: {kind: nginx, image: "${IMAGES.nginx}", endpoints: by-header}
load: {wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}, warm-up: 200ms, cool-down: 0s}\n`,
    });
    const { status, stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'docker'], {
      cwd: folder,
      env: { SHOP_PASSWORD: PASSWORD },
    });
    const out = path.join(folder, 'out');
    expect([stderr, ...Object.values(reasonsIn(out)).flat()]).toEqual([expect.any(String)]);
    const asked = recordIn(out).cases.map(({ endpoint, route }) => `${endpoint} ${route}`);
    expect(asked).toEqual(['by-header direct', 'by-header gateway', 'by-path direct', 'by-body direct']);
    expect(status).toBe(0);
    expect(holding(out, [PASSWORD, encodeURIComponent(PASSWORD)])).toEqual([]);
    expect(stderr).not.toContain(PASSWORD);
  });

  it('says what it was refused with, and measures nothing', async () => {
    const wrong = SPEC.replace('form: {user: a,', 'form: {user: b,');
    const folder = specFolder({ 'wrkbench.yml': wrong, 'server.js': SERVER });
    const { status, stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'process'], {
      cwd: folder,
      env: { SHOP_PASSWORD: PASSWORD },
    });
    expect(stderr).toContain(
      'The login failed at step login, POST /login: status 403 came, and below 400 was expected (body: "{\\"error\\":\\"wrong password\\"',
    );
    expect(new Set(Object.values(reasonsIn(path.join(folder, 'out'))).flat())).toEqual(new Set(['login-failed']));
    expect(status).toBe(4);
    expect(stderr).not.toContain(PASSWORD);
    expect(holding(path.join(folder, 'out'), [PASSWORD, encodeURIComponent(PASSWORD)])).toEqual([]);
  });

  it('starts nothing without a variable that it names: exit status 3', async () => {
    const folder = specFolder({ 'wrkbench.yml': SPEC, 'server.js': SERVER });
    const { status, stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'process'], { cwd: folder });
    expect(stderr).toContain(
      'The spec names `${env.SHOP_PASSWORD}` (services.node.env.PASSWORD), and SHOP_PASSWORD is not set.',
    );
    expect(status).toBe(3);
  });

  it('gives each side of a comparison, in each round, a token of its own', async () => {
    // The baseline is started in a worktree of its own, which is gone afterwards.
    const tokens = temporaryFolder();
    const short = SPEC.replace(/ {2}k6: .*\n {2}ab: .*\n {2}h2load: .*\n/, '').concat('gate: {budget: 10s}\n');
    const spec = short.replace('TOKENS: tokens.txt', `TOKENS: ${tokens}/tokens.txt`);
    const slower = SERVER.replace('answer(200, { ok: true });', 'answer(200, { ok: true, more: 1 });');
    const folder = branchedRepository(
      { 'wrkbench.yml': spec, 'server.js': SERVER, '.gitignore': 'out\n' },
      { 'server.js': slower },
    );
    const { stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'process', '--baseline', 'commit:main'], {
      cwd: folder,
      env: { SHOP_PASSWORD: PASSWORD },
    });
    const out = path.join(folder, 'out');
    expect([stderr, Object.values(reasonsIn(out)).flat()]).toEqual([expect.any(String), []]);
    expect(handedOut(tokens).length).toBeGreaterThanOrEqual(2 * 2 * 3);
    expect(holding(out, handedOut(tokens))).toEqual([]);
  });

  it('lets each of several users ask in turn', async () => {
    const server = `
const counts = {};
process.on('SIGTERM', () => { require('node:fs').writeFileSync('counts.json', JSON.stringify(counts)); process.exit(); });
require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const part of request) body += part;
  if (request.url === '/login') return response.end(JSON.stringify({ token: 't0ken-of-' + body }));
  const { authorization = '' } = request.headers;
  counts[authorization] = (counts[authorization] ?? 0) + 1;
  response.writeHead(/^Bearer t0ken-of-user[123]$/.test(authorization) ? 200 : 401).end('{}');
}).listen(Number(process.env.PORT));
`;
    const spec = `
name: users
services: {node: {command: [node, server.js], port: 8080, env: {PORT: "\${port}"}, ready: port}}
login: {request: {path: /login, body: "user\${user}"}, take: {token: $.token}, users: 3}
endpoints: {items: {path: /items, headers: {authorization: "Bearer \${login.token}"}}}
load: {wrk: {threads: 1, connections: [3], keep-alive: [on], duration: 1s}, k6: {rate: 50/s, connections: [3], keep-alive: [on], duration: 1s}, warm-up: 200ms, cool-down: 0s}
`;
    const folder = specFolder({ 'wrkbench.yml': spec, 'server.js': server });
    const { stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'process'], { cwd: folder });
    const out = path.join(folder, 'out');
    expect([stderr, Object.values(reasonsIn(out)).flat()]).toEqual([expect.any(String), []]);
    const counts = JSON.parse(readFileSync(path.join(folder, 'counts.json'), 'utf8')) as Record<string, number>;
    expect(Object.keys(counts).sort()).toEqual([1, 2, 3].map((user) => `Bearer t0ken-of-user${user}`));
    const all = Object.values(counts);
    expect(Math.max(...all) / Math.min(...all)).toBeLessThan(1.2);
    expect(holding(out, ['t0ken-of-user1'])).toEqual([]);
  });
});
