// needs: wrk, linux
// seconds: 60
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { createGeneratorRunner } from '../../src/adapters/generators/runner.ts';
import { createBodySearch } from '../../src/adapters/http/body-search.ts';
import { createHttpProbe } from '../../src/adapters/http/probe.ts';
import { createClock } from '../../src/adapters/machine/clock.ts';
import { createPortMeter } from '../../src/adapters/machine/ports.ts';
import { processRuntime } from '../../src/adapters/process-runtime/runtime.ts';
import { createRequestFiles } from '../../src/adapters/project/request-files.ts';
import { createCpuMeter } from '../../src/adapters/sampling/cpu-meter.ts';
import type { MeasuringAdapters } from '../../src/app/measuring/adapters.ts';
import { measureCases } from '../../src/app/measuring/solo-service.ts';
import { casesOf } from '../../src/core/config/case.ts';
import type { Endpoint, ResolvedSpec } from '../../src/core/config/resolved.ts';
import type { JournalEntry } from '../../src/core/record/journal.ts';
import { fakeSyscallCounter } from '../support/fake-syscalls.ts';
import { plainService, plainSpec } from '../support/testbed-specs.ts';

const { signal } = new AbortController();
const placement = { service: '0', database: '0', generator: '1' };
const CONNECTIONS = 200;

/** One worker, which waits 100 ms for each of `/slow` and uses no CPU time meanwhile; it goes on with those that nobody waits for any more. */
const ONE_WORKER = `
let last = Promise.resolve();
require('node:http').createServer((request, response) => {
  const ms = request.url === '/slow' ? 100 : 0;
  last = last.then(() => ms === 0 ? undefined : new Promise((resolve) => setTimeout(resolve, ms)));
  last.then(() => response.end('ok'));
}).listen(Number(process.env.PORT), '127.0.0.1');
`;

const endpoint = (name: string): Endpoint => ({
  ...{ name, method: 'GET', path: `/${name}`, headers: {}, body: null },
  expect: { status: 200, contentType: null, body: 'ok', sizeBytes: null, matches: null },
});

function spec(): ResolvedSpec {
  const service = plainService(
    { image: null, command: ['node', '-e', ONE_WORKER] },
    { name: 'queue', env: { PORT: '${port}' }, ready: { path: '/healthcheck', timeoutSeconds: 20 } },
  );
  const plain = plainSpec(service);
  const wrk = { threads: 1, connections: [CONNECTIONS], keepAlive: [true], durationSeconds: 2, timeoutSeconds: 60 };
  return {
    ...plain,
    endpoints: [endpoint('slow'), endpoint('healthcheck')],
    load: { ...plain.load, wrk, warmUp: { kind: 'fixed', seconds: 0.5 } },
  };
}

it('a cheap endpoint is measured once the service has answered what the load before it left over', async () => {
  const runtime = processRuntime();
  const journal: JournalEntry[] = [];
  const adapters: MeasuringAdapters = {
    ...{ runtime, probe: createHttpProbe(), bodySearch: createBodySearch(), cpus: createCpuMeter() },
    requestFiles: createRequestFiles('/'),
    ...{ ports: createPortMeter(), syscalls: fakeSyscallCounter(null), clock: createClock() },
    generators: createGeneratorRunner({ specDirectory: '/', workDirectory: tmpdir() }),
    store: {
      directory: '/nowhere',
      journal: { append: async (entry) => void journal.push(entry), read: async () => journal },
      writeRaw: async (name) => `raw/${name}`,
      write: async () => undefined,
    },
    progress: { say() {}, warn() {}, begin() {}, end() {}, at() {}, busy() {}, measured() {} },
  };
  const own = spec();
  const testbed = await runtime.start(
    {
      ...{ runId: 'backlog', spec: own, service: own.services[0]!, variant: 'candidate', round: 1, placement },
      ...{ specDirectory: process.cwd(), artifact: '' },
    },
    signal,
  );
  try {
    const matrix = { at() {}, done() {}, skip() {} };
    expect(await measureCases(testbed, casesOf(own), own, placement, matrix, adapters, signal)).toEqual([]);
  } finally {
    await testbed.stop();
    await runtime.release('backlog');
  }
  const trials = journal.flatMap((entry) => (entry.kind === 'trial' ? [entry] : []));
  expect(trials.map(({ caseKey }) => caseKey.split('/')[1])).toEqual(['slow', 'healthcheck']);
  const [slow, healthcheck] = trials;
  // 10 a second, with which no load answers all that it was sent.
  expect(slow!.outcome!.requests! / slow!.outcome!.durationSeconds!).toBeLessThan(12);
  expect(slow!.differencesAfter).toEqual([]);
  expect(healthcheck!.outcome!.errors?.timeout ?? 0).toBe(0);
  expect(healthcheck!.outcome!.requests).toBeGreaterThan(10 * CONNECTIONS);
  expect(healthcheck!.differencesAfter).toEqual([]);
}, 120_000);
