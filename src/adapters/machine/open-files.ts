import { runCommand } from '../process/command.ts';
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
  const match = /^CapEff:\s*([0-9a-f]+)/m.exec(kernelText(`/proc/${pid}/status`) ?? '');
  return match !== null && (BigInt(`0x${match[1]}`) & (1n << 24n)) !== 0n;
}

/**
 * Raises the limit of this process, and so of all that it starts from now on, to `needed` at least.
 * Resolves to whether it is high enough in the end; the soft limit follows, as Node.js itself lets it at its start.
 */
export async function raiseOpenFiles(needed: number): Promise<boolean> {
  const limit = readOpenFilesLimit();
  if (limit === null || limit.hard >= needed) return true;
  if (!mayRaiseLimits() || limit.kernelMost < needed) return false;
  const raised = await runCommand('prlimit', [`--pid=${process.pid}`, `--nofile=${needed}:${needed}`]);
  return raised.failure === null;
}
