// needs: postgres, linux, wrk
// seconds: 30
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readSpec } from '../../src/core/config/read.ts';
import { wrkbench } from '../e2e/support/command.ts';
import { specFolder } from '../support/spec-folder.ts';

const PG = JSON.stringify(createRequire(import.meta.url).resolve('pg'));

/** Nobody has written down what it wants: a variable, a database and a role of its own, and tables. */
const SERVER = `
const { Pool } = require(${PG});
if (process.env.ORDERS_SIGNING_KEY === undefined) throw new Error('ORDERS_SIGNING_KEY is required');
const { hostname: host, port, password } = new URL(process.env.DATABASE_URL);
const pool = new Pool({ host, port, user: 'ann', password: decodeURIComponent(password), database: 'orders' });
const answers = new Map();
const app = { get: (path, answer) => answers.set(path, answer) };
app.get('/orders', () => pool.query('SELECT * FROM orders ORDER BY id LIMIT 10'));
app.get('/health', () => ({ rows: 'ok' }));
const server = require('node:http').createServer(async (request, response) => {
  const answer = answers.get(request.url);
  response.setHeader('content-type', 'application/json');
  try {
    response.statusCode = answer === undefined ? 404 : 200;
    response.end(JSON.stringify(answer === undefined ? {} : (await answer()).rows));
  } catch {
    response.statusCode = 500;
    response.end('{}');
  }
});
pool.query('SELECT 1').then(() => server.listen(process.env.PORT || 3000, '127.0.0.1'));
`;

it('init starts a service again with each thing that it has said to lack, until it answers', async () => {
  const folder = specFolder({
    'package.json': JSON.stringify({
      name: 'shop',
      scripts: { start: 'node server.js' },
      dependencies: { express: '5', pg: '8' },
    }),
    'server.js': SERVER,
    'sql/1_orders.sql': 'CREATE TABLE orders (id int, name text);\n',
    'sql/2_rows.sql': "INSERT INTO orders SELECT n, 'order ' || n FROM generate_series(1, 100) n;\n",
  });
  const args = ['init', '--runtime', 'process'];
  const { status, stdout, stderr } = await wrkbench(args, { cwd: folder, env: { WRKBENCH_WRK: '/no-wrk' } });
  expect([status, stdout.split('\n')[0]]).toEqual([
    0,
    'Started shop as a process and asked for 2 paths (server.js): 2 endpoints kept.',
  ]);
  expect([...stderr.matchAll(/^(.*) Starting again with that\.$/gm)].map(([, sentence]) => sentence)).toEqual([
    'It does not start without ORDERS_SIGNING_KEY.',
    'It connects to the database as ann.',
    'It connects to the database orders.',
    'The table orders does not exist, and sql/*.sql creates it.',
  ]);
  const text = readFileSync(path.join(folder, 'wrkbench.yml'), 'utf8');
  expect(text).toContain(
    '\n      ORDERS_SIGNING_KEY: made-up-value-for-measuring-only   # the service does not start without it; the value is made up\n',
  );
  expect(text).not.toContain('# Left out:');
  const { database, endpoints } = readSpec(text, 'wrkbench.yml');
  expect(database).toMatchObject({ user: 'ann', name: 'orders', init: ['sql/*.sql'] });
  expect(endpoints.map(({ path: asked }) => asked)).toEqual(['/orders', '/health']);
});

/** It lets pass a few requests in a minute, as its code or its environment has it. */
const LIMITED = `
const most = Number(process.env.RATE_LIMIT_MAX || 200);
let asked = 0;
const paths = [];
const app = { get: (path) => paths.push(path) };
app.get('/orders');
require('node:http').createServer((request, response) => {
  asked += 1;
  response.statusCode = asked > most ? 429 : paths.includes(request.url) ? 200 : 404;
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ path: request.url, orders: [1, 2, 3] }));
}).listen(process.env.PORT || 3000, '127.0.0.1');
`;

const limitedShop = (server: string) =>
  specFolder({
    'package.json': JSON.stringify({
      name: 'shop',
      scripts: { start: 'node server.js' },
      dependencies: { express: '5' },
    }),
    'server.js': server,
  });

it('init raises the limit of how often a service is asked, and measures what it answers without', async () => {
  const folder = limitedShop(LIMITED);
  const { status, stderr } = await wrkbench(['init', '--runtime', 'process'], { cwd: folder });
  expect([status, stderr]).toEqual([
    0,
    expect.stringContaining('It has a rate limit: RATE_LIMIT_MAX. Starting again with that.'),
  ]);
  const text = readFileSync(path.join(folder, 'wrkbench.yml'), 'utf8');
  expect(text).toContain(
    '\n      RATE_LIMIT_MAX: "1000000000"   # so that it does not answer 429 (Too Many Requests) under load\n',
  );
  expect(text).not.toContain('not measured');
});

it('init says that a service limits how often it is asked, where nothing raises that', async () => {
  const folder = limitedShop(LIMITED.replace('process.env.RATE_LIMIT_MAX || 200', '200'));
  const { status, stdout } = await wrkbench(['init', '--runtime', 'process'], { cwd: folder });
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining(
      'shop: it answers 429 (Too Many Requests) because of a rate limit: no variable was found that raises it, so raise it in the env of the spec or in the code.',
    ),
  ]);
});
