// needs: go, h2load, wrk, root, linux
// seconds: 23
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { recordIn, wrkbench } from '../e2e/support/command.ts';
import { misbehavingProgram } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { keepJournal } from './support/keep-journal.ts';

const program = await misbehavingProgram();

const spec = (sleepMs: number, search: string) => `
name: search
services:
  slow: {command: ["${program}"], port: 8080, env: {PORT: "\${port}", SLEEP_MS: "${sleepMs}"}, ready: {path: /ping}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}
  warm-up: 0s
  cool-down: 0s
search: {${search}}
`;

describe('a search', () => {
  it('tells an interval that the limit of the service lies in', async () => {
    const search = 'generator: h2load, connections: 4, from: 10, to: 1000, duration: 600ms, precision: 30%';
    // Each answer takes 20 ms, so that 4 connections cannot have more than 200 a second, however fast the machine is.
    const folder = specFolder({ 'wrkbench.yml': spec(20, search) });
    const { status, stdout } = await wrkbench(['run', '--runtime', 'process', '--out', 'out'], { cwd: folder });
    const record = recordIn(path.join(folder, 'out'));
    const [found, ...others] = record.searches!;
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      service: 'slow',
      endpoint: 'ping',
      isComplete: true,
      lost: null,
    });
    // In 600 ms each connection may be one request behind at the end, so that a rate of some 210/s may count as held.
    expect(found!.held!).toBeLessThan(215);
    // The level below that, 129, would fail only where the machine stood still for a third of the time, more than once.
    expect(found!.failed!).toBeGreaterThan(150);
    expect(found!.probes.every(({ raw }) => raw.length > 0)).toBe(true);
    // Beside something that takes the generator's CPUs, nobody can tell whose limit it is.
    expect(['rate-not-held', 'generator-bound']).toContain(found!.why);
    expect(status).toBe(0);
    expect(stdout).toMatch(
      /^Capacity\n {2}slow, ping: holds (?:\d+ to|at least) \d+ requests\/s within errors ≤ 0\.1 %/m,
    );
    keepJournal('search-rate', path.join(folder, 'out'), { status, stdout });
  });

  it('ends where the machine can open no more connections', async () => {
    const search = 'find: connections, from: 2, to: 2000, duration: 300ms, precision: 50%, limits: {p99: 10s}';
    // Not much more than a thousandth of a second each, or the generator would be busy before all connections are open.
    const folder = specFolder({ 'wrkbench.yml': spec(10, search) });
    const unable = ['setpriv', '--bounding-set', '-sys_resource', '--inh-caps', '-sys_resource'];
    const { status, stdout } = await wrkbench(['run', '--runtime', 'process', '--out', 'out'], {
      cwd: folder,
      under: [...unable, 'prlimit', '--nofile=500:500'],
    });
    const [found] = recordIn(path.join(folder, 'out')).searches!;
    expect(found).toMatchObject({ why: 'machine-limit', isComplete: true, lost: null });
    // 256 files are what a program has besides its connections.
    expect(found!.held!).toBeLessThanOrEqual(244);
    expect(found!.failed!).toBeGreaterThan(244);
    expect(stdout.replaceAll(/\s+/g, ' ')).toMatch(
      /slow, ping: holds at least \d+ connections within .*: this machine can load no more/,
    );
    keepJournal('search-connections', path.join(folder, 'out'), { status, stdout });
  });
});
