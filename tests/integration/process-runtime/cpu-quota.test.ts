// needs: linux, go, root
import { beforeAll, expect, it } from 'vitest';
import { throttledPeriods } from '../../support/cpu-throttling.ts';
import { misbehavingProgram } from '../../support/server-programs.ts';
import { ask, failureOf, requestFor, running, serviceWith, specWith } from './given.ts';

let program = '';
beforeAll(async () => {
  program = await misbehavingProgram();
});

const specOf = (cpus: number) =>
  specWith(serviceWith({ command: [program], cpus, env: { PORT: '${port}', BURN_US: '400000' } }));

it('a busy service with `cpus: 0.5` gets half of a CPU', async () => {
  await running(requestFor(specOf(0.5)), async ({ origins, meters }) => {
    const [ns, ms] = [meters.service.cpuNs(), performance.now()];
    await ask(`${origins.direct}/ping`);
    const share = (meters.service.cpuNs() - ns) / 1e6 / (performance.now() - ms);
    // The kernel stopped it again and again: it wanted more. Of a busy machine it may get less.
    expect(throttledPeriods(5000)).toBeGreaterThan(20);
    expect(share).toBeLessThan(0.55);
  });
  // Its cgroup went with it.
  expect(throttledPeriods(5000)).toBe(0);
});

it('does not start where the kernel takes no such limit', async () => {
  const { message } = await failureOf(requestFor(specOf(0.05)));
  expect(message).toMatch(
    /^Service \S+ is to have 0\.05 CPUs \(`cpus`\), and CPU time cannot be limited here \(EINVAL.*\)\. Run as root, or with --runtime docker, or give it whole CPUs\.$/,
  );
});
