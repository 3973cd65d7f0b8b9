// needs: engine, wrk, postgres, go, root, linux
// seconds: 138
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { containers, load, runOf } from '../e2e/support/bad-luck.ts';
import { type Running, reasonsIn, recordIn, start } from '../e2e/support/command.ts';
import { leftovers } from '../e2e/support/leftovers.ts';
import { loaded } from '../e2e/support/loaded.ts';
import { IMAGES } from '../support/images.ts';
import { misbehavingProgram, REST_NODE_SQL_FILES } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { keepJournal } from './support/keep-journal.ts';

const program = await misbehavingProgram();

/** One run of many services: what befalls one costs none of the others, and a test has its own to look at. */
function among(services: Record<string, { env: Record<string, string>; more?: string; timeout?: string }>): string {
  const lines = Object.entries(services).map(
    ([name, { env, more = '', timeout = '3s' }]) =>
      `  ${name}: {image: "${IMAGES.misbehaving}", port: 8080, env: ${JSON.stringify(env)}, ready: {path: /ping, timeout: ${timeout}}${more}}`,
  );
  return `
name: bad-luck
services:
${lines.join('\n')}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
${load}`;
}

/** Resolves half a second into the load of a trial, where nothing is loaded to warm up. */
async function inATrial(running: Running): Promise<void> {
  await loaded(running.process);
  await sleep(500);
}

/** Key of the case that each service has. */
const caseOf = (service: string) => `${service}/ping/direct/wrk/keep-alive/8`;

describe('services in containers, beside a healthy one', () => {
  const services = {
    // Never ready, however long they are given.
    deaf: { env: { LISTEN_PORT: '9090' }, timeout: '1s' },
    unready: { env: { NEVER_READY: '1' }, timeout: '1s' },
    absent: { env: { EXIT_AT_START: '1' } },
    leaving: { env: { EXIT_AFTER: '3000' } },
    hanging: { env: { HANG_AFTER: '3000' } },
    hungry: { env: { ALLOCATE_KB: '64' }, more: ', memory: 64m' },
    restarting: { env: { RESTART_AFTER: '5000' } },
    changing: { env: { WRONG_BODY_AFTER: '5000' } },
    wrong: { env: { WRONG_BODY_AFTER: '1' } },
    failing: { env: { FAIL_EVERY: '100' } },
    closing: { env: { ALWAYS_CLOSE: '1' } },
    healthy: { env: {} },
  };
  let run: Awaited<ReturnType<typeof runOf>>;

  it('are all measured or given up one by one, and the run fails', async () => {
    run = await runOf(among(services));
    expect(run.status).toBe(1);
    expect(Object.keys(run.reasons).sort()).toEqual(Object.keys(services).map(caseOf).sort());
    keepJournal('bad-luck', run.out, run);
  }, 300_000);

  it('the healthy one is valid', () => {
    expect(run.reasons[caseOf('healthy')]).toEqual([]);
  });

  it('whose port nothing listens on: the ports that it does listen on are named', () => {
    expect(run.reasons[caseOf('deaf')]).toEqual(['nothing-listens']);
    expect(run.stderr).toMatch(/8080[\s\S]*9090/);
  });

  it('that never gets ready', () => {
    expect(run.reasons[caseOf('unready')]).toEqual(['not-ready']);
    expect(run.stderr).toMatch(/unready was asked for [^\n]*\b503\b/);
  });

  it('that exits at its start: its last lines are shown', () => {
    expect(run.reasons[caseOf('absent')]).toEqual(['exited']);
    expect(run.stderr).toContain('fatal: cannot read /etc/server.conf');
  });

  it('that exits under load, again and again', () => {
    expect(run.reasons[caseOf('leaving')]).toContain('exited');
    expect(run.stderr).toContain('fatal: giving up after 3000 requests');
    expect(run.record.cases.find(({ key }) => key === caseOf('leaving'))?.status).toBe('invalid');
  });

  it('that hangs under load', () => {
    expect(run.reasons[caseOf('hanging')]?.length).toBeGreaterThan(0);
  });

  it('that is killed for its memory', () => {
    expect(run.reasons[caseOf('hungry')]).toContain('out-of-memory');
    expect(run.stderr).toContain('hungry: The service ran out of memory');
    expect(run.stderr).toContain('Its limit is 64.0 MiB.');
  });

  it('that restarts itself under load', () => {
    expect(run.reasons[caseOf('restarting')]).toContain('server-restarted');
  });

  it('that answers something else after a while', () => {
    expect(run.reasons[caseOf('changing')]).toContain('unexpected-body');
  });

  it('that answers wrongly from the start: the difference is shown', () => {
    expect(run.reasons[caseOf('wrong')]).toEqual(['unexpected-body']);
    expect(run.stderr).toContain('json: $.ok: expected true, got false');
  });

  it('that fails every hundredth request', () => {
    expect(run.reasons[caseOf('failing')]).toEqual(['errors']);
    const own = run.record.cases.find(({ key }) => key === caseOf('failing'));
    expect(own?.metrics.errors?.value).toBeCloseTo(0.01, 3);
  });

  it('that closes connections that it was asked to keep', () => {
    expect(run.reasons[caseOf('closing')]).toContain('keep-alive-not-on');
  });
});

describe('a service in a container', () => {
  it('that ignores Connection: close', async () => {
    // Opening connections fills the generator's core first where a server has nothing to do.
    const busy = { BURN_US: '40' };
    const spec = containers({ IGNORE_CLOSE: '1', ...busy }, '', busy).replace('keep-alive: [on]', 'keep-alive: [off]');
    const ended = await runOf(spec);
    expect(ended.reasons).toEqual({
      'bad/ping/direct/wrk/keep-alive-off/8': ['keep-alive-not-off'],
      'good/ping/direct/wrk/keep-alive-off/8': [],
    });
    keepJournal('ignores-close', ended.out, ended);
  });
});

describe('a database', () => {
  const withDatabase = (init: string) => `
name: database
services:
  node:
    image: ${IMAGES.restNode}
    port: 8080
    env: {DATABASE_URL: "\${database.url}"}
    ready: {path: /ping}
database: {image: "${IMAGES.postgres}", init: [${init}]}
endpoints: {ping: /ping, db-ping: /db/ping}
load:
  wrk: {threads: 1, connections: [8], keep-alive: [on], duration: 2s}
  warm-up: 0s
  cool-down: 100ms
`;

  it('with bad init SQL: file, line and what Postgres says', async () => {
    const { status, stdout, stderr, reasons, out } = await runOf(withDatabase('bad.sql'), {
      'bad.sql': 'CREATE TABLE a (id int);\n\nINSERT INTO a VALUES (1, 2);\n',
    });
    expect(Object.values(reasons)).toEqual([['init-sql-failed'], ['init-sql-failed']]);
    expect(stderr).toMatch(/bad\.sql:3.*INSERT has more expressions than target columns/);
    expect(status).toBe(4);
    keepJournal('bad-init-sql', out, { status, stdout });
  });

  it('that is killed under load: the case says so, and the next one gets a fresh testbed', async () => {
    const folder = specFolder({ ...REST_NODE_SQL_FILES, 'wrkbench.yml': withDatabase('schema.sql, users.sql') });
    const filters = ['--filter', 'label=wrkbench.run', '--filter', `ancestor=${IMAGES.postgres}`];
    const databases = () =>
      execFileSync('docker', ['ps', '-q', ...filters], { encoding: 'utf8' })
        .split(/\s+/)
        .filter(Boolean);
    const ofOthers = databases();
    const running = start(['run', '--out', 'out'], { cwd: folder });
    await running.prints(/^\[1\/2\] node\//m);
    const own = databases().filter((id) => !ofOthers.includes(id));
    await inATrial(running);
    execFileSync('docker', ['kill', '-s', 'KILL', ...own]);
    const ended = await running.ended;
    const record = recordIn(path.join(folder, 'out'));
    const statuses = record.cases.map(({ status }) => status).sort();
    expect(statuses).toEqual(['invalid', 'valid']);
    expect(record.cases.flatMap(({ reasons }) => reasons.map(({ code }) => code))).toContain('database-exited');
    expect(leftovers(record.id, folder)).toEqual([]);
    keepJournal('database-killed', path.join(folder, 'out'), ended);
  });
});

describe('a generator', () => {
  it('that is killed: its case is invalid, the others go on', async () => {
    const folder = specFolder({
      'wrkbench.yml': containers({}).replace('duration: 1s', 'duration: 2s').replace('warm-up: 200ms', 'warm-up: 0s'),
    });
    const running = start(['run', '--out', 'out'], { cwd: folder });
    await running.prints(/^\[1\/2\] (bad|good)\//m);
    await inATrial(running);
    execFileSync('pkill', ['-KILL', '-x', 'wrk']);
    const { status, stdout } = await running.ended;
    const reasons = Object.values(reasonsIn(path.join(folder, 'out')));
    expect(reasons.map((codes) => codes.length > 0).sort()).toEqual([false, true]);
    expect(reasons.flat()).toContain('generator-failed');
    expect(status).toBe(1);
    keepJournal('generator-killed', path.join(folder, 'out'), { status, stdout });
  });
});

describe('a machine', () => {
  it('whose disk is full: exit status 3, and every trial measured before is kept', async () => {
    const folder = specFolder({ 'wrkbench.yml': '' });
    const out = path.join(folder, 'small');
    mkdirSync(out);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=16m', 'tmpfs', out]);
    onTestFinished(() => {
      execFileSync('umount', ['-l', out]);
    });
    const services = Array.from(
      { length: 6 },
      (_, i) => `  s${i}: {command: ["${program}"], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}`,
    );
    writeFileSync(
      path.join(folder, 'wrkbench.yml'),
      `name: disk\nservices:\n${services.join('\n')}\nendpoints: {ping: /ping, time: /time}\n${load}`,
    );
    const running = start(['run', '--out', path.join(out, 'run'), '--runtime', 'process'], { cwd: folder });
    await running.prints(/^ {2}s\d\//m);
    execFileSync('sh', ['-c', `cat /dev/zero > ${path.join(out, 'filler')} 2>/dev/null; true`]);
    const { status, stderr } = await running.ended;
    expect(status).toBe(3);
    expect(stderr).toMatch(/The disk of \S+ is full/);
    const kept = readFileSync(path.join(out, 'run', 'journal.jsonl'), 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line));
    expect(kept.filter(({ kind }) => kind === 'trial').length).toBeGreaterThan(0);
  });

  it('that is measured on by another run: the second waits for the first', async () => {
    const folder = specFolder({
      'wrkbench.yml': `
name: two
services:
  go: {command: ["${program}"], port: 8080, env: {PORT: "\${port}"}, ready: {path: /ping}}
endpoints: {ping: /ping}
${load}`,
    });
    const first = start(['run', '--out', 'first', '--runtime', 'process'], { cwd: folder });
    await first.prints(/go: 1 case/);
    const second = start(['run', '--out', 'second', '--runtime', 'process'], { cwd: folder });
    await second.prints(/Waiting for another run to end/);
    expect((await first.ended).status).toBe(0);
    expect((await second.ended).status).toBe(0);
    const ended = (name: string) => Date.parse(recordIn(path.join(folder, name)).finishedAt);
    const began = Date.parse(recordIn(path.join(folder, 'second')).startedAt);
    expect(began).toBeGreaterThanOrEqual(ended('first'));
  });
});
