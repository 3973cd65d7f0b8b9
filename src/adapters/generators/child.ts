import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { GeneratorNotStarted } from '../../app/ports/generators.ts';
import { BoundedText } from './bounded-text.ts';
import { ChildCpu } from './child-cpu.ts';
import type { ConfinedCommand } from './confinement.ts';

export interface ChildPlan {
  command: ConfinedCommand;
  directory: string;
  /** The whole environment. */
  env: Record<string, string>;
  timeoutSeconds: number;
  /** How many CPUs it is held to; null for all. */
  cpuCount: number | null;
  onTick?: ((tick: { elapsedNs: number }) => void) | undefined;
  onEnd?: (() => void) | undefined;
}

export interface ChildRun {
  startedNs: number;
  durationNs: number;
  cpuNs: number;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  stdout: string;
  stderr: string;
}

const TICK_MS = 100;
const GRACE_MS = 1000;

/**
 * Runs one program to its end in a process group of its own; whatever the way out, nothing of the group is left.
 * It is launched before this returns. Rejects with the signal's reason when aborted, with `GeneratorNotStarted`, or with
 * what `onTick` or `onEnd` threw.
 */
export async function runChild(plan: ChildPlan, signal: AbortSignal): Promise<ChildRun> {
  signal.throwIfAborted();
  const stdout = new BoundedText();
  const stderr = new BoundedText();
  const startedNs = monotonicNs();
  const child = spawn(plan.command.program, plan.command.arguments, {
    cwd: plan.directory,
    env: plan.env,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk));
  const { pid } = child;

  return new Promise<ChildRun>((resolve, reject) => {
    if (pid === undefined) {
      child.once('error', (error) => reject(new GeneratorNotStarted(`${error.message}.`)));
      return;
    }
    const cpu = new ChildCpu(pid, startedNs, plan.cpuCount ?? availableParallelism());
    let rejection: { reason: unknown } | null = null;
    let timedOut = false;
    let ended: { durationNs: number; cpuNs: number } | null = null;
    let killer: NodeJS.Timeout | undefined;

    const end = () => {
      killer ??= setTimeout(() => killGroup(pid, 'SIGKILL'), GRACE_MS);
      killGroup(pid, 'SIGTERM');
    };
    const refuse = (reason: unknown) => {
      rejection ??= { reason };
      end();
    };
    const onAbort = () => refuse(signal.reason);
    const ticker = setInterval(() => {
      const nowNs = monotonicNs();
      cpu.read(nowNs);
      try {
        plan.onTick?.({ elapsedNs: nowNs - startedNs });
      } catch (error) {
        refuse(error);
      }
    }, TICK_MS);
    const limit = setTimeout(() => {
      timedOut = true;
      end();
    }, plan.timeoutSeconds * 1000);
    signal.addEventListener('abort', onAbort, { once: true });

    child.once('exit', () => {
      const endedNs = monotonicNs();
      try {
        plan.onEnd?.();
      } catch (error) {
        rejection ??= { reason: error };
      }
      ended = { durationNs: endedNs - startedNs, cpuNs: cpu.total(endedNs) };
      clearInterval(ticker);
      clearTimeout(limit);
      // What it has started itself and left behind; it would also hold our pipes open.
      killGroup(pid, 'SIGKILL');
    });
    child.once('close', (exitCode, endSignal) => {
      clearTimeout(killer);
      signal.removeEventListener('abort', onAbort);
      if (rejection !== null) reject(rejection.reason);
      else {
        resolve({
          startedNs,
          ...ended!,
          exitCode,
          signal: endSignal,
          timedOut,
          stdout: stdout.toString(),
          stderr: stderr.toString(),
        });
      }
    });
    child.on('error', () => {});
  });
}

/** The clock that every duration is read from. */
export function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}

function killGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // Nobody of it is left.
  }
}
