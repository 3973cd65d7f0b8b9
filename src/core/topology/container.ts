import { CPU_PERIOD_US, quotaUs } from '../config/cpu-quota.ts';

/** A container as it is wanted; `createArguments` says it to the engine. */
export interface ContainerPlan {
  name: string;
  /** Image id or reference; it must be there already. */
  image: string;
  /** Replaces the image's own entrypoint; null leaves it. */
  entrypoint: string | null;
  /** Replaces the image's own command; empty leaves it. */
  command: string[];
  env: Record<string, string>;
  /** `uid:gid`; null leaves the image's own. */
  user: string | null;
  network: string;
  cpus: string;
  /** CPUs' worth of time that it may use; null for all of its CPUs'. */
  cpuQuota: number | null;
  memoryBytes: number | null;
  /** Soft and hard limit; null leaves what the engine gives by itself. */
  openFiles: number | null;
  /** Shared memory at /dev/shm; null leaves the engine's 64 MiB. */
  sharedMemoryBytes: number | null;
  cgroupParent: string;
  labels: Record<string, string>;
  /** Paths inside the container that lie in memory and end with it. */
  memoryFolders: string[];
  /** Of the engine, by name, and the paths inside the container that they are at. */
  volumes: { name: string; folder: string; isReadOnly: boolean }[];
  /** Name → address, in /etc/hosts. */
  hosts: Record<string, string>;
}

/**
 * Given back after all capabilities are dropped: what the official images need to get from root to their own user, and
 * nothing that reaches outside of the container. Ports below 1024 need none: the engine lets everybody bind them.
 *
 * - CHOWN, DAC_OVERRIDE, FOWNER: entrypoints hand their data folder to the user that the server runs as (postgres, redis)
 * - SETGID, SETUID: the change of user itself (gosu, setpriv, nginx and php-fpm workers)
 * - KILL: a master that runs as root ends workers that run as another user (php-fpm, unicorn)
 */
const KEPT_CAPABILITIES = ['CHOWN', 'DAC_OVERRIDE', 'FOWNER', 'KILL', 'SETGID', 'SETUID'] as const;

/** Far above what a server needs, far below what a fork bomb needs to take the machine with it. */
const PROCESS_LIMIT = 16_384;

/**
 * Arguments of `docker container create`, without those of its environment (`handedEnvironment`), which go before the image.
 *
 * No `--init`: one process more to measure, and containers are ended by SIGKILL anyway. No `--publish`: the generator uses
 * the container's own address. Swap equals memory, so that a limit ends in a kill and not in paging. Logs go to the
 * `local` driver, the cheapest that `docker logs` can read, with an end to their size.
 */
export function createArguments(plan: ContainerPlan, environment: readonly string[]): string[] {
  const options: string[] = [
    ...['--name', plan.name, '--pull', 'never', '--restart', 'no'],
    ...['--network', plan.network],
    ...['--security-opt', 'no-new-privileges', '--cap-drop', 'ALL'],
    ...KEPT_CAPABILITIES.flatMap((capability) => ['--cap-add', capability]),
    ...['--pids-limit', String(PROCESS_LIMIT)],
    ...['--cgroup-parent', plan.cgroupParent, '--cpu-shares', '1024', '--cpuset-cpus', plan.cpus],
    ...['--log-driver', 'local', '--log-opt', 'max-size=5m', '--log-opt', 'max-file=2', '--log-opt', 'compress=false'],
  ];
  if (plan.cpuQuota !== null) {
    options.push('--cpu-period', String(CPU_PERIOD_US), '--cpu-quota', String(quotaUs(plan.cpuQuota)));
  }
  if (plan.memoryBytes !== null) {
    options.push('--memory', String(plan.memoryBytes), '--memory-swap', String(plan.memoryBytes));
  }
  if (plan.openFiles !== null) options.push('--ulimit', `nofile=${plan.openFiles}:${plan.openFiles}`);
  if (plan.sharedMemoryBytes !== null) options.push('--shm-size', String(plan.sharedMemoryBytes));
  if (plan.user !== null) options.push('--user', plan.user);
  for (const folder of plan.memoryFolders) options.push('--tmpfs', folder);
  for (const { name, folder, isReadOnly } of plan.volumes) {
    options.push('--mount', `type=volume,source=${name},target=${folder}${isReadOnly ? ',readonly' : ''}`);
  }
  for (const [name, address] of Object.entries(plan.hosts)) options.push('--add-host', `${name}:${address}`);
  for (const [name, value] of Object.entries(plan.labels)) options.push('--label', `${name}=${value}`);
  options.push(...environment);
  if (plan.entrypoint !== null) options.push('--entrypoint', plan.entrypoint);
  return [...options, plan.image, ...plan.command];
}
