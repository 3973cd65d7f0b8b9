// needs: postgres, wrk
// seconds: 26
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { readSpec } from '../../src/core/config/read.ts';
import { readRunRecord } from '../../src/core/record/run-record-file.ts';
import { wrkbench } from '../e2e/support/command.ts';
import { specFolder } from '../support/spec-folder.ts';

/** Empty at first, closed to who has not logged in, and with ids that nobody can foresee. */
const SERVER = `
const { randomUUID } = require('node:crypto');
const { Pool } = require('pg');
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
const made = pool.query('CREATE TABLE IF NOT EXISTS items (id uuid PRIMARY KEY, name text)');
const rows = async (text, values) => (await pool.query(text, values)).rows;
require('node:http').createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  await made;
  const answer = async () => {
    const key = request.method + ' ' + request.url.replace(/[0-9a-f-]{36}/, 'ID');
    if (key === 'POST /login') return body.includes('"s3cret"') ? [200, { token: 'a-made-up-token' }] : [401, {}];
    if (request.headers.authorization !== 'Bearer a-made-up-token') return [401, {}];
    if (key === 'GET /items') return [200, await rows('SELECT * FROM items LIMIT 20')];
    if (key === 'GET /items/ID') return [200, (await rows('SELECT * FROM items WHERE id = $1', [request.url.slice(7)]))[0]];
    if (key !== 'POST /items') return [404, {}];
    const id = randomUUID();
    await rows('INSERT INTO items VALUES ($1, $2)', [id, JSON.parse(body).name]);
    return [201, { id }];
  };
  const [status, sent] = await answer();
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(sent));
}).listen(process.env.PORT || 3000);
`;

const README = `Log in with username **ann** and password **s3cret**.

    curl -d '{"username": "ann", "password": "s3cret"}' localhost:3000/login
    curl -H "Authorization: Bearer $TOKEN" localhost:3000/items
    curl -H "Authorization: Bearer $TOKEN" --json '{"name": "a thing"}' localhost:3000/items
    curl -H "Authorization: Bearer $TOKEN" localhost:3000/items/$ID
`;

it('a service that is empty and closed is measured with what its README says, by the spec as init has written it', async () => {
  const folder = specFolder({
    'package.json': JSON.stringify({ name: 'shop', scripts: { start: 'node server.js' }, dependencies: { pg: '8' } }),
    'server.js': SERVER,
    'README.md': README,
  });
  symlinkSync(path.resolve('node_modules'), path.join(folder, 'node_modules'));
  const init = await wrkbench(['init', '--runtime', 'process'], { cwd: folder, env: { WRKBENCH_WRK: '/no-wrk' } });
  expect(init.status).toBe(0);
  const file = path.join(folder, 'wrkbench.yml');
  const text = readFileSync(file, 'utf8');
  const spec = readSpec(text, 'wrkbench.yml');
  expect(spec.endpoints.map(({ method, path: asked }) => `${method} ${asked}`)).toEqual([
    'GET /items',
    'GET /items/${prepare.ID}',
    'POST /items',
  ]);

  // The load alone is less: what is to be seen is that each case is answered as the spec says.
  const load = 'load: {wrk: {threads: 1, connections: [2], keep-alive: on}}\n\n';
  writeFileSync(file, text.replace(/^load:\n[\s\S]*?(?=^gate:)/m, load));
  const run = await wrkbench(['run', '--quick', '--baseline', 'none', '--runtime', 'process', '--out', 'out'], {
    cwd: folder,
  });
  expect(run.status, run.stdout + run.stderr).toBe(0);
  const { cases } = readRunRecord(readFileSync(path.join(folder, 'out', 'run.json'), 'utf8'), 'run.json');
  expect(cases.map(({ endpoint, status }) => `${endpoint} ${status}`).toSorted()).toEqual([
    'items valid',
    'items-id valid',
    'post-items valid',
  ]);
});
