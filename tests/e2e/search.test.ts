// needs: go, h2load, wrk, linux
import path from 'node:path';
import { expect, it } from 'vitest';
import { misbehavingProgram } from '../support/server-programs.ts';
import { specFolder } from '../support/spec-folder.ts';
import { recordIn, wrkbench } from './support/command.ts';

const program = await misbehavingProgram();

// Roughly, and for short: how closely it is found is told in tests/full/search.test.ts.
it('a search loads at one rate after the other, and tells where the service no longer holds it', async () => {
  const folder = specFolder({
    'wrkbench.yml': `
name: search
services:
  slow: {command: ["${program}"], port: 8080, env: {PORT: "\${port}", SLEEP_MS: "20"}, ready: {path: /ping}}
endpoints: {ping: {path: /ping, expect: {json: {ok: true}}}}
load:
  wrk: {threads: 1, connections: [4], keep-alive: [on], duration: 1s}
  warm-up: 0s
  cool-down: 0s
search: {generator: h2load, connections: 4, from: 25, to: 1600, duration: 300ms, precision: 100%}
`,
  });
  const { status, stdout } = await wrkbench(['run', '--runtime', 'process', '--out', 'out'], { cwd: folder });
  const [found, ...others] = recordIn(path.join(folder, 'out')).searches!;
  expect(others).toEqual([]);
  expect(found).toMatchObject({ service: 'slow', endpoint: 'ping', isComplete: true, lost: null });
  // Each answer takes 20 ms, so that 4 connections cannot have twice 200 a second, however fast the machine is.
  expect(found!.held!).toBeLessThan(400);
  expect(found!.failed!).toBeGreaterThan(found!.held!);
  expect(found!.probes.every(({ raw }) => raw.length > 0)).toBe(true);
  expect(stdout).toMatch(
    /^Capacity\n {2}slow, ping: holds (?:\d+ to|at least) \d+ requests\/s within errors ≤ 0\.1 %/m,
  );
  expect(status).toBe(0);
});
