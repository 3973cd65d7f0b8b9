import { hasCapability } from './capabilities.ts';
import { kernelNumber, kernelText } from './kernel-files.ts';

export interface OpenFilesLimit {
  /** Infinity where there is none. */
  hard: number;
  /** `fs.nr_open`: the most that a hard limit can be raised to. */
  kernelMost: number;
}

/** Limit of a process; null where the kernel does not tell. */
export function readOpenFilesLimit(pid: number | 'self' = 'self'): OpenFilesLimit | null {
  const match = /^Max open files\s+\S+\s+(\S+)/m.exec(kernelText(`/proc/${pid}/limits`) ?? '');
  if (match === null) return null;
  const hard = match[1] === 'unlimited' ? Number.POSITIVE_INFINITY : Number(match[1]);
  return { hard, kernelMost: kernelNumber('/proc/sys/fs/nr_open') ?? hard };
}

/** CAP_SYS_RESOURCE, without which not even root raises a hard limit. */
export function mayRaiseLimits(pid: number | 'self' = 'self'): boolean {
  return hasCapability('CAP_SYS_RESOURCE', pid);
}
