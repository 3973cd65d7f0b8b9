// needs: wrk, postgres, linux
// seconds: 12
import path from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { recordIn, wrkbench } from '../e2e/support/command.ts';
import { leftovers } from '../e2e/support/leftovers.ts';
import { itemStoreProgram } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';

let program = '';
beforeAll(async () => {
  program = await itemStoreProgram();
});

const spec = (migrate: string) => `
name: store
services:
  web:
    command: [node, ${program}, serve]
    port: 18475
    env: {PORT: "\${port}", DATABASE_URL: "\${database.url}"}
    ready: /ping
database: {}
prepare:
  - job: [node, ${program}, ${migrate}]
  - sql: seed.sql
  - requests: {method: POST, path: /items, body: '{"name": "item \${n}"}', expect: 201, repeat: 100}
endpoints:
  create: {method: POST, path: /items, body: '{"name": "x"}', expect: {status: 201, json: {name: x}}}
  items: {path: /items, expect: {json: [{name: seed 1}]}}
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on, off], duration: 1s}
  warm-up: 300ms
  cool-down: 100ms
`;
const SEED = "INSERT INTO items (name) SELECT 'seed ' || n FROM generate_series(1, 200) AS n;\n";

describe('an application that migrates by a job', () => {
  it('is measured with data that were made after that, where it writes as well', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec('migrate'), 'seed.sql': SEED });
    const { status, stderr } = await wrkbench(['run', '--out', 'out', '--runtime', 'process', '--seed', '7'], {
      cwd: folder,
    });
    const record = recordIn(path.join(folder, 'out'));
    expect(record.cases.map(({ key, status: verdict }) => [key, verdict])).toEqual([
      ['web/create/direct/wrk/keep-alive/4', 'valid'],
      ['web/create/direct/wrk/keep-alive-off/4', 'valid'],
      ['web/items/direct/wrk/keep-alive/4', 'valid'],
      ['web/items/direct/wrk/keep-alive-off/4', 'valid'],
    ]);
    for (const { metrics } of record.cases) {
      expect(metrics['queries-per-request']?.value).toBe(1);
      expect(metrics.errors?.value).toBe(0);
    }
    // Every step once, whatever comes after it: nobody wants a line a second in a log.
    expect(stderr.split('\n').filter((line) => /starting|preparing|took|data back/.test(line))).toEqual([
      '[1/4] starting web',
      `preparing web: step 1 of 3, job: node ${program} migrate`,
      'preparing web: step 2 of 3, sql: seed.sql',
      'preparing web: step 3 of 3, requests: POST /items',
      'preparing web: taking a snapshot of the data',
    ]);
    expect(record.timing.preparingSeconds).toBeGreaterThan(0);
    expect(record.spec.prepare?.map(({ kind }) => kind)).toEqual(['job', 'sql', 'requests']);
    expect(stderr).not.toContain('fell over');
    expect(leftovers(record.id, folder)).toEqual([]);
    expect(status).toBe(0);
  });

  it('is not measured where a step fails, and told which and why', async () => {
    const folder = specFolder({ 'wrkbench.yml': spec('fail, no, such, column'), 'seed.sql': SEED });
    const { status, stdout } = await wrkbench(['run', '--out', 'out', '--runtime', 'process'], { cwd: folder });
    const record = recordIn(path.join(folder, 'out'));
    expect(record.cases[0]?.reasons).toEqual([
      {
        code: 'prepare-failed',
        message: expect.stringMatching(
          /^web: prepare step 1 \(job: node .*exited with status 3\. Its last log lines say why\.\n {4}no such column$/s,
        ),
      },
    ]);
    expect(stdout).toContain('prepare step 1 (job: node');
    expect(stdout).toContain('no such column');
    expect(status).toBe(4);
  });
});
