import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { isProvenDead as isDeadBefore, type OwnerWitness, ownerText, runningPid } from '../../core/topology/labels.ts';
import { processStat } from './process-table.ts';

/**
 * What this machine knows of its boot, of our pid namespace and of the processes in it. `elsewhere`: for what another
 * machine holds. Without an engine to ask, any container may run.
 */
export function readWitness(elsewhere = false): OwnerWitness {
  return { bootId: bootId(elsewhere), pidNamespace: pidNamespace(), startTimeOf, elsewhere, mayRun: () => true };
}

/** Who owns what this process starts, in a form that another process can check later: see `ownerText`. */
export function ownIdentity(elsewhere = false): string {
  const { bootId, pidNamespace } = readWitness(elsewhere);
  return ownerText({ bootId, pidNamespace, pid: process.pid, startTime: startTimeOf(process.pid) ?? '0', elsewhere });
}

/** What the processes of one part or of one generator are marked with; `name` is unlike those of the owner's other groups. */
export function groupId(owner: string, name: string | number): string {
  return `${owner}@${name}`;
}

export function ownerOfGroup(id: string): string {
  return id.split('@')[0] ?? '';
}

/** True only where it is certain that the owner runs no more; see `core/topology/labels.ts`. */
export function isProvenDead(owner: string): boolean {
  return isDeadBefore(owner.trim(), readWitness());
}

/** How long a process that is asked to end may take, and how long a killed one. */
export interface EndingTimes {
  graceMs: number;
  killMs: number;
}

/**
 * Ends the process that `owner` names, if it still is that one: asks first, and kills it after the grace. Resolves to
 * whether there was one to end.
 */
export async function endOwner(owner: string, { graceMs, killMs }: EndingTimes): Promise<boolean> {
  const running = () => runningPid(owner.trim(), readWitness());
  const pid = running();
  if (pid === null || pid === process.pid) return false;
  for (const [signal, patienceMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', killMs],
  ] as const) {
    if (!signalled(pid, signal)) return false;
    const deadline = performance.now() + patienceMs;
    while (running() !== null && performance.now() < deadline) await sleep(50);
    if (running() === null) break;
  }
  return true;
}

function signalled(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    // It has just ended, or is another user's.
    return false;
  }
}

/**
 * Without `/proc` an earlier boot is not told apart; start times of the calendar tell its processes apart all the same.
 * Among the clients of an engine elsewhere the machine's name takes the place of the boot: two of them are two machines.
 */
function bootId(elsewhere: boolean): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  } catch {
    return elsewhere ? createHash('sha256').update(hostname()).digest('hex').slice(0, 32) : '0';
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
