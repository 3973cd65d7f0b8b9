// needs: wrk, k6, postgres, linux
// seconds: 12
import path from 'node:path';
import { expect, it } from 'vitest';
import { reasonsIn, recordIn, wrkbench } from '../e2e/support/command.ts';
import { specFolder } from '../support/spec-folder.ts';

const PG = JSON.stringify(path.resolve('node_modules/pg'));

/** An application that keeps who has logged in among its data, and gives what it makes ids that nobody can know. */
const SERVER = `
const { Pool } = require(${PG});
const { randomUUID } = require('node:crypto');
const pool = new Pool({ connectionString: process.env.DATABASE_URL });
pool.on('error', () => {});
const asked = async (request) => {
  let body = '';
  for await (const part of request) body += part;
  const { method, url } = request;
  if (url === '/login') {
    const token = randomUUID();
    await pool.query('insert into sessions values ($1)', [token]);
    return [200, { token }];
  }
  if (method === 'POST' && url === '/stores') {
    const id = randomUUID();
    await pool.query('insert into stores values ($1)', [id]);
    return [201, { id }];
  }
  const [, token = ''] = /^Bearer (.*)$/.exec(request.headers.authorization ?? '') ?? [];
  const { rowCount } = await pool.query('select 1 from sessions where token = $1', [token]);
  if (rowCount === 0) return [401, { error: 'who are you?' }];
  const [, store] = /^\\/stores\\/([^/]+)\\/items$/.exec(url) ?? [];
  const stores = await pool.query('select 1 from stores where id = $1', [store]);
  if (stores.rowCount === 0) return [404, { error: 'no such store' }];
  if (method === 'POST') {
    await pool.query('insert into items values ($1, $2)', [store, body]);
    return [201, {}];
  }
  const { rows } = await pool.query('select count(*)::int as count from items where store = $1', [store]);
  return [200, rows[0]];
};
const tables = 'create table if not exists sessions (token text); create table if not exists stores (id text); create table if not exists items (store text, item text)';
pool.query(tables).then(() =>
  require('node:http').createServer((request, response) =>
    asked(request).catch((error) => [500, { error: error.message }]).then(([status, body]) => {
      const text = JSON.stringify(body);
      response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
    }),
  ).listen(Number(process.env.PORT)),
);
process.on('SIGTERM', () => process.exit());
`;

const SPEC = `
name: in-data
services:
  node: {command: [node, server.js], port: 8080, env: {PORT: "\${port}", DATABASE_URL: "\${database.url}"}, ready: port}
database: {image: "postgres:18"}
prepare:
  - requests:
      - {method: POST, path: /stores, expect: 201, take: {store: $.id}}
login: {request: {method: POST, path: /login}, take: {token: $.token}}
endpoints:
  list: {path: "/stores/\${prepare.store}/items", headers: &own {authorization: "Bearer \${login.token}"}, expect: {json: {count: 0}}}
  add: {method: POST, path: "/stores/\${prepare.store}/items", headers: *own, body: '{"name": "x"}', expect: 201}
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}
  k6: {rate: 30/s, connections: [4], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 0s
`;

it('an application that keeps its sessions in the data is logged in to again whenever they are put back', async () => {
  const folder = specFolder({ 'wrkbench.yml': SPEC, 'server.js': SERVER });
  const { stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'process', '--seed', '3'], { cwd: folder });
  const out = path.join(folder, 'out');
  expect([stderr, reasonsIn(out)]).toEqual([
    expect.any(String),
    Object.fromEntries(recordIn(out).cases.map(({ key }) => [key, []])),
  ]);
  expect(recordIn(out).cases.map(({ endpoint, generator }) => `${endpoint} ${generator}`)).toEqual([
    'list wrk',
    'list k6',
    'add wrk',
    'add k6',
  ]);
});
