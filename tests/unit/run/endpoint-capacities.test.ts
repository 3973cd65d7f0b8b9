import { describe, expect, it } from 'vitest';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import { GeneratorNotStarted } from '../../../src/app/ports/generators.ts';
import { type Testbed, TestbedError } from '../../../src/app/ports/testbed.ts';
import { endpointCapacities } from '../../../src/app/run/endpoint-capacities.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import type { GeneratorErrors } from '../../../src/core/generators/outcome.ts';
import type { Answer } from '../../../src/core/verification/answer.ts';

interface Given {
  /** Endpoint → requests/s that it answers, or why it cannot be asked. */
  answers: Record<string, number | Error>;
  errors?: GeneratorErrors;
  /** Of what is asked right after a load. */
  statusAfter?: number;
  /** Milliseconds of CPU time that a load leaves to do. */
  backlogMs?: number;
  protocol?: 'h1' | 'h2';
  isInstalled?: boolean;
  /** The service goes away under the load of this endpoint. */
  fatal?: string;
  restoreData?: () => Promise<{ serviceRestarted: boolean }>;
}

const METHODS: Record<string, string> = { create: 'POST', remove: 'DELETE' };

/** A service with these endpoints on a machine that does nothing and takes the time that it would take. */
async function measured(given: Given, controller = new AbortController()) {
  const {
    answers,
    errors,
    statusAfter = 200,
    backlogMs = 0,
    protocol = 'h1',
    isInstalled = true,
    fatal,
    restoreData,
  } = given;
  const names = Object.keys(answers);
  const endpoints = names.map((name) => `  ${name}: {method: ${METHODS[name] ?? 'GET'}, path: /${name}}\n`).join('');
  const load = protocol === 'h1' ? '' : 'load: {h2load: on}\n';
  const spec = readSpec(
    `name: shop\nservices: {web: {build: ., port: 80, protocol: ${protocol}}}\nendpoints:\n${endpoints}${load}`,
    'wrkbench.yml',
  );
  const log: string[] = [];
  let nowMs = 0;
  let busyMs = 0;
  let failed: TestbedError | null = null;
  const testbed = {
    service: spec.services[0]!,
    origins: { direct: 'http://10.0.0.2:80' },
    meters: {
      service: { cpuNs: () => Math.min(nowMs, busyMs) * 1e6 },
      ...{ database: null, gateway: null, dependencies: {} },
    },
    failure: () => Promise.resolve(failed),
    ...(restoreData === undefined
      ? {}
      : {
          dataChanged: () => Promise.resolve(true),
          restoreData: () => {
            log.push('data put back');
            return restoreData();
          },
        }),
  } as unknown as Testbed;
  const run = (request: GeneratorRunRequest): Promise<GeneratorRun> => {
    const { case: testCase, durationSeconds, cpus, rate, origin } = request;
    const { name } = testCase.endpoint;
    log.push(`${testCase.key} for ${durationSeconds} s`);
    expect({ cpus, rate, origin }).toEqual({ cpus: '1', rate: null, origin: 'http://10.0.0.2:80' });
    const answered = answers[name]!;
    if (answered instanceof Error) throw answered;
    nowMs += durationSeconds * 1000;
    busyMs = nowMs + backlogMs;
    if (name === fatal) failed = new TestbedError('out-of-memory', 'Service web ran out of memory.');
    const throughput = testCase.connections === 1 ? Math.min(answered, 10) : answered;
    const requests = throughput * durationSeconds;
    const latencyMs = requests === 0 ? {} : { latencyMs: { p50: 1000 / throughput } };
    const outcome = { tool: 'wrk' as const, requests, throughput, ...latencyMs, ...(errors && { errors }) };
    return Promise.resolve({ outcome, failure: null } as unknown as GeneratorRun);
  };
  const adapters = {
    generators: {
      version: () => Promise.resolve(isInstalled ? '4.2.0' : null),
      run: async (request: GeneratorRunRequest) => await run(request),
      runTogether: () => Promise.reject(new Error('not asked for')),
    },
    probe: { ask: () => Promise.resolve({ kind: 'answered', status: statusAfter } as Answer) },
    progress: { say: (text: string) => void log.push(text) },
    clock: {
      monotonicNs: () => nowMs * 1e6,
      now: () => new Date(0),
      sleep: (seconds: number) => {
        nowMs += seconds * 1000;
        return Promise.resolve();
      },
    },
  };
  const request = { spec, endpoints: spec.endpoints, cpus: '1' };
  const result = await endpointCapacities(testbed, request, adapters, controller.signal);
  return { ...result, log, seconds: nowMs / 1000 };
}

describe('what the endpoints of a service answer', () => {
  it('is measured of each by itself and then by 16 connections, those that write last', async () => {
    const { capacities, unmeasured, log } = await measured({ answers: { create: 300, items: 860, item: 95 } });
    expect(capacities).toEqual([
      { endpoint: 'create', requestsPerSecond: 300, aloneMs: 100 },
      { endpoint: 'items', requestsPerSecond: 860, aloneMs: 100 },
      { endpoint: 'item', requestsPerSecond: 95, aloneMs: 100 },
    ]);
    expect(unmeasured).toEqual([]);
    expect(log).toEqual([
      'Measuring how much web answers at 3 endpoints.',
      'web/items/direct/wrk/keep-alive/1 for 1 s',
      'web/items/direct/wrk/keep-alive/16 for 2 s',
      'web/item/direct/wrk/keep-alive/1 for 1 s',
      'web/item/direct/wrk/keep-alive/16 for 2 s',
      'web/create/direct/wrk/keep-alive/1 for 1 s',
      'web/create/direct/wrk/keep-alive/16 for 2 s',
    ]);
  });

  it('waits until the backlog of one is answered, as long as that can take', async () => {
    const usual = (await measured({ answers: { items: 800 } })).seconds;
    // After each of its two loads; the first is waited for 3 s at most.
    expect((await measured({ answers: { items: 800 }, backlogMs: 1000 })).seconds - usual).toBeCloseTo(2, 1);
    // 16 at 4/s are 4 s, three times as long at most.
    expect((await measured({ answers: { items: 4 }, backlogMs: 60_000 })).seconds).toBeCloseTo(3 + 3 + 12, 1);
  });

  it('goes on after one that cannot be asked, or fails most of its requests', async () => {
    const unstartable = new GeneratorNotStarted('its request cannot be filled in: no value for id.');
    expect(await measured({ answers: { item: unstartable, items: 500 } })).toMatchObject({
      capacities: [{ endpoint: 'items' }],
      unmeasured: ['item was not measured: its request cannot be filled in: no value for id.'],
    });
    expect(await measured({ answers: { items: 100 }, errors: { status: 50 } })).toMatchObject({
      capacities: [],
      unmeasured: ['items was not measured: 25.0 % of its requests failed over 16 connections.'],
    });
    expect(await measured({ answers: { items: 0 }, errors: { read: 7 } })).toMatchObject({
      unmeasured: ['items was not measured: 100 % of its requests failed over 16 connections.'],
    });
  });

  it('ends with the first one at which the service limits how often it is asked', async () => {
    const errors = { status: 150 };
    const { unmeasured, log } = await measured({ answers: { items: 100, item: 100 }, errors, statusAfter: 429 });
    expect(unmeasured).toEqual(['items was not measured: it answers 429 (Too Many Requests) because of a rate limit.']);
    expect(log.filter((line) => line.startsWith('web/item/'))).toEqual([]);
  });

  it('is 0 of one that answers nobody in time', async () => {
    expect((await measured({ answers: { items: 0 } })).capacities).toEqual([
      { endpoint: 'items', requestsPerSecond: 0, aloneMs: null },
    ]);
  });

  it('ends after 40 s, and says which were left', async () => {
    const names = Array.from({ length: 14 }, (_, index) => `e${index}`);
    const answers = Object.fromEntries(names.map((name) => [name, 100]));
    const { capacities, unmeasured, seconds } = await measured({ answers });
    expect(seconds).toBeLessThanOrEqual(40.1);
    expect(capacities).toHaveLength(12);
    expect(unmeasured).toEqual([
      'e12 was not measured: those before it took 40 s.',
      'e13 was not measured: those before it took 40 s.',
    ]);
  });

  it('ends with a service that does not outlast a load', async () => {
    expect(await measured({ answers: { items: 100, item: 100 }, fatal: 'items' })).toMatchObject({
      capacities: [{ endpoint: 'items' }],
      unmeasured: ['web did not outlast the load of items: Service web ran out of memory.'],
    });
  });

  it('puts back the data after each endpoint that writes, and ends where that fails', async () => {
    const restored = await measured({
      answers: { create: 100, items: 100, remove: 100 },
      restoreData: () => Promise.resolve({ serviceRestarted: false }),
    });
    expect(restored.log.slice(1).filter((line) => !line.includes('/1 for'))).toEqual([
      'web/items/direct/wrk/keep-alive/16 for 2 s',
      'web/create/direct/wrk/keep-alive/16 for 2 s',
      'data put back',
      'web/remove/direct/wrk/keep-alive/16 for 0.5 s',
      'web/remove/direct/wrk/keep-alive/16 for 2 s',
      'data put back',
    ]);
    const failed = await measured({
      answers: { create: 100, remove: 100 },
      restoreData: () => Promise.reject(new TestbedError('data-not-restored', 'The copy of the data is gone.')),
    });
    expect(failed).toMatchObject({
      capacities: [{ endpoint: 'create' }],
      unmeasured: ['The data could not be put back after the load of create: The copy of the data is gone.'],
    });
  });

  it('is not measured without wrk, and of a protocol that wrk does not speak', async () => {
    expect(await measured({ answers: { items: 100 }, isInstalled: false })).toMatchObject({
      capacities: [],
      unmeasured: [
        'wrk is not on this machine. Install it with `sudo apt-get install wrk` (macOS: `brew install wrk`).',
      ],
      log: [],
    });
    expect(await measured({ answers: { items: 100 }, protocol: 'h2' })).toMatchObject({
      capacities: [],
      unmeasured: ['web speaks h2, and wrk does not.'],
      log: [],
    });
  });

  it('is given up when it is interrupted', async () => {
    const controller = new AbortController();
    const interrupted = new Error('interrupted');
    const answers = { items: new GeneratorNotStarted('stopped') };
    controller.abort(interrupted);
    await expect(measured({ answers }, controller)).rejects.toBe(interrupted);
  });
});
