import { describe, expect, it } from 'vitest';
import { type ContainerPlan, createArguments } from '../../../src/core/topology/container.ts';

const plain: ContainerPlan = {
  name: 'wrkbench-r-go-candidate-1-service',
  image: 'sha256:abc',
  entrypoint: null,
  command: [],
  env: {},
  user: null,
  network: 'wrkbench-r-go-candidate-1-app',
  cpus: '0',
  cpuQuota: null,
  memoryBytes: null,
  openFiles: null,
  sharedMemoryBytes: null,
  cgroupParent: '/wrkbench/wrkbench-r-go-candidate-1',
  labels: {},
  memoryFolders: [],
  volumes: [],
  hosts: {},
};

const ALWAYS = [
  '--name wrkbench-r-go-candidate-1-service --pull never --restart no',
  '--network wrkbench-r-go-candidate-1-app',
  '--security-opt no-new-privileges --cap-drop ALL --cap-add CHOWN --cap-add DAC_OVERRIDE --cap-add FOWNER --cap-add KILL --cap-add SETGID --cap-add SETUID',
  '--pids-limit 16384',
  '--cgroup-parent /wrkbench/wrkbench-r-go-candidate-1 --cpu-shares 1024 --cpuset-cpus 0',
  '--log-driver local --log-opt max-size=5m --log-opt max-file=2 --log-opt compress=false',
];

describe('the arguments that a container is created with', () => {
  it('are hardened and placed, and leave the image as it is', () => {
    expect(createArguments(plain, []).join(' ')).toBe([...ALWAYS, 'sha256:abc'].join(' '));
  });

  it('say everything else that is wanted', () => {
    const wanted: ContainerPlan = {
      ...plain,
      entrypoint: 'nginx',
      command: ['-c', '/etc/wrkbench/nginx.conf'],
      user: '65534:65534',
      cpuQuota: 0.25,
      memoryBytes: 536_870_912,
      openFiles: 4096,
      sharedMemoryBytes: 1024,
      labels: { 'wrkbench.run': 'r' },
      memoryFolders: ['/var/lib/wrkbench:mode=1777'],
      volumes: [{ name: 'wrkbench-database-r-1', folder: '/var/lib/wrkbench-template', isReadOnly: true }],
    };
    const args = createArguments(wanted, ['--env', 'GREETING']);
    expect(args.slice(createArguments(plain, []).length - 1)).toEqual([
      ...['--cpu-period', '10000', '--cpu-quota', '2500'],
      ...['--memory', '536870912', '--memory-swap', '536870912', '--ulimit', 'nofile=4096:4096', '--shm-size', '1024'],
      ...['--user', '65534:65534', '--tmpfs', '/var/lib/wrkbench:mode=1777'],
      ...['--mount', 'type=volume,source=wrkbench-database-r-1,target=/var/lib/wrkbench-template,readonly'],
      ...['--label', 'wrkbench.run=r'],
      ...['--env', 'GREETING', '--entrypoint', 'nginx'],
      ...['sha256:abc', '-c', '/etc/wrkbench/nginx.conf'],
    ]);
  });

  it('never publish a port, mount a path of this machine or lift a guard', () => {
    const forbidden =
      /^(-p|-P|-v|--publish.*|--volume.*|--mount.*|--privileged|--network=host|--pid.*=host|--device.*)$/;
    expect(
      createArguments({ ...plain, memoryBytes: 1, openFiles: 1 }, []).filter((arg) => forbidden.test(arg)),
    ).toEqual([]);
  });
});
