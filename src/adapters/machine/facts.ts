import { access, constants, statfs } from 'node:fs/promises';
import { availableParallelism, freemem, release, totalmem } from 'node:os';
import { dirname, resolve } from 'node:path';
import type { MachineFacts, Program, ProgramName } from '../../core/doctor/facts.ts';
import { GENERATOR_NAMES } from '../../core/generators/registry.ts';
import { mayLimitCpuTime } from '../process/cpu-limit.ts';
import { maySeparateNetworks } from '../process/network-namespace.ts';
import { isRoot } from '../process/root-command.ts';
import { readCpuModel, readCpuQuota, readGovernor } from './cpu.ts';
import { readEngine } from './engine.ts';
import { kernelNumber, kernelText } from './kernel-files.ts';
import { type FirstLook, sampleLoad } from './load.ts';
import { mayRaiseLimits, readOpenFilesLimit } from './open-files.ts';
import { readOperatingSystem } from './operating-system.ts';
import { readPortRange, readTimeWait } from './ports.ts';
import { readProgram } from './programs.ts';
import { maySetRoutingRules } from './routing-rules.ts';

export interface FactsRequest {
  /** Where the run's folder is to be; it need not exist. */
  outputDirectory: string;
  /** How long the CPUs are watched, after all else is known; 0 leaves it out. */
  sampleSeconds: number;
  /** Absent where they are watched as long in any case. */
  firstLook?: FirstLook;
  signal: AbortSignal;
}

const PROGRAMS: ProgramName[] = [...GENERATOR_NAMES, 'postgres', 'pgbouncer', 'nginx', 'go', 'taskset', 'perf'];

/** Looks at this machine, and changes nothing of it. */
export async function gatherFacts(request: FactsRequest): Promise<MachineFacts> {
  request.signal.throwIfAborted();
  const [engine, model, output, sharedMemory, programs, setsRoutingRules] = await Promise.all([
    readEngine(process.env),
    readCpuModel(),
    readOutput(request.outputDirectory),
    freeBytes('/dev/shm'),
    readPrograms(),
    maySetRoutingRules(),
  ]);
  const range = readPortRange();
  return {
    platform: process.platform,
    architecture: process.arch,
    kernel: release(),
    os: readOperatingSystem(),
    rights: {
      root: isRoot(),
      raisesLimits: mayRaiseLimits(),
      setsRoutingRules,
      limitsCpuTime: mayLimitCpuTime(),
      separatesNetworks: maySeparateNetworks(),
    },
    programs,
    engine,
    cpu: {
      model,
      usable: availableParallelism(),
      quota: readCpuQuota(),
      governor: readGovernor(),
      now:
        request.sampleSeconds > 0 ? await sampleLoad(request.sampleSeconds, request.signal, request.firstLook) : null,
    },
    openFiles: readOpenFilesLimit(),
    ports: range === null ? null : { ...range, timeWait: readTimeWait() },
    tcpTwReuse: kernelNumber('/proc/sys/net/ipv4/tcp_tw_reuse'),
    somaxconn: kernelNumber('/proc/sys/net/core/somaxconn'),
    conntrack: readConntrack(),
    memory: readMemory(),
    sharedMemoryBytes: sharedMemory,
    output,
  };
}

async function readPrograms(): Promise<Record<ProgramName, Program | null>> {
  const found = await Promise.all(PROGRAMS.map(async (name) => [name, await readProgram(name)] as const));
  return Object.fromEntries(found) as Record<ProgramName, Program | null>;
}

/** The table is there only where the kernel's module is loaded. */
function readConntrack(): MachineFacts['conntrack'] {
  const max = kernelNumber('/proc/sys/net/netfilter/nf_conntrack_max');
  return max === null ? null : { max, count: kernelNumber('/proc/sys/net/netfilter/nf_conntrack_count') ?? 0 };
}

/** Of the machine, or of the cgroup where that is less. */
function readMemory(): MachineFacts['memory'] {
  const information = kernelText('/proc/meminfo') ?? '';
  const bytes = (name: string) => {
    const match = new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(information);
    return match === null ? null : Number(match[1]) * 1024;
  };
  const constrained = process.constrainedMemory() || Number.POSITIVE_INFINITY;
  const total = totalmem();
  return {
    totalBytes: Math.min(total, constrained),
    availableBytes: Math.min(bytes('MemAvailable') ?? freemem(), constrained),
    swapUsedBytes: (bytes('SwapTotal') ?? 0) - (bytes('SwapFree') ?? 0),
  };
}

async function readOutput(directory: string): Promise<MachineFacts['output']> {
  const path = await nearestExisting(resolve(directory));
  const writable = await access(path, constants.W_OK).then(
    () => true,
    () => false,
  );
  return { path, writable, availableBytes: await freeBytes(path) };
}

async function nearestExisting(path: string): Promise<string> {
  const exists = await access(path).then(
    () => true,
    () => false,
  );
  return exists || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** For a user without privileges; null where there is no such folder. */
async function freeBytes(path: string): Promise<number | null> {
  try {
    const { bavail, bsize } = await statfs(path);
    return bavail * bsize;
  } catch {
    return null;
  }
}
