// needs: wrk, linux
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { locateGenerator } from '../../../src/adapters/generators/locate.ts';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { CaseLoad } from '../../../src/core/generators/registry.ts';
import { generators } from '../../../src/core/generators/registry.ts';
import { caseOf, requestOf } from '../../unit/generators/cases.ts';
import { type Answering, type CountingServer, startCountingServer } from './counting-server.ts';
import { runningIn, type Traces, traces } from './running.ts';

const LOAD: CaseLoad = { generator: 'wrk', threads: 2, durationSeconds: 1, timeoutSeconds: 1 };
const WRK = locateGenerator('wrk').path!;
const never = new AbortController().signal;

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

const runner = (program = WRK) =>
  createGeneratorRunner({
    specDirectory: '/',
    workDirectory: trace.folder,
    environment: { ...process.env, WRKBENCH_WRK: program },
  });

/** A wrk that does something else first, or instead, where it is to load the second server. */
function withSecond(command: string): string {
  const path = join(bin, 'wrk');
  const body = `#!/bin/sh\ncase "$*" in *${servers[1].origin}/*) ${command};; esac\nexec ${WRK} "$@"\n`;
  writeFileSync(path, body, { mode: 0o755 });
  return path;
}

function requestTo({ origin }: CountingServer, more: Partial<GeneratorRunRequest> = {}): GeneratorRunRequest {
  return { case: caseOf(LOAD, { connections: 4 }), origin, durationSeconds: 0.6, rate: null, cpus: null, ...more };
}

const requests = () => servers.map((server) => server.requests);

describe('a duet of wrk', () => {
  it.each(['first', 'second'])('sends nothing before both are ready, with the slow one as the %s', async (slow) => {
    const marker = join(bin, 'awake');
    const slowWrk = withSecond(`sleep 0.5; touch ${marker}`);
    const log: string[] = [];
    const side = (name: string, server: CountingServer) =>
      requestTo(server, {
        onStart: () => log.push(`${name} starts, ${existsSync(marker)}, ${requests()}`),
        onEnd: () => log.push(`${name} ends`),
      });
    const sides = [side('fast', servers[0]), side('slow', servers[1])] as const;
    const runs = await runner(slowWrk).runTogether(slow === 'first' ? [sides[1], sides[0]] : sides, never);
    const [one, other] = slow === 'first' ? ['slow', 'fast'] : ['fast', 'slow'];
    expect(log.slice(0, 2)).toEqual([`${one} starts, true, 0,0`, `${other} starts, true, 0,0`]);
    expect(log.slice(2).sort()).toEqual(['fast ends', 'slow ends']);
    for (const run of runs) expect(run.outcome!.requests).toBeGreaterThan(50);
    expect(runs[1].startedNs).toBeGreaterThanOrEqual(runs[0].startedNs);
  });

  it.each([true, false])(
    'counts what it has sent, with keep-alive %s, while the last answers are on their way',
    async (keepAlive) => {
      const late: Answering = (response) => void setTimeout(() => response.end('late'), 40);
      await Promise.all(servers.map((server) => server.close()));
      servers = [await startCountingServer(late), await startCountingServer(late)];
      const log: string[] = [];
      const side = (name: string, server: CountingServer) =>
        requestTo(server, {
          case: caseOf(LOAD, { connections: 50, keepAlive }),
          onEnd: () => log.push(`${name} ended`),
          async whileOpen() {
            log.push(`${name} open`);
            await new Promise((passed) => setTimeout(passed, 200));
            // Everything that was sent was answered: a connection that its client has closed would have none.
            expect(server.statuses[200]).toBe(server.requests);
          },
        });
      const runs = await runner().runTogether([side('first', servers[0]), side('second', servers[1])], never);
      expect(log.slice(0, 2).sort()).toEqual(['first ended', 'second ended']);
      expect(log.slice(2)).toEqual(['first open', 'second open']);
      for (const [index, { outcome, raw }] of runs.entries()) {
        expect(outcome!.sentRequests).toBe(servers[index]!.requests);
        expect(outcome!.sentRequests! - outcome!.requests!).toBeGreaterThan(0);
        expect(outcome!.sentRequests! - outcome!.requests!).toBeLessThanOrEqual(50);
        expect(raw['stdout.txt']).not.toContain('wrkbench');
      }
    },
  );

  it('does not say what a script of the user has sent', async () => {
    writeFileSync(join(bin, 'own.lua'), 'request = function() return wrk.format(nil, "/pong") end\n', { mode: 0o644 });
    const load = { ...LOAD, script: 'own.lua' };
    const request = requestTo(servers[0], { case: caseOf(load, { connections: 4 }), scriptDirectory: bin });
    const { outcome } = await runner().run(request, never);
    expect(outcome!.requests).toBeGreaterThan(50);
    expect(outcome).not.toHaveProperty('sentRequests');
  });

  it('has the length that was asked for on both sides, a part of a second as well', async () => {
    const runs = await runner().runTogether([requestTo(servers[0]), requestTo(servers[1])], never);
    for (const { outcome, durationNs, raw } of runs) {
      expect(outcome!.durationSeconds).toBeGreaterThan(0.5);
      expect(outcome!.durationSeconds).toBeLessThan(0.8);
      expect(durationNs / 1e9).toBeGreaterThanOrEqual(outcome!.durationSeconds!);
      // As if nobody had waited or interrupted.
      expect(raw['stdout.txt']).toMatch(/^Running 1s test @ /);
      expect(generators.wrk.parse(raw['stdout.txt']!).requests).toBe(outcome!.requests);
      expect(raw['stderr.txt']).toBeUndefined();
    }
  });

  it('goes on with one side where the other ends before it is ready', async () => {
    const starts: string[] = [];
    const [first, second] = await runner(withSecond('echo no memory >&2; exit 2')).runTogether(
      [
        requestTo(servers[0], { onStart: () => starts.push('first') }),
        requestTo(servers[1], { onStart: () => starts.push('second') }),
      ],
      never,
    );
    expect(first.outcome!.requests).toBeGreaterThan(50);
    expect(second).toMatchObject({ outcome: null, exitCode: 2 });
    expect(second.failure).toBe('wrk ended with exit status 2 and said: no memory');
    expect(starts).toEqual(['first', 'second']);
  });

  it('never starts where neither gets ready', async () => {
    await Promise.all(servers.map((server) => server.close()));
    const starts: string[] = [];
    const side = (server: CountingServer) => requestTo(server, { onStart: () => starts.push('start') });
    const runs = await runner().runTogether([side(servers[0]), side(servers[1])], never);
    for (const { failure } of runs)
      expect(failure).toMatch(/^wrk ended with exit status 1 and said: unable to connect/);
    expect(starts).toEqual([]);
  });

  it('is ended whole when it is aborted while one waits for the other', async () => {
    const abort = new AbortController();
    const running = runner(withSecond('exec sleep 60')).runTogether(
      [requestTo(servers[0]), requestTo(servers[1])],
      abort.signal,
    );
    await expect.poll(() => runningIn(trace.folder, 'wrk').length).toBe(1);
    await expect.poll(() => servers[0].connections).toBe(1);
    const reason = new Error('SIGTERM');
    abort.abort(reason);
    await expect(running).rejects.toBe(reason);
    expect(trace.running()).toEqual([]);
    expect(requests()).toEqual([0, 0]);
  });
});

describe('wrk by itself', () => {
  it('starts when it is ready, and what it took for that is no part of it', async () => {
    const seen: number[][] = [];
    const request = requestTo(servers[1], { onStart: () => seen.push(requests()) });
    const run = await runner(withSecond('sleep 2')).run(request, never);
    expect(run.outcome!.requests).toBeGreaterThan(50);
    expect(seen).toEqual([[0, 0]]);
    expect(run.durationNs).toBeLessThan(2e9);
  });

  it('sends nothing where its input ends without a word', () => {
    const call = generators.wrk.invocation(requestOf(LOAD, {}, { origin: servers[0].origin, directory: bin }));
    for (const [name, content] of Object.entries(call.files)) writeFileSync(join(bin, name), content);
    // Answered by the backlog alone: this process is busy waiting.
    const { status, stdout } = spawnSync(WRK, call.arguments, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
    expect({ status, stdout }).toEqual({ status: 1, stdout: `${call.readyLine}\n` });
  });
});
