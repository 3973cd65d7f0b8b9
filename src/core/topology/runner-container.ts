import dockerfile from '../../../templates/runner-container/Dockerfile';

/**
 * The container that measures where this process cannot: wrkbench and its generators, on the engine's own machine, beside
 * the servers. It sees that machine's processes, networks and cgroups; nothing else of ours is given such rights, and this
 * has no more of them than it uses, which is less than `--privileged`.
 *
 *     this process ──files──▶ runner container ──load──▶ service      results ──files──▶ this process
 */
export interface RunnerContainerPlan {
  name: string;
  image: string;
  labels: Record<string, string>;
  /** Where the engine keeps its containers' files: their name services are corrected there. */
  engineFolder: string;
  /** Path of the engine's socket on its machine. */
  socket: string;
  environment: Record<string, string>;
  /** Inside it, absolute. */
  workingDirectory: string;
  command: readonly string[];
}

/** Folders and files inside of it. */
export const RUNNER_CONTAINER = {
  program: '/wrkbench',
  work: '/work',
  history: '/wrkbench-history',
  event: '/wrkbench-event.json',
  /** Configuration of its `docker` command: logins of registries. */
  logins: '/wrkbench-logins',
} as const;

/** What it is told in its environment, beside what the run reads of a workflow. */
export const RUNNER_CONTAINER_VARIABLES = {
  /** Who owns what it starts: see `runnerContainerOwner`. */
  owner: 'WRKBENCH_OWNER',
  /** `lines`: progress goes to the caller as lines of JSON, to be shown where the caller runs. */
  progress: 'WRKBENCH_PROGRESS',
  /** Folder of the earlier runs that were brought along, and what the place is called that they came from. */
  history: 'WRKBENCH_HISTORY',
  historyPlace: 'WRKBENCH_HISTORY_PLACE',
} as const;

/**
 * What is set for the time of a run is kept here on the engine's machine, as by a run of that machine's own: whichever comes
 * next puts it back where this one is killed.
 */
const KEPT_FOLDER = '/run/wrkbench';

/**
 * - NET_ADMIN, SYS_ADMIN, SYS_PTRACE: enter the network of a container, and take the name service's rules out of it
 * - SYS_NICE: hold generators to CPUs
 */
const CAPABILITIES = ['NET_ADMIN', 'SYS_ADMIN', 'SYS_NICE', 'SYS_PTRACE'] as const;
/** Kernel settings are written under /proc/sys, which a container may otherwise only read; so may one under AppArmor. */
const UNCONFINED = ['systempaths=unconfined', 'apparmor=unconfined'] as const;

/** Arguments of `docker create`; `environment` are those of `handedEnvironment`. */
export function runnerContainerArguments(plan: RunnerContainerPlan, environment: readonly string[]): string[] {
  const { engineFolder, socket } = plan;
  const same = ['/sys/fs/cgroup', KEPT_FOLDER, engineFolder];
  const mounts = [`${socket}:/var/run/docker.sock`, ...same.map((folder) => `${folder}:${folder}`)];
  return [
    ...['--name', plan.name, '--init', '--pid=host', '--network=host', '--cgroupns=host'],
    ...CAPABILITIES.flatMap((name) => ['--cap-add', name]),
    ...UNCONFINED.flatMap((option) => ['--security-opt', option]),
    ...mounts.flatMap((mount) => ['--volume', mount]),
    ...Object.entries(plan.labels).flatMap(([name, value]) => ['--label', `${name}=${value}`]),
    ...environment,
    ...['--workdir', plan.workingDirectory, '--stop-signal=SIGINT', '--entrypoint', plan.command[0]!],
    plan.image,
    ...plan.command.slice(1),
  ];
}

/** The image, where nobody names another one. Its bases are pinned by digest. */
export const RUNNER_CONTAINER_DOCKERFILE = dockerfile;
