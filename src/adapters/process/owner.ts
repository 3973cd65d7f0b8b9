import { spawnSync } from 'node:child_process';
import { readFileSync, readlinkSync } from 'node:fs';
import { isProvenDead as isDeadBefore, type OwnerWitness, ownerText } from '../../core/topology/labels.ts';
import { processStat } from './process-table.ts';

/** What this machine knows of its boot, of our pid namespace and of the processes in it. */
export function readWitness(): OwnerWitness {
  return { bootId: bootId(), pidNamespace: pidNamespace(), startTimeOf };
}

/** Who owns what this process starts, in a form that another process can check later: see `ownerText`. */
export function ownIdentity(): string {
  const { bootId, pidNamespace } = readWitness();
  return ownerText({ bootId, pidNamespace, pid: process.pid, startTime: startTimeOf(process.pid) ?? '0' });
}

/** True only where it is certain that the owner runs no more; see `core/topology/labels.ts`. */
export function isProvenDead(owner: string): boolean {
  return isDeadBefore(owner.trim(), readWitness());
}

/** Without `/proc` an earlier boot is not told apart; start times of the calendar tell its processes apart all the same. */
function bootId(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return '0';
  }
}

function pidNamespace(): string {
  try {
    return /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0] ?? '0';
  } catch {
    return '0';
  }
}

/** Null where no such process runs; a zombie runs no more. Seconds of the calendar where there is no `/proc`. */
function startTimeOf(pid: number): string | null {
  if (process.platform === 'linux') {
    const stat = processStat(pid);
    return stat === null || stat.state === 'Z' || stat.state === 'X' ? null : String(stat.startTicks);
  }
  const ps = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    env: { LC_ALL: 'C', TZ: 'UTC' },
  });
  const seconds = Date.parse(`${ps.stdout?.trim()} UTC`) / 1000;
  return Number.isFinite(seconds) ? String(seconds) : null;
}
