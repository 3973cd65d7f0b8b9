import { describe, expect, it } from 'vitest';
import { runnerContainerArguments } from '../../../src/core/topology/runner-container.ts';

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
