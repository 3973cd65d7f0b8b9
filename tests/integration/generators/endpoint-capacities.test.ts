// needs: wrk
import { describe, expect, it } from 'vitest';
import { createGeneratorRunner } from '../../../src/adapters/generators/runner.ts';
import { createHttpProbe } from '../../../src/adapters/http/probe.ts';
import { createClock } from '../../../src/adapters/machine/clock.ts';
import type { Testbed } from '../../../src/app/ports/testbed.ts';
import { endpointCapacities } from '../../../src/app/run/endpoint-capacities.ts';
import { readSpec } from '../../../src/core/config/read.ts';
import { fittingLoad } from '../../../src/core/plan/fitting-load.ts';
import { type Answering, startCountingServer } from './counting-server.ts';
import { traces } from './running.ts';

const SPEC = readSpec(
  'name: shop\nservices: {web: {build: ., port: 80}}\nendpoints: {report: /report, item: /item}\n',
  'wrkbench.yml',
);
const REPORT_MS = 50;

/** Reports are made one after the other. */
function oneWorker(): Answering {
  let last = Promise.resolve();
  return (response, request) => {
    if (request.url !== '/report') {
      response.end('{}');
      return;
    }
    last = last.then(async () => {
      await new Promise((passed) => setTimeout(passed, REPORT_MS));
      response.end('{}');
    });
  };
}

describe('what wrk measures of two endpoints', () => {
  it('is how long one of them makes a request wait, and a load that fits it', async () => {
    const server = await startCountingServer(oneWorker());
    const trace = traces();
    try {
      const cpuNs = () => process.cpuUsage().user * 1000;
      const testbed = {
        service: SPEC.services[0]!,
        origins: { direct: server.origin },
        meters: { service: { cpuNs }, database: null, gateway: null, dependencies: {} },
        failure: () => Promise.resolve(null),
      } as unknown as Testbed;
      const generators = createGeneratorRunner({ specDirectory: '/', workDirectory: trace.folder });
      const { capacities, unmeasured } = await endpointCapacities(
        testbed,
        { spec: SPEC, endpoints: SPEC.endpoints, cpus: '0' },
        { generators, probe: createHttpProbe(), clock: createClock(), progress: { say: () => undefined } },
        new AbortController().signal,
      );
      expect(unmeasured).toEqual([]);
      const [report, item] = capacities;
      expect([report?.endpoint, item?.endpoint]).toEqual(['report', 'item']);
      expect(report!.requestsPerSecond).toBeLessThan(1.1 * (1000 / REPORT_MS));
      expect(report!.aloneMs).toBeGreaterThanOrEqual(REPORT_MS - 1);
      expect(item!.aloneMs).toBeLessThan(report!.aloneMs!);
      expect(item!.requestsPerSecond).toBeGreaterThan(report!.requestsPerSecond);
      // 16 would wait 0.8 s, and 1.6 s beside another version on the same CPUs: an eighth of 2 s is for 5 at most.
      const fitting = fittingLoad(SPEC, capacities)!;
      expect(fitting.dearest.endpoint).toBe('report');
      expect(Math.max(...fitting.shape!.connections)).toBeLessThanOrEqual(4);
      expect(trace.left()).toEqual([]);
    } finally {
      await server.close();
      trace.remove();
    }
  });
});
