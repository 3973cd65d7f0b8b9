/** What a machine is and has, as it was found; gathered by `adapters/machine/facts.ts`. Null: could not be told here. */
import { GENERATOR_NAMES, type GeneratorName } from '../generators/registry.ts';
export interface MachineFacts {
  /** As Node.js names them: `linux`, `darwin`, `win32`; `x64`, `arm64`. */
  platform: string;
  architecture: string;
  kernel: string;
  /** `name` for people; `families` as in os-release, the nearest first: `ubuntu`, `debian`. */
  os: { name: string; families: string[] };
  rights: {
    root: boolean;
    /** Holds CAP_SYS_RESOURCE, so that hard limits can be raised. Root inside a container often does not. */
    raisesLimits: boolean;
    /** As root with CAP_NET_ADMIN, or through a sudo without a password; and there is the command `ip`. */
    setsRoutingRules: boolean;
    /** May make cgroups that limit the CPU time of processes. */
    limitsCpuTime: boolean;
    /** May give processes a network of their own: root on Linux, with the tools for it. */
    separatesNetworks: boolean;
  };
  programs: Record<ProgramName, Program | null>;
  engine: EngineFacts;
  cpu: {
    model: string;
    /** CPUs that this process may use. */
    usable: number;
    /** CPUs' worth of time that the cgroup may use; null where it is not limited. */
    quota: number | null;
    governor: string | null;
    /** Over a sample just taken, shares of all CPUs; null where none was taken. */
    now: {
      stealShare: number;
      otherShare: number;
      busiest: { name: string; pid: number; cores: number } | null;
    } | null;
  };
  /** Of this process, and what the kernel lets anybody have (`fs.nr_open`). */
  openFiles: { hard: number; kernelMost: number } | null;
  /** Local ports for outgoing connections. */
  ports: { first: number; last: number; timeWait: number } | null;
  tcpTwReuse: number | null;
  somaxconn: number | null;
  /** Null where the kernel does not track connections. */
  conntrack: { max: number; count: number } | null;
  memory: { totalBytes: number; availableBytes: number; swapUsedBytes: number };
  /** Free in /dev/shm. */
  sharedMemoryBytes: number | null;
  /** Where the run's folder is to be: the nearest folder of its path that exists. */
  output: { path: string; writable: boolean; availableBytes: number | null };
}

export type ProgramName = GeneratorName | 'postgres' | 'pgbouncer' | 'nginx' | 'go' | 'taskset' | 'perf';

export interface Program {
  /** Absolute. */
  path: string;
  /** `4.1.0`; null where it does not tell. */
  version: string | null;
}

export type EngineFacts =
  | {
      state: 'answers';
      version: string;
      /** Most open files that a container can be given; null where the engine runs elsewhere. */
      openFiles: number | null;
      /** The bridges of its networks are not among the devices of this machine: no rule of ours can name them. Absent where they are. */
      hidesNetworks?: true;
    }
  /** There is no `docker` command. */
  | { state: 'missing' }
  /** There is one, and this user may not use it. */
  | { state: 'forbidden'; said: string }
  /** There is one, and nothing answers. */
  | { state: 'silent'; said: string }
  /** One answers that nothing can be measured with: why, and what to do. */
  | { state: 'unusable'; said: string };

export function isGenerator(name: ProgramName): name is GeneratorName {
  return (GENERATOR_NAMES as readonly string[]).includes(name);
}
