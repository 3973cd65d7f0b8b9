// needs: wrk, postgres, linux
// seconds: 36
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Comparison } from '../../src/core/comparison/comparison.ts';
import { branchedRepository } from '../e2e/support/branched-repository.ts';
import { recordIn, wrkbench } from '../e2e/support/command.ts';

const pg = JSON.stringify(createRequire(import.meta.url).resolve('pg'));

/** So many queries for each request. */
const server = (queries: number) => `
const { Pool } = require(${pg});
const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
require('node:http').createServer(async (request, response) => {
  for (let count = 0; count < ${queries}; count += 1) await pool.query('SELECT count(*)::int AS n FROM users WHERE name = $1', ['a']);
  response.setHeader('content-type', 'application/json');
  response.end('{"ok":true}');
}).listen(process.env.PORT, '127.0.0.1');
`;

const spec = `
name: data
services:
  node: {command: [node, server.js], port: 18474, env: {PORT: "\${port}", DATABASE_URL: "\${database.url}"}, ready: {path: /}}
database: {init: [seed.sql], user: app}
endpoints: {users: {path: /, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, cpu-per-request: {max-increase: 20%}, budget: 10s}
`;

const seed = (rows: number) =>
  `CREATE TABLE users (id int, name text);\nINSERT INTO users SELECT n, 'user ' || n FROM generate_series(1, ${rows}) n;\n`;

async function compared(main: { queries: number; sql: string }, change: { queries: number; sql: string }) {
  const folder = branchedRepository(
    { 'wrkbench.yml': spec, 'server.js': server(main.queries), 'seed.sql': main.sql, '.gitignore': 'out*\n' },
    { 'server.js': server(change.queries), 'seed.sql': change.sql },
  );
  const args = ['run', '--out', 'out', '--runtime', 'process', '--baseline', 'auto', '--seed', '7'];
  const { status, stdout } = await wrkbench(args, { cwd: folder });
  const out = path.join(folder, 'out');
  const comparison: Comparison = JSON.parse(readFileSync(path.join(out, 'comparison.json'), 'utf8'));
  return { status, stdout, comparison, record: recordIn(out) };
}

describe('a change of the init SQL', () => {
  it('that shrinks the data is no green improvement: the gate says how many rows there were and are', async () => {
    const { status, stdout, comparison } = await compared(
      { queries: 1, sql: seed(20_000) },
      { queries: 1, sql: seed(1) },
    );
    expect(status).toBe(1);
    expect(comparison.gate.invalid).toEqual([
      {
        caseKey: '*',
        metric: null,
        message:
          'The candidate loads much less data than the baseline, and what is faster by that is no improvement. The ' +
          "baseline's database holds 20,000 rows, the candidate's 1 row. Load as much, or accept it by the name data-differ.",
      },
    ]);
    expect(comparison.warnings[0]).toMatchObject({ code: 'data-differ' });
    expect(stdout).toContain('The two sides load different data: init SQL (seed.sql).');
  });

  it('that hides queries is taken back: five queries instead of one are red', async () => {
    const off =
      'ALTER ROLE app SET pg_stat_statements.track = none;\nALTER DATABASE bench SET compute_query_id = off;\n';
    const { status, comparison } = await compared(
      { queries: 1, sql: seed(100) },
      { queries: 5, sql: `${seed(100)}${off}` },
    );
    expect(status).toBe(1);
    expect(comparison.gate.regressions).toContainEqual(
      expect.objectContaining({ metric: 'queries-per-request', message: expect.stringContaining('5') }),
    );
    expect(comparison.warnings[0]).toMatchObject({
      code: 'data-differ',
      message: expect.stringContaining("The baseline's database holds 100 rows, the candidate's 100 rows."),
    });
  });
});

describe('a change that adds a migration', () => {
  it('needs no change of a spec that names them by a glob: each side runs those of its own', async () => {
    const globbed = spec.replace('init: [seed.sql]', 'init: "migrations/*.sql"');
    const folder = branchedRepository(
      { 'wrkbench.yml': globbed, 'server.js': server(1), 'migrations/1_users.sql': seed(100), '.gitignore': 'out*\n' },
      { 'migrations/2_index.sql': 'CREATE INDEX users_by_name ON users (name);\n' },
    );
    const args = ['run', '--out', 'out', '--runtime', 'process', '--baseline', 'auto', '--seed', '7'];
    const { stdout } = await wrkbench(args, { cwd: folder });
    expect(stdout).toContain('The two sides load different data: init SQL (migrations/2_index.sql).');
    const record = recordIn(path.join(folder, 'out'));
    expect(record.spec.database?.init).toEqual(['migrations/1_users.sql', 'migrations/2_index.sql']);
  });
});
