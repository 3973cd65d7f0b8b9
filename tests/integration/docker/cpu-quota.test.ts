import { beforeAll, expect, it } from 'vitest';
import { requireQuota } from '../../../src/adapters/docker/planned-part.ts';
import { dockerRuntime } from '../../../src/adapters/docker/runtime.ts';
import { TestbedError } from '../../../src/app/ports/testbed.ts';
import { throttledPeriods } from '../../support/cpu-throttling.ts';
import { askOnce, buildFixtureImages, never, newRunId, requestFor, serviceWith, specWith, thingsOf } from './given.ts';

beforeAll(() => buildFixtureImages('misbehaving'));

it('a busy service with `cpus: 0.5` gets half of a CPU', async () => {
  const runId = newRunId();
  const env = { PORT: '${port}', BURN_US: '400000' };
  const request = requestFor(runId, specWith(serviceWith({ env, port: 3000, cpus: 0.5 })));
  const testbed = await dockerRuntime({ environment: process.env }).start(request, never());
  try {
    const [ns, ms] = [testbed.meters.service.cpuNs(), performance.now()];
    await askOnce(`${testbed.origins.direct}/ping`);
    const share = (testbed.meters.service.cpuNs() - ns) / 1e6 / (performance.now() - ms);
    // The kernel stopped it again and again: it wanted more. Of a busy machine it may get less.
    expect(throttledPeriods(5000)).toBeGreaterThan(20);
    expect(share).toBeLessThan(0.55);
  } finally {
    await testbed.stop();
  }
  expect(thingsOf(runId)).toEqual([]);
});

it('an engine that leaves the limit out is told, and nothing is measured', () => {
  const service = serviceWith({ cpus: 0.5 });
  const check = (cpuQuotaUs: number | null) => () =>
    requireQuota({ state: { cpuQuotaUs } }, { title: `Service ${service.name}`, cpuQuota: 0.5 });
  expect(check(5000)).not.toThrow();
  expect(check(null)).toThrow(
    new TestbedError(
      'start-failed',
      `Service ${service.name} is to have 0.5 CPUs (\`cpus\`), and this engine cannot limit CPU time: \`docker info\` says why. Give the service whole CPUs, or use an engine with the cgroup controller \`cpu\`.`,
    ),
  );
});
