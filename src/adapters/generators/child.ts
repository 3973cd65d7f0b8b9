import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { GeneratorNotStarted } from '../../app/ports/generators.ts';
import { endMarked } from '../process/ending.ts';
import { TESTBED_VARIABLE } from '../process/process-tree.ts';
import { BoundedText } from './bounded-text.ts';
import { ChildCpu } from './child-cpu.ts';
import type { ConfinedCommand } from './confinement.ts';
import type { FinishLane } from './finish-line.ts';
import type { Lane } from './start-line.ts';

export interface ChildPlan {
  command: ConfinedCommand;
  directory: string;
  /** The whole environment, but for the mark. */
  env: Record<string, string>;
  /**
   * Unlike that of every other process on this machine: what it starts is known by it, wherever that has gone, and ends with it.
   * Without one what has left its group is not looked for.
   */
  mark?: string | undefined;
  /** A file of ours that it has open as its third descriptor. */
  handed?: number | undefined;
  /** Of its load, and as much to get ready. */
  timeoutSeconds: number;
  /** How many CPUs it is held to; null for all. */
  cpuCount: number | null;
  /** What it says when it is ready, and where it then waits for a line on its standard input; null where it begins at once. */
  start: { readyLine: string; lane: Lane } | null;
  /** What it says last, when its load has ended, and where it then waits for the end of its standard input; by default it just ends. */
  finish?: { endedLine: string; lane: FinishLane } | null | undefined;
  /** After so much load it gets SIGINT. */
  interruptAfterSeconds?: number | undefined;
  onTick?: ((tick: { elapsedNs: number }) => void) | undefined;
  onEnd?: (() => void) | undefined;
}

export interface ChildRun {
  /** When its load began; where it got no further, its process. All but the exit is from there on. */
  startedNs: number;
  /** To the end of its load, where it says when that is. */
  durationNs: number;
  cpuNs: number;
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  timedOut: boolean;
  /** Without the lines that say that it is ready and that its load has ended. */
  stdout: string;
  stderr: string;
}

const TICK_MS = 100;
const GRACE_MS = 1000;

/**
 * Runs one program to its end in a process group of its own; whatever the way out, nothing of the group is left, nor of what
 * carries its mark.
 * It is launched before this returns. Rejects with the signal's reason when aborted, with `GeneratorNotStarted`, or with
 * what `onTick`, `onEnd`, the start line's `onStart` or the finish line's `whileOpen` threw.
 */
export async function runChild(plan: ChildPlan, signal: AbortSignal): Promise<ChildRun> {
  signal.throwIfAborted();
  const { start, finish = null } = plan;
  const stdout = new BoundedText();
  const stderr = new BoundedText();
  let startedNs = monotonicNs();
  const child = spawn(plan.command.program, plan.command.arguments, {
    cwd: plan.directory,
    env: { ...plan.env, ...(plan.mark === undefined ? {} : { [TESTBED_VARIABLE]: plan.mark }) },
    detached: true,
    stdio: [start === null ? 'ignore' : 'pipe', 'pipe', 'pipe', ...(plan.handed === undefined ? [] : [plan.handed])],
  });
  // It may end before it has read the word to begin.
  child.stdin?.on('error', () => {});
  child.stderr?.on('data', (chunk: Buffer) => stderr.add(chunk));
  const { pid } = child;

  return new Promise<ChildRun>((resolve, reject) => {
    if (pid === undefined) {
      start?.lane.leave();
      child.once('error', (error) => reject(new GeneratorNotStarted(`${error.message}.`)));
      return;
    }
    const cpu = new ChildCpu(pid, startedNs, plan.cpuCount ?? availableParallelism());
    let rejection: { reason: unknown } | null = null;
    let timedOut = false;
    let ended: { durationNs: number; cpuNs: number } | null = null;
    let killer: NodeJS.Timeout | undefined;
    let ticker: NodeJS.Timeout | undefined;
    let interrupter: NodeJS.Timeout | undefined;
    let letGo: NodeJS.Timeout | undefined;
    let strays = Promise.resolve();

    const end = () => {
      start?.lane.leave();
      finish?.lane.leave();
      killer ??= setTimeout(() => killGroup(pid, 'SIGKILL'), GRACE_MS);
      killGroup(pid, 'SIGTERM');
    };
    const refuse = (reason: unknown) => {
      rejection ??= { reason };
      end();
    };
    const onAbort = () => refuse(signal.reason);
    const tick = () => {
      const nowNs = monotonicNs();
      cpu.read(nowNs);
      try {
        plan.onTick?.({ elapsedNs: nowNs - startedNs });
      } catch (error) {
        refuse(error);
      }
    };
    // Again and again: wrk ignores it until all its threads have been made, and does not mind it once it stops.
    const interrupt = () => {
      killGroup(pid, 'SIGINT');
      interrupter = setTimeout(interrupt, TICK_MS);
    };
    const limited = () =>
      setTimeout(() => {
        timedOut = true;
        end();
      }, plan.timeoutSeconds * 1000);
    let limit = limited();

    const begin = () => {
      ticker = setInterval(tick, TICK_MS);
      const { interruptAfterSeconds } = plan;
      if (interruptAfterSeconds !== undefined) interrupter = setTimeout(interrupt, interruptAfterSeconds * 1000);
    };
    const go = () => {
      startedNs = monotonicNs();
      if (finish === null) child.stdin?.end('go\n');
      else child.stdin?.write('go\n');
      cpu.start(startedNs);
      limit = limited();
      begin();
    };
    const onReady = () => {
      cpu.read(monotonicNs());
      // However long it has to wait for another one, which has a limit of its own.
      clearTimeout(limit);
      start?.lane.ready({ go, refuse });
    };
    const spentUntil = (endedNs: number) => ({ durationNs: endedNs - startedNs, cpuNs: cpu.total(endedNs) });
    const onLoadEnd = () => {
      if (ended !== null) return;
      const endedNs = monotonicNs();
      try {
        plan.onEnd?.();
      } catch (error) {
        refuse(error);
      }
      ended = spentUntil(endedNs);
      clearInterval(ticker);
      clearTimeout(interrupter);
    };
    const onEnded = () => {
      onLoadEnd();
      finish?.lane.ended().then(() => child.stdin?.end(), refuse);
    };
    const keep = (chunk: Buffer) => stdout.add(chunk);
    const whole = finish === null ? keep : withoutEndedLine(finish.endedLine, onEnded, keep);
    child.stdout?.on('data', start === null ? whole : withoutReadyLine(start.readyLine, onReady, whole));
    if (start === null) begin();
    signal.addEventListener('abort', onAbort, { once: true });

    child.once('exit', () => {
      onLoadEnd();
      // What was to end long ago is told by when it did.
      if (timedOut) ended = spentUntil(monotonicNs());
      start?.lane.leave();
      finish?.lane.leave();
      clearTimeout(limit);
      // What it has started itself and left behind; it would also hold our pipes open.
      killGroup(pid, 'SIGKILL');
      if (plan.mark !== undefined) strays = endMarked(plan.mark);
      // What has left the group and hidden its mark holds them open as long as it likes.
      letGo = setTimeout(() => {
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, GRACE_MS);
    });
    child.once('close', async (exitCode, endSignal) => {
      clearTimeout(killer);
      clearTimeout(letGo);
      await strays;
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
function monotonicNs(): number {
  return Number(process.hrtime.bigint());
}

function killGroup(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(-pid, name);
  } catch {
    // Nobody of it is left.
  }
}

/**
 * Takes the line by which a program says that it is ready off the beginning of its output. The rest goes to `rest` as it
 * comes; all of it does where the output begins otherwise.
 */
export function withoutReadyLine(
  line: string,
  onReady: () => void,
  rest: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  const awaited = Buffer.from(`${line}\n`);
  let begun: Buffer | null = Buffer.alloc(0);
  return (chunk) => {
    if (begun === null) return rest(chunk);
    begun = Buffer.concat([begun, chunk]);
    const compared = Math.min(begun.length, awaited.length);
    const agrees = begun.subarray(0, compared).equals(awaited.subarray(0, compared));
    if (agrees && begun.length < awaited.length) return;
    const own = agrees ? begun.subarray(awaited.length) : begun;
    begun = null;
    if (own.length > 0) rest(own);
    if (agrees) onReady();
  };
}

/**
 * Takes the line by which a program says that its load has ended off its output, wherever that stands. The rest goes to `rest` as
 * it comes, but for a beginning of the line, which is kept until it is known to be one.
 */
export function withoutEndedLine(
  line: string,
  onEnded: () => void,
  rest: (chunk: Buffer) => void,
): (chunk: Buffer) => void {
  const awaited = Buffer.from(`${line}\n`);
  let held = Buffer.alloc(0);
  return (chunk) => {
    const text = Buffer.concat([held, chunk]);
    const at = text.indexOf(awaited);
    if (at >= 0) {
      held = Buffer.alloc(0);
      const others = Buffer.concat([text.subarray(0, at), text.subarray(at + awaited.length)]);
      if (others.length > 0) rest(others);
      onEnded();
      return;
    }
    let kept = Math.min(text.length, awaited.length - 1);
    while (!awaited.subarray(0, kept).equals(text.subarray(text.length - kept))) kept -= 1;
    held = text.subarray(text.length - kept);
    if (text.length > kept) rest(text.subarray(0, text.length - kept));
  };
}
