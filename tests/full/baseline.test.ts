// seconds: 130
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { median } from '../../src/core/statistics/quantile.ts';
import { recordIn, start, wrkbench } from '../e2e/support/command.ts';
import { comparisonIn, httpSpec, imageWith, removeImagesAtEnd } from '../e2e/support/compared-runs.ts';
import { leftovers } from '../e2e/support/leftovers.ts';
import { IMAGES } from '../support/images.ts';
import { REST_NODE_SQL_FILES } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { keepJournal } from './support/keep-journal.ts';

removeImagesAtEnd();

describe('wrkbench run with a baseline', () => {
  it('finds 100 us more of CPU per request in a duet, says so first, and fails', async () => {
    // Both burn, since the first burning costs the server some 20 us more, for handing threads over; with one thread at a time what
    // it costs alone lies within some microseconds from run to run, and within a tenth of what it burns on a machine that others use.
    const plain = imageWith('plain', IMAGES.misbehaving, { BURN_US: '300', GOMAXPROCS: '1' });
    const slow = imageWith('slow', IMAGES.misbehaving, { BURN_US: '400', GOMAXPROCS: '1' });
    const folder = specFolder({ 'wrkbench.yml': httpSpec(slow, 'budget: 120s') });
    const out = path.join(folder, 'out');
    const { status, stdout } = await wrkbench(['run', '--out', 'out', '--seed', '7', '--baseline', `image:${plain}`], {
      cwd: folder,
    });
    const { mode, gate, cases, baseline } = comparisonIn(out);
    expect(gate.regressions.map(({ caseKey, metric }) => [caseKey, metric])).toEqual([
      ['go/ping/direct/wrk/keep-alive/16', 'cpu-per-request'],
    ]);
    expect(mode).toBe('duet');
    expect(baseline.origin).toContain(`image ${plain}`);
    const cpu = cases[0]!.metrics['cpu-per-request']!;
    expect(cpu.verdict).toBe('regression');
    // Of the duets, which the verdict is about. What each side costs alone is what was published of it: on a machine that others use
    // the one may have run while they did and the other not, so that their difference says nothing of the change.
    expect(cases[0]!.explanation?.cpuUs?.service).toBeGreaterThan(81);
    expect(cases[0]!.explanation?.cpuUs?.service).toBeLessThan(128);
    // What a request costs without the burning is the machine's: 100 us are another share of it on each.
    const record = recordIn(out);
    const base = record.cases.find(({ variant }) => variant === 'baseline')!.metrics['cpu-per-request']!;
    const duetUs = median(base.samples!.filter(({ mode }) => mode === 'duet').map(({ value }) => value));
    expect(duetUs).toBeGreaterThan(300);
    expect(Math.abs(cpu.change! - cases[0]!.explanation!.cpuUs!.service / duetUs)).toBeLessThan(0.05);
    expect(cpu.difference).toBe(cpu.candidate! - cpu.baseline!);
    expect(stdout).toContain(`Regression: go · /ping costs ${(cpu.change! * 100).toFixed(1)} % more CPU per request`);
    expect(status).toBe(1);
    expect(record.cases.map(({ variant }) => variant).sort()).toEqual(['baseline', 'candidate']);
    expect(readdirSync(out).sort()).toEqual([
      'comparison.json',
      'journal.jsonl',
      'raw',
      'report.html',
      'report.md',
      'run.json',
    ]);
    expect(readFileSync(path.join(out, 'report.md'), 'utf8').split('\n')[2]).toMatch(
      /^🔴 Regression: .*costs \d\d\.\d % more CPU per request/,
    );
    expect(leftovers(record.id, folder)).toEqual([]);
    keepJournal('slower', out, { status, stdout });
  });

  it('counts one query more exactly, with both sides’ own Postgres, and names the statement', async () => {
    const chatty = imageWith('chatty', IMAGES.restNode, { EXTRA_QUERIES: '1' });
    const folder = specFolder({
      ...REST_NODE_SQL_FILES,
      'wrkbench.yml': `
name: database
services:
  node:
    image: ${chatty}
    port: 8080
    env: {DATABASE_URL: "\${database.url}"}
    ready: {path: /ping}
database: {image: "${IMAGES.postgres}", init: [schema.sql, users.sql]}
endpoints: {db-ping: /db/ping}
load:
  wrk: {threads: 1, connections: [8], keep-alive: [on], duration: 1s}
  k6: {rate: 30%, connections: [50], keep-alive: [on], duration: 1s}
  warm-up: 200ms
  cool-down: 100ms
gate: {throughput: off, memory-peak: off, cpu-per-request: off, latency-p50: off, budget: 20s}
`,
    });
    const out = path.join(folder, 'out');
    const { status, stdout } = await wrkbench(['run', '--out', 'out', '--baseline', `image:${IMAGES.restNode}`], {
      cwd: folder,
    });
    const { gate, endpoints } = comparisonIn(out);
    expect(gate.regressions.map(({ caseKey, metric }) => [caseKey, metric])).toEqual([
      ['node/db-ping/*', 'queries-per-request'],
    ]);
    const [endpoint] = endpoints;
    expect(endpoint!.metrics['queries-per-request']).toMatchObject({ baseline: 1, candidate: 2, difference: 1 });
    const queries = endpoint!.explanation!.statements.map(({ query }) => query);
    expect(queries.length).toBeGreaterThan(0);
    const duets = recordIn(out).cases.flatMap(({ metrics }) => metrics['latency-p50']!.samples.map(({ mode }) => mode));
    expect(duets).toContain('duet');
    expect(status).toBe(1);
    expect(leftovers(recordIn(out).id, folder)).toEqual([]);
    keepJournal('new-query', out, { status, stdout });
  });

  it('goes on with the baseline that it had when it is resumed, and not with another program', async () => {
    const same = imageWith('resumed', IMAGES.misbehaving, { SAME: '1' });
    // A limit that the first analysis decides.
    const gate = 'cpu-per-request: {max-increase: 100%}, budget: 120s';
    const folder = specFolder({ 'wrkbench.yml': httpSpec(same, gate) });
    const running = start(['run', '--out', 'out', '--baseline', `image:${IMAGES.misbehaving}`], { cwd: folder });
    await running.prints(/round 2 of both sides/);
    running.process.kill('SIGINT');
    const interrupted = await running.ended;
    expect(interrupted.status).toBe(130);

    const out = path.join(folder, 'out');
    keepJournal('interrupted', out, interrupted);
    const journal = path.join(out, 'journal.jsonl');
    const kept = readFileSync(journal, 'utf8');
    imageWith('resumed', IMAGES.misbehaving, { SAME: '2' });
    const other = await wrkbench(['run', '--resume', 'out'], { cwd: folder });
    expect(other.stderr).toMatch(
      /The candidate of go is sha256:\w+ now and was sha256:\w+ when \S+out was measured: two programs/,
    );
    expect(readFileSync(journal, 'utf8')).toBe(kept);
    expect(other.status).toBe(2);

    // The very image that it was, since a builder keeps its layers.
    imageWith('resumed', IMAGES.misbehaving, { SAME: '1' });
    const before = recordIn(out);
    const { status, stdout } = await wrkbench(['run', '--resume', 'out'], { cwd: folder });
    const after = recordIn(out);
    expect(after.id).toBe(before.id);
    expect(after.interrupted).toBeNull();
    expect(after.comparing?.baseline).toEqual(before.comparing?.baseline);
    for (const { variant, metrics } of after.cases) {
      const pairs = metrics.throughput!.samples.map(({ round, mode, pair }) => `${round} ${mode} ${pair}`);
      expect(new Set(pairs).size, variant).toBe(pairs.length);
    }
    expect(status).toBe(0);
    keepJournal('resumed', out, { status, stdout });
    // Where the machine is busy, it takes its whole budget.
  }, 240_000);
});

describe('wrkbench run with a baseline, and a change of just about the limit', () => {
  it('leaves it open, says so, and passes', async () => {
    const plain = imageWith('plain', IMAGES.misbehaving, { BURN_US: '300', GOMAXPROCS: '1' });
    const slow = imageWith('slow', IMAGES.misbehaving, { BURN_US: '400', GOMAXPROCS: '1' });
    const compared = async (limit: string, seconds: number) => {
      const spec = httpSpec(slow, `cpu-per-request: {max-increase: ${limit}}, budget: ${seconds}s`);
      const folder = specFolder({ 'wrkbench.yml': spec });
      const call = ['run', '--out', 'out', '--seed', '7', '--baseline', `image:${plain}`];
      const ended = await wrkbench(call, { cwd: folder });
      const out = path.join(folder, 'out');
      const { cases, gate } = comparisonIn(out);
      return { out, ...ended, gate, change: cases[0]!.metrics['cpu-per-request']!.change! };
    };
    // What a request costs without the burning is the machine's, and so is the limit that the change is about. Two runs of one change
    // differ by chance, and one in some twenty by more than its interval: then the limit is between both.
    let last = await compared('900%', 20);
    const changes: number[] = [];
    do {
      changes.push(last.change);
      const limit = (changes.reduce((sum, each) => sum + each) / changes.length) * 100;
      last = await compared(`${limit.toFixed(1)}%`, 25);
    } while (last.gate.inconclusive.length === 0 && changes.length < 3);
    const { out, status, stdout, gate } = last;
    expect(gate).toMatchObject({ passed: true, regressions: [], invalid: [], notMeasured: [] });
    expect(gate.inconclusive.map(({ metric }) => metric)).toEqual(['cpu-per-request']);
    expect(status).toBe(0);
    keepJournal('undecided', out, { status, stdout });
  });
});
