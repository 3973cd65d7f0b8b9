// needs: wrk, k6, postgres, linux
// seconds: 10
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordIn, wrkbench } from '../e2e/support/command.ts';
import { specFolder } from '../support/spec-folder.ts';

/** Articles of a database by their slugs, and what a form holds. */
const SERVER = `
const { createServer } = require('node:http');
const { createRequire } = require('node:module');
const pg = createRequire(process.env.PACKAGE)('pg');
const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 2 });
pool.on('error', () => {});
createServer(async (request, response) => {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  const send = (status, value) => {
    const text = JSON.stringify(value);
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }).end(text);
  };
  const { pathname } = new URL(request.url, 'http://x');
  const [, slug] = /^\\/articles\\/([^/]+)$/.exec(pathname) ?? [];
  if (pathname === '/upload') return send(201, { first: Buffer.concat(chunks)[0], type: request.headers['content-type'] });
  if (pathname === '/articles') return send(200, []);
  if (slug === undefined) return send(404, {});
  const { rows } = await pool.query('select slug from articles where slug = $1', [decodeURIComponent(slug)]);
  send(rows.length === 1 ? 200 : 404, rows);
}).listen(Number(process.env.PORT));
`;

const SPEC = `
name: articles
services:
  node:
    command: [node, server.cjs]
    port: 8080
    env: {PORT: "\${port}", DATABASE_URL: "\${database.url}", PACKAGE: ${JSON.stringify(path.resolve('package.json'))}}
    ready: /articles
database: {image: "postgres:15", init: articles.sql}
endpoints:
  list: /articles
  article: {path: "/articles/{slug}", values: {slug: {sql: select slug from articles limit 1000}}}
  traffic: {path: /, requests: traffic.jsonl}
  upload: {path: /upload, body-file: image.png, method: POST, expect: {status: 201, json: {first: 137}}}
  wrong: {path: "/articles/{slug}", values: {slug: [1 of/2000, missing]}}
mix: {browse: {list: 4, article: 1}}
load:
  wrk: {connections: 4, threads: 2, keep-alive: on, duration: 1s}
  warm-up: 0s
  cool-down: 0s
`;

describe('requests that differ', () => {
  it('are measured as one case, with exact counts of all of them', async () => {
    const folder = specFolder({
      'wrkbench.yml': SPEC,
      'server.cjs': SERVER,
      'articles.sql':
        "create table articles (slug text primary key); insert into articles select n || ' of/2000' from generate_series(1, 2000) n;",
      'traffic.jsonl':
        '{"path": "/articles", "weight": 3}\n{"method": "POST", "path": "/upload", "body": "x", "status": 201}\n',
      'image.png': Buffer.from([137, 80, 78, 71, 0, 255]),
    });
    const { stderr, stdout } = await wrkbench(['run', '--runtime', 'process', '--out', 'out', '--baseline', 'none'], {
      cwd: folder,
    });
    const { cases, services } = recordIn(path.join(folder, 'out'));
    const of = (endpoint: string) => cases.find((each) => each.endpoint === endpoint)!;
    const queries = (endpoint: string) => of(endpoint).metrics['queries-per-request']!.value;
    expect([stderr, cases.filter(({ status }) => status === 'valid').map(({ endpoint }) => endpoint)]).toEqual([
      expect.any(String),
      ['list', 'article', 'traffic', 'upload', 'browse'],
    ]);
    expect([queries('list'), queries('article'), queries('traffic'), queries('browse')]).toEqual([0, 1, 0, 0.2]);
    for (const each of ['article', 'traffic', 'browse']) expect(of(each).reported?.errors ?? {}).toEqual({});
    expect(services[0]!.requestSets!.map(({ endpoint, requests }) => [endpoint, requests]).sort()).toEqual([
      ['article', 1000],
      ['browse', 1001],
      ['traffic', 2],
      ['wrong', 2],
    ]);
    expect(of('wrong').reasons[0]!.message).toContain(
      'does not answer GET /articles/{slug}, shuffled as expected: GET /articles/missing: status: expected 200, got 404',
    );
    expect(stdout).toContain('browse');
    const written = ['run.json', 'journal.jsonl', 'report.md'].map((name) =>
      readFileSync(path.join(folder, 'out', name), 'utf8'),
    );
    expect(written.join('').length).toBeLessThan(200_000);
    expect(written[2]).toContain('GET /articles/{slug}, 1,000 requests, shuffled');
    expect(written.join('')).not.toContain('17%20of%2F2000');
  });
});
