import { describe, expect, it } from 'vitest';
import { K6_VERSION } from '../../../src/core/generators/k6/release.ts';
import { RUNNER_CONTAINER_DOCKERFILE, runnerContainerArguments } from '../../../src/core/topology/runner-container.ts';

describe('the container that measures beside the servers', () => {
  it('sees the machine of the engine, and is known by its labels', () => {
    const plan = {
      name: 'wrkbench-runner-container-1',
      image: 'sha256:abc',
      labels: { 'wrkbench.owner': 'x' },
      engineFolder: '/var/lib/docker',
      socket: '/run/docker.sock',
      environment: { CI: 'true' },
      workingDirectory: '/work/api',
      command: ['node', '/wrkbench/cli.cjs', 'run', 'wrkbench.yml'],
    };
    const args = runnerContainerArguments(plan, ['--env', 'CI']);
    expect(args.join(' ')).toBe(
      '--name wrkbench-runner-container-1 --init --pid=host --network=host --cgroupns=host ' +
        '--cap-add NET_ADMIN --cap-add SYS_ADMIN --cap-add SYS_NICE --cap-add SYS_PTRACE ' +
        '--security-opt systempaths=unconfined --security-opt apparmor=unconfined ' +
        '--volume /run/docker.sock:/var/run/docker.sock --volume /sys/fs/cgroup:/sys/fs/cgroup ' +
        '--volume /run/wrkbench:/run/wrkbench --volume /var/lib/docker:/var/lib/docker --label wrkbench.owner=x --env CI ' +
        '--workdir /work/api --stop-signal=SIGINT --entrypoint node sha256:abc /wrkbench/cli.cjs run wrkbench.yml',
    );
  });
});

describe('its image', () => {
  const bases = [...RUNNER_CONTAINER_DOCKERFILE.matchAll(/^FROM (\S+)/gm)].map(([, base]) => base!);

  it('is made of what a digest names, since a tag may be another image tomorrow', () => {
    expect(bases).toHaveLength(3);
    for (const base of bases) expect(base).toMatch(/^[a-z0-9/]+:[0-9.]+[a-z-]*@sha256:[0-9a-f]{64}$/);
  });

  it('has the k6 that every other way to it brings', () => {
    expect(bases.find((base) => base.startsWith('grafana/k6'))).toMatch(`grafana/k6:${K6_VERSION}@`);
  });
});
