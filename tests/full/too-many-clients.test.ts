// needs: wrk, postgres, linux
// seconds: 10
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { recordIn, wrkbench } from '../e2e/support/command.ts';
import { specFolder } from '../support/spec-folder.ts';

const pg = JSON.stringify(createRequire(import.meta.url).resolve('pg'));

/** With a pool that is larger than what the database lets in. */
const server = `
const { Pool } = require(${pg});
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 40 });
require('node:http').createServer(async (request, response) => {
  try {
    await pool.query('SELECT pg_sleep(0.02)');
    response.end('ok');
  } catch (error) {
    console.error('query failed: ' + error.message);
    response.writeHead(500).end();
  }
}).listen(process.env.PORT, '127.0.0.1');
`;

const spec = `
name: clients
services:
  node: {command: [node, server.js], port: 18475, env: {PORT: "\${port}", DATABASE_URL: "\${database.url}"}, ready: {path: /}}
database: {settings: {max_connections: 12}}
endpoints: {slow: /}
load:
  wrk: {threads: 1, connections: [32], keep-alive: [on], duration: 1s}
  warm-up: 0s
`;

describe('a service that opens more connections than its database takes', () => {
  it('is invalid in its own words and those of Postgres', async () => {
    const cwd = specFolder({ 'wrkbench.yml': spec, 'server.js': server });
    await wrkbench(['run', '--out', 'out', '--runtime', 'process'], { cwd });
    const [reason] = recordIn(`${cwd}/out`).cases[0]!.reasons;
    expect(reason!.code).toBe('errors');
    expect(reason!.message).toMatch(
      /requests failed \(status [\d,]+\); up to 0\.1 % is let pass.*\. The service printed: query failed: .*(?:too many clients already|remaining connection slots are reserved).*\. Postgres logged: .*FATAL: .*(?:too many clients already|remaining connection slots are reserved)/,
    );
  });
});
