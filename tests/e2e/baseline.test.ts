import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { IMAGES } from '../support/images.ts';
import { misbehavingProgram, REST_NODE_SQL_FILES, restNodeProgram } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { branchedRepository } from './support/branched-repository.ts';
import { recordIn, start, wrkbench } from './support/command.ts';
import { comparisonIn, httpSpec, imageWith, removeImagesAtEnd } from './support/compared-runs.ts';
import { leftovers } from './support/leftovers.ts';

removeImagesAtEnd();

const program = await misbehavingProgram();

/** A spec of the same server as a process, which keeps its CPU busy for `burnUs` with each request, one request at a time. */
const burningSpec = (burnUs: number) =>
  httpSpec('', 'cpu-per-request: {max-increase: 5%}, budget: 120s').replace(
    'image: "", port: 8080,',
    `command: ["${program}"], port: 8080, env: {PORT: "\${port}", BURN_US: "${burnUs}", GOMAXPROCS: "1"},`,
  );

/**
 * What real load alone can show: that what is measured reaches the verdict. Each is as short as its verdict lets it be; the other stories
 * are in tests/full, and what is made of them is replayed from their journals in tests/unit/run/journals.test.ts.
 */
describe('wrkbench run with a baseline', () => {
  it('finds 100 us more of CPU per request in a duet, says so first, and fails', async () => {
    const folder = branchedRepository(
      { 'wrkbench.yml': burningSpec(300), '.gitignore': 'out\n' },
      { 'wrkbench.yml': burningSpec(400) },
    );
    const { status, stdout } = await wrkbench(
      ['run', '--out', 'out', '--runtime', 'process', '--seed', '7', '--baseline', 'commit:main'],
      { cwd: folder },
    );
    const out = path.join(folder, 'out');
    const { mode, gate, cases } = comparisonIn(out);
    expect(mode).toBe('duet');
    expect(gate.regressions.map(({ caseKey, metric }) => [caseKey, metric])).toEqual([
      ['go/ping/direct/wrk/keep-alive/16', 'cpu-per-request'],
    ]);
    // What a request costs without the burning is the machine's, and what burning costs besides: see tests/full/baseline.test.ts.
    expect(cases[0]!.explanation?.cpuUs?.service).toBeGreaterThan(81);
    expect(cases[0]!.explanation?.cpuUs?.service).toBeLessThan(128);
    const { change } = cases[0]!.metrics['cpu-per-request']!;
    expect(stdout).toContain(`Regression: go · /ping costs ${(change! * 100).toFixed(1)} % more CPU per request`);
    expect(status).toBe(1);
    expect(leftovers(recordIn(out).id, folder)).toEqual([]);
  });

  it('loads at a fixed rate by k6, and counts one query more exactly, with both sides’ own Postgres', async () => {
    const server = await restNodeProgram();
    // The first round is measured whatever the budget, and decides an exact count.
    const spec = (extraQueries: number) => `
name: database
services:
  node:
    command: [node, ${server}]
    port: 8080
    env: {PORT: "\${port}", DATABASE_URL: "\${database.url}", EXTRA_QUERIES: "${extraQueries}"}
    ready: {path: /ping}
database: {image: "postgres:18", init: [schema.sql, users.sql]}
endpoints: {db-ping: /db/ping}
load:
  k6: {rate: 40/s, connections: [4], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 0s
gate: {throughput: off, memory-peak: off, cpu-per-request: off, latency-p50: off, budget: 1s}
`;
    const folder = branchedRepository(
      { ...REST_NODE_SQL_FILES, 'wrkbench.yml': spec(0), '.gitignore': 'out\n' },
      { 'wrkbench.yml': spec(1) },
    );
    const out = path.join(folder, 'out');
    const { status, stdout } = await wrkbench(
      ['run', '--out', 'out', '--runtime', 'process', '--baseline', 'commit:main'],
      { cwd: folder },
    );
    const { gate, cases } = comparisonIn(out);
    expect(gate.regressions.map(({ caseKey, metric }) => [caseKey, metric])).toEqual([
      ['node/db-ping/direct/k6/keep-alive/4@40ps', 'queries-per-request'],
    ]);
    expect(cases[0]!.metrics['queries-per-request']).toMatchObject({ baseline: 1, candidate: 2, difference: 1 });
    expect(cases[0]!.explanation!.statements.map(({ query }) => query)).toContain('SELECT 1');
    const duets = recordIn(out).cases.flatMap(({ metrics }) => metrics['latency-p50']!.samples.map(({ mode }) => mode));
    expect(duets).toContain('duet');
    expect(stdout).toContain('Regression: node · /db/ping sends 2 queries per request instead of 1');
    expect(status).toBe(1);
    expect(leftovers(recordIn(out).id, folder)).toEqual([]);
  });

  it('leaves open what too few requests tell nothing of, and fails for that where it is asked to', async () => {
    const undecided = httpSpec(
      '',
      'cpu-per-request: off, latency-p50: off, latency-p99: {max-increase: 10%}, budget: 1s',
    )
      .replace('image: "", port: 8080,', `command: ["${program}"], port: 8080, env: {PORT: "\${port}"},`)
      .replace(/^ {2}wrk:.*$/m, '  k6: {rate: 40/s, connections: [4], keep-alive: [on], duration: 1s}');
    const folder = branchedRepository({ 'wrkbench.yml': undecided, '.gitignore': 'out\n' }, { 'README.md': 'words\n' });
    const { status, stdout } = await wrkbench(
      [
        'run',
        '--out',
        'out',
        '--runtime',
        'process',
        '--no-skip',
        '--fail-on-inconclusive',
        '--baseline',
        'commit:main',
      ],
      { cwd: folder },
    );
    const { gate } = comparisonIn(path.join(folder, 'out'));
    expect(gate).toMatchObject({ passed: false, regressions: [], notMeasured: [], invalid: [] });
    expect(gate.inconclusive.map(({ metric }) => metric)).toEqual(['latency-p99']);
    expect(stdout).toContain('Undecided');
    expect(status).toBe(1);
  });

  it('loads both sides in turn where the gate says so', async () => {
    const same = imageWith('same', IMAGES.misbehaving, { SAME: '1' });
    // The first round is measured whatever the budget.
    const folder = specFolder({ 'wrkbench.yml': httpSpec(same, 'pairing: interleaved, budget: 1s') });
    await wrkbench(['run', '--out', 'out', '--baseline', `image:${IMAGES.misbehaving}`], { cwd: folder });
    const out = path.join(folder, 'out');
    expect(comparisonIn(out).mode).toBe('interleaved');
    const samples = recordIn(out).cases.flatMap(({ metrics }) => metrics.throughput!.samples);
    expect(new Set(samples.map(({ mode }) => mode))).toEqual(new Set(['solo']));
    expect(samples.map(({ round }) => round)).toContain(1);
  });

  it('measures nothing where both sides are the same image, says so, and passes', async () => {
    const folder = specFolder({ 'wrkbench.yml': httpSpec(IMAGES.misbehaving, 'budget: 15s') });
    const { status, stdout } = await wrkbench(['run', '--out', 'out', '--baseline', `image:${IMAGES.misbehaving}`], {
      cwd: folder,
    });
    const out = path.join(folder, 'out');
    expect(comparisonIn(out).skipped?.message).toMatch(/same/);
    expect(comparisonIn(out).gate.passed).toBe(true);
    expect(recordIn(out).cases).toEqual([]);
    expect(stdout).toMatch(/same/);
    expect(status).toBe(0);
  });

  it('goes on with the baseline that it had when it is resumed, and not with another program', async () => {
    const same = imageWith('resumed', IMAGES.misbehaving, { SAME: '1' });
    // An exact count, which one round decides.
    const gate = 'cpu-per-request: off, bytes-per-response: {max-increase: 0}, budget: 120s';
    const folder = specFolder({ 'wrkbench.yml': httpSpec(same, gate) });
    const running = start(['run', '--out', 'out', '--baseline', `image:${IMAGES.misbehaving}`], { cwd: folder });
    await running.prints(/round 1 of both sides/);
    running.process.kill('SIGINT');
    expect((await running.ended).status).toBe(130);

    const out = path.join(folder, 'out');
    const before = recordIn(out);
    expect(leftovers(before.id, folder)).toEqual([]);
    const journal = readFileSync(path.join(out, 'journal.jsonl'), 'utf8');
    imageWith('resumed', IMAGES.misbehaving, { SAME: '2' });
    const other = await wrkbench(['run', '--resume', 'out'], { cwd: folder });
    expect(other.stderr).toMatch(
      /The candidate of go is sha256:\w+ now and was sha256:\w+ when \S+out was measured: two programs/,
    );
    expect(readFileSync(path.join(out, 'journal.jsonl'), 'utf8')).toBe(journal);
    expect(other.status).toBe(2);

    // The very image that it was, since a builder keeps its layers.
    imageWith('resumed', IMAGES.misbehaving, { SAME: '1' });
    const { status } = await wrkbench(['run', '--resume', 'out'], { cwd: folder });
    const after = recordIn(out);
    expect(after.id).toBe(before.id);
    expect(after.interrupted).toBeNull();
    expect(after.comparing?.baseline).toEqual(before.comparing?.baseline);
    for (const { key, variant, metrics } of after.cases) {
      const samples = metrics.throughput!.samples;
      const earlier = before.cases.find((each) => each.key === key && each.variant === variant)!;
      expect(samples.slice(0, 1), variant).toEqual(earlier.metrics.throughput!.samples);
      expect(samples.map(({ mode }) => mode)).toContain('duet');
    }
    expect(comparisonIn(out).gate).toMatchObject({ passed: true, inconclusive: [] });
    expect(status).toBe(0);
  });
});

describe('wrkbench run with a baseline that cannot be measured', () => {
  it.each([
    ['--baseline', 'newest', /expected auto, stored, none, image:REFERENCE, commit:REF or record:PATH/],
    ['--baseline', 'record:nowhere', /nowhere/],
    ['--accept', '/ping:cpu=because', /there is no metric cpu/],
  ])('%s %s: exit status 2, and nothing is started', async (option, value, sentence) => {
    const folder = specFolder({ 'wrkbench.yml': httpSpec(IMAGES.misbehaving, 'budget: 15s') });
    const { status, stderr } = await wrkbench(['run', '--out', 'out', option, value], { cwd: folder });
    expect(stderr).toMatch(sentence);
    expect(status).toBe(2);
  });
});
