import { describe, expect, it } from 'vitest';
import { measuredTrial, type TrialRequest } from '../../../src/app/measuring/trial.ts';
import type { GeneratorRun, GeneratorRunRequest } from '../../../src/app/ports/generators.ts';
import type { TestbedRequest } from '../../../src/app/ports/testbed.ts';
import type { Route } from '../../../src/core/measurement/names.ts';
import { caseOf, LOADS } from '../generators/cases.ts';
import { fakeMeasuring } from '../support/fake-measuring.ts';

const signal = new AbortController().signal;

/** A trial on this route, where the machine's count of connections went up by 500. */
async function counted(route: Route, countsOthersConnections: boolean, database: object | null = null) {
  const { adapters } = fakeMeasuring();
  const testCase = { ...caseOf(LOADS.wrk), route };
  const start = { service: testCase.service, variant: 'candidate', round: 1 } as TestbedRequest;
  const testbed = await adapters.runtime.start(start, signal);
  let accepted = 40;
  Object.assign(testbed, { acceptedConnections: () => accepted, countsOthersConnections, database });
  const run = async ({ onStart }: GeneratorRunRequest): Promise<GeneratorRun> => {
    onStart?.();
    accepted += 500;
    return {
      ...{ outcome: null, failure: 'none', startedNs: 0, durationNs: 1e9, cpuNs: 0, exitCode: 0, signal: null },
      ...{ timedOut: false, raw: {} },
    };
  };
  const request: TrialRequest = {
    ...{ case: testCase, testbed, other: null, placement: { service: '0', database: '0', generator: '1' } },
    ...{ trial: 1, pair: 1, rate: null, warmUp: { seconds: 0, steady: true }, notes: [] },
    ...{ idleBytes: 1, coolDownSeconds: 0 },
  };
  const generators = { ...adapters.generators, run };
  return await measuredTrial(request, { ...adapters, generators }, signal);
}

const acceptedOn = async (route: Route, countsOthersConnections: boolean) =>
  (await counted(route, countsOthersConnections)).acceptedConnections;

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
