import { describe, expect, it } from 'vitest';
import { measuredTrial, type TrialRequest } from '../../../src/app/measuring/trial.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { Testbed, TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { Case } from '../../../src/core/config/case.ts';
import type { Route } from '../../../src/core/measurement/names.ts';
import { utilisationOf } from '../../../src/core/validity/shares.ts';
import { caseOf, LOADS } from '../generators/cases.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';

const signal = new AbortController().signal;

const NONE = {
  outcome: null,
  failure: 'none',
  startedNs: 0,
  cpuNs: 0,
  exitCode: 0,
  signal: null,
  timedOut: false,
  raw: {},
};

/** A trial on this route, where the machine's count of connections went up by 500. */
async function counted(route: Route, countsOthersConnections: boolean, database: object | null = null) {
  const { adapters } = fakeMeasuring();
  const testCase = { ...caseOf(LOADS.wrk), route };
  const start = { service: testCase.service, variant: 'candidate', round: 1 } as TestbedRequest;
  const testbed = await adapters.runtime.start(start, signal);
  let accepted = 40;
  Object.assign(testbed, { acceptedConnections: () => accepted, countsOthersConnections, database });
  const run = async ({ onStart, onEnd }: GeneratorRunRequest): Promise<GeneratorRun> => {
    onStart?.();
    accepted += 500;
    onEnd?.();
    return { ...NONE, durationNs: 1e9 };
  };
  const request = requestOf(testCase, testbed);
  const generators = { ...adapters.generators, run };
  return await measuredTrial(request, { ...adapters, generators }, signal);
}

const acceptedOn = async (route: Route, countsOthersConnections: boolean) =>
  (await counted(route, countsOthersConnections)).acceptedConnections;

function requestOf(testCase: Case, testbed: Testbed): TrialRequest {
  return {
    ...{ case: testCase, testbed, other: null, placement: { service: '0', database: '0', generator: '1' } },
    ...{ trial: 1, pair: 1, rate: null, warmUp: { seconds: 0, steady: true }, notes: [] },
    ...{ idleBytes: 1, coolDownSeconds: 0, mostRestSeconds: 3 },
  };
}

describe('what a trial took', () => {
  /** One whose service used 800 ms of CPU time in its load, and so much in each millisecond after it while connections were open. */
  async function loaded(waiting: (waitedMs: number) => number) {
    const { adapters } = fakeMeasuring();
    const testCase = caseOf(LOADS.wrk);
    const start = { service: testCase.service, variant: 'candidate', round: 1 } as TestbedRequest;
    const testbed = await adapters.runtime.start(start, signal);
    let [usedMs, waitedMs, isOpen] = [0, 0, false];
    const service = { cpuNs: () => usedMs * 1e6, memoryBytes: () => 1 };
    const threads = () => new Map([['main', usedMs * 1e6]]);
    const mainThreadsNs = () => usedMs * 0.9e6;
    Object.assign(testbed, {
      meters: { service, database: null, gateway: null, dependencies: {} },
      threadTimes: threads,
      mainThreadsNs,
    });
    const sleep = async (seconds: number, aborted: AbortSignal) => {
      for (let ms = 0; isOpen && ms < seconds * 1000; ms += 1) {
        waitedMs += 1;
        usedMs += waiting(waitedMs);
      }
      await adapters.clock.sleep(seconds, aborted);
    };
    const run = async ({ onStart, onEnd, whileOpen }: GeneratorRunRequest): Promise<GeneratorRun> => {
      onStart?.();
      usedMs += 800;
      onEnd?.();
      isOpen = true;
      await whileOpen?.();
      isOpen = false;
      return { ...NONE, durationNs: 1e9 };
    };
    const clock = { ...adapters.clock, sleep };
    const generators = { ...adapters.generators, run };
    return await measuredTrial(requestOf(testCase, testbed), { ...adapters, clock, generators }, signal);
  }

  it('is told apart for its load and for what was still open at its end', async () => {
    const { cpu, afterLoad } = await loaded((ms) => (ms <= 60 ? 1 : 0));
    expect(cpu).toMatchObject({ serviceNs: 800e6, busiestThreadNs: 800e6, mainThreadsNs: 720e6 });
    expect(afterLoad).toEqual({ serviceNs: 60e6, databaseNs: 0, gatewayNs: 0, mainThreadsNs: 54e6 });
  });

  it('is of its load alone where the service never rests', async () => {
    const trial = await loaded(() => 1);
    expect(trial.cpu.serviceNs).toBe(800e6);
    expect(trial).not.toHaveProperty('afterLoad');
  });
});

describe('what the dependencies of a service took', () => {
  /** In the load `redis` uses 300 ms of CPU time and holds up to 9 bytes, and 20 ms after it; `search` nothing. */
  async function loaded() {
    const { adapters } = fakeMeasuring();
    const testCase = caseOf(LOADS.wrk);
    const start = { service: testCase.service, variant: 'candidate', round: 1 } as TestbedRequest;
    const testbed = await adapters.runtime.start(start, signal);
    let [usedNs, heldBytes] = [5e6, 3];
    const still = { cpuNs: () => 1e6, memoryBytes: () => 2 };
    const redis = { cpuNs: () => usedNs, memoryBytes: () => heldBytes };
    const meters = { service: still, database: null, gateway: null, dependencies: { redis, search: still } };
    Object.assign(testbed, { meters });
    const run = async ({ onStart, onTick, onEnd, whileOpen }: GeneratorRunRequest): Promise<GeneratorRun> => {
      onStart?.();
      usedNs += 300e6;
      heldBytes = 9;
      onTick?.({ elapsedNs: 1e8 });
      heldBytes = 4;
      onEnd?.();
      usedNs += 20e6;
      await whileOpen?.();
      return { ...NONE, durationNs: 1e9 };
    };
    const generators = { ...adapters.generators, run };
    return await measuredTrial(requestOf(testCase, testbed), { ...adapters, generators }, signal);
  }

  it('is told of each by itself, of its load and of what was still open at its end', async () => {
    const { cpu, afterLoad, memory } = await loaded();
    expect(cpu.dependenciesNs).toEqual({ redis: 300e6, search: 0 });
    expect(afterLoad?.dependenciesNs).toEqual({ redis: 20e6, search: 0 });
    expect(memory.dependencyPeakBytes).toEqual({ redis: 9, search: 2 });
  });

  it('is no work of others: it is ours on the CPUs of the server', async () => {
    const { cpu } = await loaded();
    const shares = utilisationOf({ cpu: { ...cpu, windowNs: 1e9, busyNs: 300e6 } });
    expect(shares).toMatchObject({ dependencies: 0.3, foreign: 0 });
  });

  it('is not there where the service has none', async () => {
    const trial = await counted('direct', false);
    expect(trial.cpu).not.toHaveProperty('dependenciesNs');
    expect(trial.memory).not.toHaveProperty('dependencyPeakBytes');
    expect(utilisationOf(trial)).not.toHaveProperty('dependencies');
  });
});

describe('connections that a trial counted', () => {
  it('are those that its entry accepted', async () => {
    expect(await acceptedOn('direct', false)).toBe(500);
    expect(await acceptedOn('gateway', false)).toBe(500);
    expect(await acceptedOn('direct', true)).toBe(500);
  });

  it('are not known through a gateway whose own to the service are counted with them', async () => {
    expect(await acceptedOn('gateway', true)).toBeNull();
  });

  it('may be those of a service to its database, one for each statement, where they are counted with them', async () => {
    const statements = async () => [
      { query: 'select 1', calls: 120, rows: 120, totalMs: 1 },
      { query: 'begin', calls: 30, rows: 0, totalMs: 1 },
    ];
    const database = { statements, resetStatements: async () => {} };
    expect((await counted('direct', true, database)).databaseConnectionsAmong).toBe(150);
    expect(await counted('direct', false, database)).not.toHaveProperty('databaseConnectionsAmong');
    expect(await counted('direct', true)).not.toHaveProperty('databaseConnectionsAmong');
  });
});
