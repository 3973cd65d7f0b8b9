// needs: wrk, linux
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { locateGenerator } from '../../../src/adapters/generators/locate.ts';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import { caseOf } from '../../unit/generators/cases.ts';
import { type CountingServer, startCountingServer } from './counting-server.ts';
import { type Traces, traces } from './running.ts';

let servers: [CountingServer, CountingServer];
let trace: Traces;
let bin: string;
beforeEach(async () => {
  trace = traces();
  bin = mkdtempSync(join(tmpdir(), 'wrkbench-bin-'));
  servers = [await startCountingServer(), await startCountingServer()];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  rmSync(bin, { recursive: true });
  expect(trace.running()).toEqual([]);
  expect(trace.left()).toEqual([]);
  trace.remove();
});

function requestTo({ origin }: CountingServer): GeneratorRunRequest {
  const load = { generator: 'wrk', threads: 2, durationSeconds: 1, timeoutSeconds: 1 } as const;
  return { case: caseOf(load, { connections: 4 }), origin, durationSeconds: 0.6, rate: null, cpus: null };
}

it('a duet of wrk goes on with one side where the other is not ready within its time limit', async () => {
  const wrk = locateGenerator('wrk').path!;
  const program = join(bin, 'wrk');
  const body = `#!/bin/sh\ncase "$*" in *${servers[1].origin}/*) exec sleep 60;; esac\nexec ${wrk} "$@"\n`;
  writeFileSync(program, body, { mode: 0o755 });
  const runner = createGeneratorRunner({
    specDirectory: '/',
    workDirectory: trace.folder,
    environment: { ...process.env, WRKBENCH_WRK: program },
  });
  const [first, second] = await runner.runTogether(
    [requestTo(servers[0]), requestTo(servers[1])],
    new AbortController().signal,
  );
  expect(first.outcome!.requests).toBeGreaterThan(50);
  expect(first.durationNs).toBeLessThan(5e9);
  expect(second).toMatchObject({ outcome: null, timedOut: true });
  expect(second.failure).toMatch(/^wrk was still running after 12\.\d s, though it should have ended by itself within/);
});
