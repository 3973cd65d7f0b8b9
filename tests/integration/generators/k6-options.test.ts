// needs: k6, linux
import { fileURLToPath } from 'node:url';
import { describe, test } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import type { CaseLoad } from '../../../src/core/generators/registry.ts';
import { caseOf } from '../../unit/generators/cases.ts';
import { type CountingServer, startCountingServer } from './counting-server.ts';

const never = new AbortController().signal;
const specDirectory = fileURLToPath(new URL('../../../fixtures/cases/scripts/', import.meta.url));
const RATE = 100;

type Servers = [CountingServer, CountingServer];
const it = test.extend<{ servers: Servers }>({
  servers: async ({ task: _ }, use) => {
    const servers: Servers = [await startCountingServer(), await startCountingServer()];
    await use(servers);
    await Promise.all(servers.map((server) => server.close()));
  },
});

const loadOf = (script: string): CaseLoad => ({
  ...{ generator: 'k6', arrival: { kind: 'vus' }, durationSeconds: 1, timeoutSeconds: 1 },
  script,
});
const requestTo = (server: CountingServer, script: string) => ({
  ...{ case: caseOf(loadOf(script), { connections: 5 }), origin: server.origin },
  ...{ durationSeconds: 1, rate: RATE, cpus: null },
});

// Most of their time they wait.
describe.concurrent("a k6 script's own options", () => {
  it.for([
    ['none', 'plain.js'],
    ['a threshold that is crossed', 'thresh.js'],
    ['thresholds of several metrics', 'thresh-abort.js'],
    ['a threshold that ends the test when it is crossed', 'thresh-stop.js'],
    ['system tags and a tag without the scenario, and a threshold of our name', 'own-tags.js'],
  ])('leave the lead-in apart from the load, and the load whole: %s', async ([, script], { servers, expect }) => {
    const run = await createGeneratorRunner({ specDirectory }).run(requestTo(servers[0], `./${script}`), never);
    expect(run.failure).toBeNull();
    const { requests = 0, leadInRequests = 0, droppedIterations = 0, durationSeconds } = run.outcome!;
    expect(durationSeconds).toBe(1);
    expect(Math.abs(requests + droppedIterations - RATE)).toBeLessThanOrEqual(5);
    expect(requests + leadInRequests).toBe(servers[0].requests);
    expect(leadInRequests).toBeGreaterThan(0);
  });

  it.for(['thresh-stop.js', 'own-tags.js'])(
    'leave the sides of a duet apart: %s',
    async (script, { servers, expect }) => {
      const [first, second] = servers;
      const requests = [requestTo(first, `./${script}`), requestTo(second, `./${script}`)] as const;
      const runs = await createGeneratorRunner({ specDirectory }).runTogether(requests, never);
      for (const [index, { failure, outcome }] of runs.entries()) {
        expect(failure).toBeNull();
        const { requests: counted = 0, leadInRequests = 0, droppedIterations = 0 } = outcome!;
        expect(Math.abs(counted + droppedIterations - RATE)).toBeLessThanOrEqual(10);
        expect(counted + leadInRequests).toBe(servers[index]!.requests);
      }
    },
  );

  it('bring a load of their own, all of which is counted, whatever its scenarios are called', async ({
    servers,
    expect,
  }) => {
    const run = await createGeneratorRunner({ specDirectory }).run(requestTo(servers[0], './own-load.js'), never);
    expect(run.failure).toBeNull();
    expect(run.outcome).toMatchObject({ requests: 12 });
    expect(run.outcome).not.toHaveProperty('leadInRequests');
    expect(run.outcome!.durationSeconds).toBeLessThan(1);
  });
});
