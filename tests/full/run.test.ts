// needs: engine, wrk, k6, ab, h2load, postgres, go, linux
// seconds: 84
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { reasonsIn, recordIn, start, wrkbench } from '../e2e/support/command.ts';
import { expectInterruptedToLeaveNothing, load } from '../e2e/support/interrupted-run.ts';
import { leftovers } from '../e2e/support/leftovers.ts';
import { IMAGES } from '../support/images.ts';
import { misbehavingProgram, REST_NODE_SQL_FILES, restNodeProgram } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { keepJournal } from './support/keep-journal.ts';

describe('wrkbench run in containers', () => {
  it('measures services with Postgres, pooler and gateway by all four generators, and reports', async () => {
    const folder = specFolder({
      ...REST_NODE_SQL_FILES,
      'wrkbench.yml': `
name: rest
services:
  node:
    image: ${IMAGES.restNode}
    port: 8080
    env: {DATABASE_URL: "\${database.url}"}
    ready: {path: /ping}
  static: {image: "${IMAGES.misbehaving}", port: 8080, ready: {path: /ping}, role: reference}
database:
  image: ${IMAGES.postgres}
  init: [schema.sql, users.sql]
  pooler: {kind: pgbouncer, image: "${IMAGES.pgbouncer}", mode: session}
gateway: {kind: nginx, image: "${IMAGES.nginx}"}
endpoints:
  ping: {path: /ping, expect: {json: {ok: true, message: OK}}}
load:
  wrk: {threads: 1, connections: [8], keep-alive: [on], duration: 1s}
  k6: {rate: 200/s, connections: [50], keep-alive: [on], duration: 1s}
  ab: {requests: 500, connections: [8]}
  h2load: {rate: 200/s, connections: [8], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
`,
    });
    const out = path.join(folder, 'out');
    const { status, stdout, stderr } = await wrkbench(['run', 'wrkbench.yml', '--out', 'out', '--seed', '7'], {
      cwd: folder,
    });
    const record = recordIn(out);
    expect(record.seed).toBe(7);
    expect(record.environment.runtime).toBe('docker');
    expect(record.environment.versions.postgres).toMatch(/^15\./);
    expect(Object.keys(reasonsIn(out)).sort()).toEqual(
      ['node', 'static'].flatMap((service) =>
        ['direct', 'gateway'].flatMap((route) => [
          `${service}/ping/${route}/ab/keep-alive-off/8`,
          `${service}/ping/${route}/h2load/keep-alive/8@200ps`,
          `${service}/ping/${route}/k6/keep-alive/50@200ps`,
          `${service}/ping/${route}/wrk/keep-alive/8`,
        ]),
      ),
    );
    for (const each of record.cases) {
      expect(each.metrics.throughput?.value, each.key).toBeGreaterThan(0);
      expect(each.metrics['cpu-per-request']?.value, each.key).toBeGreaterThan(0);
      expect(each.metrics['memory-peak']?.value, each.key).toBeGreaterThan(0);
      const phases = {
        wrk: [],
        k6: ['connect', 'sending', 'waiting', 'receiving'],
        ab: ['connect', 'processing', 'waiting'],
        h2load: ['connect', 'first byte'],
      };
      expect(Object.keys(each.reported?.phasesMs ?? {}), each.key).toEqual(phases[each.generator]);
      for (const raw of each.raw) expect(existsSync(path.join(out, raw)), raw).toBe(true);
      expect(each.raw.length).toBeGreaterThan(0);
    }
    expect(readdirSync(out).sort()).toEqual(['journal.jsonl', 'raw', 'report.html', 'report.md', 'run.json']);
    expect(stdout).toContain(`Report: ${path.join('out', 'report.html')}`);
    expect(stderr).toContain('node: 8 cases');
    expect(leftovers(record.id, folder)).toEqual([]);
    expect(status).toBe(record.cases.every(({ status: verdict }) => verdict === 'valid') ? 0 : 1);
    keepJournal('all-generators', out, { status, stdout });
  });

  it('counts queries, rows and bytes of one request exactly', async () => {
    const folder = specFolder({
      ...REST_NODE_SQL_FILES,
      'wrkbench.yml': `
name: counts
services:
  node:
    image: ${IMAGES.restNode}
    port: 8080
    env: {DATABASE_URL: "\${database.url}"}
    ready: {path: /ping}
database: {image: "${IMAGES.postgres}", init: [schema.sql, users.sql]}
endpoints:
  ping: /ping
  users: /users
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
`,
    });
    const ended = await wrkbench(['run', '--out', 'out'], { cwd: folder });
    const figures = Object.fromEntries(
      recordIn(path.join(folder, 'out')).cases.map(({ endpoint, metrics }) => [
        endpoint,
        [metrics['queries-per-request']?.value, metrics['rows-per-request']?.value],
      ]),
    );
    expect(figures).toEqual({ ping: [0, 0], users: [1, 1] });
    keepJournal('counts', path.join(folder, 'out'), ended);
  });
});

describe('wrkbench run in containers, interrupted', () => {
  it('by SIGHUP while a trial runs: exit status 130, and nothing is left', () =>
    expectInterruptedToLeaveNothing('SIGHUP', /^\[1\/2\] static\//m));
});

describe('wrkbench run with processes', () => {
  it('measures a service that speaks HTTP/2, which h2load warms up too', async () => {
    const folder = specFolder({
      'server.mjs': `
import { createServer } from 'node:http2';
createServer((request, response) => response.end('{"ok":true}')).listen(Number(process.env.PORT));
`,
      'wrkbench.yml': `
name: over-http2
services:
  node: {command: [node, server.mjs], port: 8080, env: {PORT: "\${port}"}, protocol: h2}
endpoints:
  ping: {path: /ping, expect: {json: {ok: true}}}
load:
  h2load: {rate: 30%, connections: [8], streams: 4, duration: 1s}
  warm-up: 1s
  cool-down: 100ms
`,
    });
    const out = path.join(folder, 'out');
    const ended = await wrkbench(['run', '--runtime', 'process', '--out', 'out'], { cwd: folder });
    const [only, ...others] = recordIn(out).cases;
    expect(others).toEqual([]);
    expect(only!.key).toBe('node/ping/direct/h2load/keep-alive/8@30%');
    // A share of what h2load itself has found in the second before.
    expect(only!.rate).toBeGreaterThan(100);
    expect(only!.metrics['latency-p99']?.value).toBeGreaterThan(0);
    expect(only!.metrics['cpu-per-request']?.value).toBeGreaterThan(0);
    expect(readFileSync(path.join(out, 'report.md'), 'utf8')).toContain('Asked over HTTP/2, without TLS: node.');
    keepJournal('http2', out, ended);
  });

  it('leaves out what this machine cannot load, says what to change, and measures the rest', async () => {
    const folder = specFolder({
      'wrkbench.yml': `
name: wide
services:
  go: {command: ["${await misbehavingProgram()}"], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}
endpoints:
  ping: {path: /ping}
load:
  wrk: {threads: 1, connections: [8, 2000], keep-alive: on, duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
`,
    });
    const unable = ['setpriv', '--bounding-set', '-sys_resource', '--inh-caps', '-sys_resource'];
    const call = (...args: string[]) =>
      wrkbench(args, { cwd: folder, under: [...unable, 'prlimit', '--nofile=1500:1500'] });
    const process = ['--runtime', 'process'];
    const planned = await call('plan');
    expect(planned.stdout).toContain('wide: 1 case of 1 service');
    expect(planned.stdout).toContain(
      '\n  go/ping/direct/wrk/keep-alive/2000\n  2,000 connections need 2,256 open files; ',
    );

    const run = await call('run', '--out', 'out', ...process);
    expect(run.stderr).toContain('go/ping/direct/wrk/keep-alive/2000 is beyond what this machine can load');
    expect(run.stdout).toMatch(/^\nwide: 2 cases, 1 not measured, /);
    const { cases } = recordIn(path.join(folder, 'out'));
    expect(cases.map(({ status, connections }) => [status, connections])).toEqual([
      ['valid', 8],
      ['invalid', 2000],
    ]);
    expect(cases[1]!.reasons).toEqual([
      {
        code: 'machine-limit',
        message: expect.stringMatching(/^not measured: 2,000 connections need 2,256 open files; /),
      },
    ]);
    expect(readFileSync(path.join(folder, 'out', 'report.md'), 'utf8')).toContain('### Cases that were not measured');
    expect(run.status).toBe(1);

    const look = await call('run', '--out', 'look', '--quick', ...process);
    // A first look takes the most that this machine can.
    expect([look.status, reasonsIn(path.join(folder, 'look'))]).toEqual([0, { 'go/ping/direct/wrk/keep-alive/8': [] }]);
    const refused = await call('run', '--out', 'refused', '--only', '*/2000', ...process);
    expect(refused.stderr).toContain('2,000 connections need 2,256 open files');
    expect([refused.status, existsSync(path.join(folder, 'refused', 'run.json'))]).toEqual([3, false]);
    keepJournal('too-many-connections', path.join(folder, 'out'), run);
  });

  it('measures a service beside a real Postgres, without an engine', async () => {
    const folder = specFolder({
      ...REST_NODE_SQL_FILES,
      'wrkbench.yml': `
name: rest
services:
  node:
    command: [node, ${await restNodeProgram()}]
    port: 8080
    env: {PORT: "\${port}", DATABASE_URL: "\${database.url}"}
    ready: {path: /ping}
database: {image: "postgres:18", init: [schema.sql, users.sql]}
endpoints:
  ping: {path: /ping, expect: {json: {ok: true}}}
  db-ping: {path: /db/ping, expect: {json: {ok: true}}}
${load}`,
    });
    const { status, stdout } = await wrkbench(['run', '--out', 'out', '--json'], {
      cwd: folder,
      env: { DOCKER_HOST: 'unix:///nonexistent.sock' },
    });
    const record = JSON.parse(stdout);
    expect(record.environment.runtime).toBe('process');
    expect(record.cases).toHaveLength(4);
    expect(record).toEqual(recordIn(path.join(folder, 'out')));
    const dbPing = record.cases.find(({ endpoint }: { endpoint: string }) => endpoint === 'db-ping');
    expect(dbPing.metrics['queries-per-request'].value).toBe(1);
    expect(dbPing.metrics['database-cpu-per-request'].value).toBeGreaterThan(0);
    expect(leftovers(record.id, folder)).toEqual([]);
    keepJournal('process-database', path.join(folder, 'out'), { status, stdout: '' });
  });

  it('says which limits it could not judge, and fails for that where it is asked to', async () => {
    const folder = specFolder({
      'wrkbench.yml': `
name: rest
services:
  node:
    command: [node, ${await restNodeProgram()}]
    port: 8080
    env: {PORT: "\${port}"}
    ready: {path: /ping}
endpoints:
  ping: {path: /ping, expect: {json: {ok: true}}}
gate: {latency-p99: {max: 10s}, database-cpu-per-request: {max: 1ms}}
load:
  k6: {rate: 100/s, connections: [50], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
`,
    });
    const run = (...options: string[]) =>
      wrkbench(['run', '--out', 'out', '--runtime', 'process', ...options], { cwd: folder });
    const { status, stdout } = await run('--fail-on-inconclusive');
    expect(stdout).toContain('! database-cpu-per-request is limited, and no case of this run can be held to it.');
    expect(stdout).toMatch(
      /Limits that could not be judged:\n {2}node\/ping\S+: Latency, p99: \d+ requests are too few/,
    );
    expect(readFileSync(path.join(folder, 'out', 'report.md'), 'utf8')).toContain(
      'database-cpu-per-request is limited',
    );
    expect(Object.values(reasonsIn(path.join(folder, 'out')))).toEqual([[]]);
    expect(status).toBe(1);
    keepJournal('limits-not-judged', path.join(folder, 'out'), { status, stdout });
  });

  it('is interrupted by SIGTERM, keeps what it has, leaves nothing running, and goes on with --resume', async () => {
    const program = await misbehavingProgram();
    const folder = specFolder({
      'wrkbench.yml': `
name: long
services:
  go: {command: ["${program}"], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}
endpoints: {ping: /ping, time: /time}
${load}`,
    });
    const out = path.join(folder, 'out');
    const running = start(['run', '--out', 'out', '--runtime', 'process'], { cwd: folder });
    await running.prints(/^ {2}go\/\S+ {2}/m);
    running.process.kill('SIGTERM');
    const { status, stderr } = await running.ended;
    expect(status).toBe(130);
    expect(stderr).toContain('SIGTERM: taking down what was started. What was measured is kept.');
    const before = recordIn(out);
    expect(before.interrupted).toEqual({
      code: 'interrupted',
      message: 'The run was interrupted by SIGTERM; what it had measured is kept.',
    });
    expect(before.cases.length).toBeGreaterThan(0);
    expect(before.cases.length).toBeLessThan(4);
    expect(leftovers(before.id, folder)).toEqual([]);

    await wrkbench(['run', '--resume', 'out', '--runtime', 'process'], { cwd: folder });
    const after = recordIn(out);
    expect(after.id).toBe(before.id);
    expect(after.interrupted).toBeNull();
    expect(after.cases).toHaveLength(4);
    const sampled = (record: typeof before) =>
      new Map(record.cases.map(({ key, metrics }) => [key, metrics.throughput]));
    for (const [key, metric] of sampled(before)) expect(sampled(after).get(key)).toEqual(metric);
  });

  it('goes on after it was killed outright: the next start sweeps what is left', async () => {
    const program = await misbehavingProgram();
    const folder = specFolder({
      'wrkbench.yml': `
name: killed
services:
  go: {command: ["${program}"], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}
endpoints: {ping: /ping, time: /time}
${load.replace('[on, off]', '[on]')}`,
    });
    const running = start(['run', '--out', 'out', '--runtime', 'process'], { cwd: folder });
    await running.prints(/^ {2}go\/\S+ {2}/m);
    running.process.kill('SIGKILL');
    await running.ended;
    const journal = await wrkbench(['report', 'out', '--format', 'json'], { cwd: folder });
    expect(JSON.parse(journal.stdout)).toMatchObject({ interrupted: { code: 'interrupted' } });
    keepJournal('killed', path.join(folder, 'out'), { status: null, stdout: '' });
    await wrkbench(['run', '--resume', 'out', '--runtime', 'process'], { cwd: folder });
    const record = recordIn(path.join(folder, 'out'));
    expect(record.cases).toHaveLength(2);
    expect(leftovers(record.id, folder)).toEqual([]);
  });
});
