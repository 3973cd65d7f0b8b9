import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect } from 'vitest';
import { type CountingServer, startCountingServer } from './counting-server.ts';
import { type Traces, traces } from './running.ts';

/** Of the test that runs, in a file that calls `servesSlowly`. */
export let server: CountingServer;
export let trace: Traces;
export let specDirectory: string;

/** Each test has a server that is slow enough to leave the machine to others, and is held to leave nothing. */
export function servesSlowly(): void {
  beforeEach(async () => {
    specDirectory = mkdtempSync(join(tmpdir(), 'wrkbench-spec-'));
    trace = traces();
    server = await startCountingServer((response) => void setTimeout(() => response.end('ok'), 20));
  });
  afterEach(async () => {
    rmSync(specDirectory, { recursive: true });
    await server.close();
    expect(trace.running()).toEqual([]);
    expect(trace.left()).toEqual([]);
    trace.remove();
  });
}
