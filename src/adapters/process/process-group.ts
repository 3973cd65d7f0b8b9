import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestbedError } from '../../app/ports/testbed.ts';
import { withoutColours } from '../../core/format/text.ts';
import { type CpuLimit, createCpuLimit } from './cpu-limit.ts';
import { forgetGroup, standGuard, type WatchedGroup, watchGroup } from './guard.ts';
import { createMemoryLimit, type MemoryLimit } from './memory-limit.ts';
import { mostOpenFiles } from './open-files.ts';
import { markedProcesses, ProcessTree, TESTBED_VARIABLE } from './process-tree.ts';
import { findProgram, requireTool } from './programs.ts';
import type { SystemUser } from './system-user.ts';

export interface GroupPlan {
  /** For sentences: `service api`, `Postgres`. */
  title: string;
  /** Unlike those of every other group on this machine. */
  id: string;
  command: string[];
  directory: string;
  /** The whole environment. */
  env: Record<string, string>;
  cpus: string | null;
  openFiles: number | null;
  memoryBytes: number | null;
  /** CPUs' worth of time that it may use; absent or null for all of its CPUs'. */
  cpuQuota?: number | null;
  user: SystemUser | null;
  /** First words of a command in the network that it is started in; absent for that of this machine. */
  enter?: readonly string[];
  logFile: string;
  /** What asks it to end in order, and how long it may take before it is killed. */
  endSignal: 'SIGTERM' | 'SIGQUIT';
  graceSeconds: number;
  /** What it gets when this process is killed: Postgres cleans its shared memory up on QUIT. */
  orphanSignal: 'KILL' | 'QUIT';
}

interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A part of a testbed: a leader with all that it starts. */
export interface ProcessGroup {
  pid: number;
  title: string;
  tree: ProcessTree;
  /** Its ports are others than those of this machine. */
  hasOwnNetwork: boolean;
  /** Null while the leader runs. */
  exit(): Exit | null;
  /**
   * How it ended, as the rest of a sentence, and what else that may mean, after it; null while the leader runs and the kernel has killed
   * none of it.
   */
  ending(): { outOfMemory: boolean; words: string; doubt: string } | null;
  /** `fromByte`: without what was printed before it, as `printedBytes` had it then; absent for all. */
  lastLines(count: number, fromByte?: number): string[];
  /** Bytes that all of it has printed. */
  printedBytes(): number;
  /** Ends all of it, in order where that takes no longer than its plan says, or `graceSeconds`; never rejects, safe to call twice. */
  stop(graceSeconds?: number): Promise<void>;
}

const POLL_MS = 20;

/**
 * Starts a command as the leader of a session and process group of its own, held to its CPUs and limits.
 * Rejects with `TestbedError`: 'start-failed' where there is no such program or folder, 'tool-missing'.
 */
export async function startGroup(plan: GroupPlan): Promise<ProcessGroup> {
  const [program = '', ...args] = plan.command;
  checkStartable(plan, program);
  const limit = plan.memoryBytes === null ? null : createMemoryLimit(plan.id, plan.memoryBytes);
  const cpuLimit = cpuLimitOf(plan, limit);
  const release = () => {
    limit?.remove();
    cpuLimit?.remove();
  };
  const [wrapper = '', ...wrapped] = [...wrappers(plan, [limit, cpuLimit]), program, ...args];
  const log = openSync(plan.logFile, 'a');
  let child: ChildProcess;
  try {
    standGuard();
    child = spawn(wrapper, wrapped, {
      cwd: plan.directory,
      env: { ...plan.env, [TESTBED_VARIABLE]: plan.id },
      stdio: ['ignore', log, log],
      detached: true,
    });
    await new Promise<void>((started, failed) => child.once('spawn', started).once('error', failed));
  } catch (error) {
    release();
    throw new TestbedError('start-failed', `${plan.title} could not be started: ${(error as Error).message}.`);
  } finally {
    closeSync(log);
  }
  child.on('error', () => {});
  child.unref();
  return follow(plan, child, limit, release);
}

/** `exited with status 1`, `was ended by SIGSEGV`. */
function describeExit(exit: Exit): string {
  return exit.signal === null ? `exited with status ${exit.code}` : `was ended by ${exit.signal}`;
}

/** Rejects what cannot be kept: unlimited, it would be measured as another service. */
function cpuLimitOf({ id, title, cpuQuota = null }: GroupPlan, memory: MemoryLimit | null): CpuLimit | null {
  if (cpuQuota === null) return null;
  try {
    if (process.platform !== 'linux') throw new Error(`${process.platform} has no cgroups`);
    return createCpuLimit(id, cpuQuota);
  } catch (error) {
    memory?.remove();
    throw new TestbedError('start-failed', noCpuLimit(title, cpuQuota, (error as Error).message));
  }
}

/** `title`: as in `Service api`. */
export function noCpuLimit(title: string, cpus: number, why: string): string {
  return `${title} is to have ${cpus} CPUs (\`cpus\`), and CPU time cannot be limited here (${why}). Run as root, or with --runtime docker, or give it whole CPUs.`;
}

function follow(plan: GroupPlan, child: ChildProcess, limit: MemoryLimit | null, release: () => void): ProcessGroup {
  const pid = child.pid!;
  const tree = new ProcessTree(pid);
  const watched: WatchedGroup = { group: pid, signal: plan.orphanSignal === 'QUIT' ? 'QUIT' : 'TERM' };
  watchGroup(watched);
  let stopping: Promise<void> | null = null;
  const exit = () => {
    if (child.exitCode === null && child.signalCode === null) return null;
    return { code: child.exitCode, signal: child.signalCode };
  };
  return {
    pid,
    title: plan.title,
    tree,
    hasOwnNetwork: plan.enter !== undefined,
    exit,
    ending() {
      const ended = exit();
      if (limit !== null && limit.outOfMemoryKills() > 0) {
        return {
          outOfMemory: true,
          words: `needed more than the ${megabytes(plan.memoryBytes)} that it may have`,
          doubt: '',
        };
      }
      if (ended === null) return null;
      const doubt =
        ended.signal === 'SIGKILL'
          ? ', which is also how the kernel ends a process when the machine has no memory left (`dmesg` says so then)'
          : '';
      return { outOfMemory: false, words: describeExit(ended), doubt };
    },
    lastLines: (count, fromByte) => lastLines(plan.logFile, count, fromByte),
    printedBytes: () => statSync(plan.logFile, { throwIfNoEntry: false })?.size ?? 0,
    stop(graceSeconds = plan.graceSeconds) {
      stopping ??= end({ ...plan, graceSeconds }, tree, exit).finally(() => {
        forgetGroup(watched);
        release();
      });
      return stopping;
    },
  };
}

async function end(plan: GroupPlan, tree: ProcessTree, exit: () => Exit | null): Promise<void> {
  const linux = process.platform === 'linux';
  // Zombies count as gone: whoever has inherited them may take its time.
  const inGroup = () => (linux ? tree.running().some(({ group }) => group === tree.leader) : exists(-tree.leader));
  const inOrder = () => exit() === null || inGroup();
  const alive = () => exit() === null || (linux ? tree.running().length > 0 : exists(-tree.leader));
  if (inOrder()) {
    signal(-tree.leader, plan.endSignal);
    await whileTrue(inOrder, plan.graceSeconds);
  }
  if (alive()) {
    signal(-tree.leader, 'SIGKILL');
    for (const member of tree.running()) signal(member.pid, 'SIGKILL');
    await whileTrue(alive, 5);
  }
  // What has left both the session and its parents still carries the mark.
  if (linux) for (const stray of markedProcesses((value) => value === plan.id)) signal(stray.pid, 'SIGKILL');
}

async function whileTrue(condition: () => boolean, seconds: number): Promise<void> {
  const deadline = performance.now() + seconds * 1000;
  while (condition() && performance.now() < deadline) await sleep(POLL_MS);
}

/** What root would need to enter the network of this machine, or to make a way out of its own. */
const WITHOUT_WAY_OUT = ['--inh-caps', '-net_admin,-sys_admin', '--bounding-set', '-net_admin,-sys_admin'];

/** Each replaces itself by the next, so that the leader keeps its process id. */
function wrappers(plan: GroupPlan, limits: readonly (MemoryLimit | CpuLimit | null)[]): string[] {
  if (process.platform !== 'linux') return [];
  const parts: string[] = [...(plan.enter ?? [])];
  const joinFiles = new Set(limits.flatMap((limit) => limit?.joinFile ?? []));
  for (const file of joinFiles) parts.push('/bin/sh', '-c', 'echo $$ > "$0" && exec "$@"', file);
  if (plan.openFiles !== null) {
    const files = Math.min(plan.openFiles, mostOpenFiles());
    parts.push(requireTool('prlimit'), `--nofile=${files}:${files}`);
  }
  if (plan.cpus !== null) parts.push(requireTool('taskset'), '-c', plan.cpus);
  // Last, because the kernel forgets the signal when the user changes.
  parts.push(requireTool('setpriv'), '--pdeathsig', plan.orphanSignal);
  if (plan.enter !== undefined) parts.push(...WITHOUT_WAY_OUT);
  if (plan.user !== null) parts.push('--reuid', `${plan.user.uid}`, '--regid', `${plan.user.gid}`, '--clear-groups');
  parts.push('--');
  return parts;
}

function checkStartable(plan: GroupPlan, program: string): void {
  if (!statSync(plan.directory, { throwIfNoEntry: false })?.isDirectory()) {
    throw new TestbedError('start-failed', `${plan.title} could not be started: there is no folder ${plan.directory}.`);
  }
  if (findProgram(program, plan.directory, plan.env.PATH) !== null) return;
  const where = program.includes('/') ? `in ${plan.directory}` : 'on the PATH';
  throw new TestbedError(
    'start-failed',
    `${plan.title} could not be started: there is no program \`${program}\` ${where}. Install it, or correct the command.`,
  );
}

function signal(pid: number, name: NodeJS.Signals): void {
  try {
    process.kill(pid, name);
  } catch {
    // It has ended meanwhile.
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function megabytes(bytes: number | null): string {
  return `${Math.round((bytes ?? 0) / 1024 ** 2)} MiB`;
}

const TAIL_BYTES = 64 * 1024;

/** The last lines of a file, oldest first, without empty ones; empty where there is no file. Reads 64 KiB at most. */
function lastLines(path: string, count: number, fromByte = 0): string[] {
  let file: number;
  try {
    file = openSync(path, 'r');
  } catch {
    return [];
  }
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - TAIL_BYTES, Math.min(fromByte, size));
    const tail = Buffer.alloc(size - from);
    const lines = withoutColours(tail.toString('utf8', 0, readSync(file, tail, 0, tail.length, from))).split(/\r?\n/);
    if (from > fromByte) lines.shift();
    return lines.filter((line) => line.trim() !== '').slice(-count);
  } finally {
    closeSync(file);
  }
}
