import { cpus } from 'node:os';
import { runCommand } from '../process/command.ts';
import { kernelNumber, kernelText } from './kernel-files.ts';

/** `Intel(R) Xeon(R) Processor`, `ARM Neoverse-N1`; `unknown` where nobody tells. */
export async function readCpuModel(): Promise<string> {
  const named = cpus()[0]?.model.trim() ?? '';
  // On arm64 the kernel prints numbers only; lscpu knows the names to them.
  return /[a-z]/i.test(named) && named !== 'unknown' ? named : ((await modelByLscpu()) ?? modelByNumber() ?? 'unknown');
}

/** CPUs' worth of time that the cgroup may use, v2 or v1; null where it is not limited. */
export function readCpuQuota(): number | null {
  const [quota, period] = (kernelText('/sys/fs/cgroup/cpu.max') ?? '').split(' ').map(Number);
  if (quota !== undefined && period !== undefined && quota > 0) return quota / period;
  const old = kernelNumber('/sys/fs/cgroup/cpu/cpu.cfs_quota_us');
  const oldPeriod = kernelNumber('/sys/fs/cgroup/cpu/cpu.cfs_period_us');
  return old !== null && oldPeriod !== null && old > 0 ? old / oldPeriod : null;
}

export function readGovernor(): string | null {
  return kernelText('/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor');
}

/** Reads `Vendor ID` and `Model name` of lscpu's output; null where it holds no name. */
export function modelInLscpu(text: string): string | null {
  const field = (name: string) => new RegExp(`^\\s*${name}:\\s*(.+)$`, 'm').exec(text)?.[1]?.trim() ?? '';
  const model = field('Model name');
  if (model === '' || model === '-') return null;
  const vendor = field('Vendor ID');
  return vendor === '' || /^(GenuineIntel|AuthenticAMD|0x)/.test(vendor) || model.startsWith(vendor)
    ? model
    : `${vendor} ${model}`;
}

async function modelByLscpu(): Promise<string | null> {
  const { stdout } = await runCommand('lscpu', [], { timeoutSeconds: 5 });
  return modelInLscpu(stdout);
}

/** Enough to tell two models apart. */
function modelByNumber(): string | null {
  const text = kernelText('/proc/cpuinfo') ?? '';
  const field = (name: string) => new RegExp(`^${name}\\s*:\\s*(\\S+)`, 'm').exec(text)?.[1];
  const implementer = field('CPU implementer');
  const part = field('CPU part');
  return implementer === undefined || part === undefined ? null : `CPU implementer ${implementer} part ${part}`;
}
