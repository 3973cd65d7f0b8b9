import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { RunRecord } from '../../../src/core/record/run-record.ts';

const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

export interface Ended {
  status: number | null;
  stdout: string;
  stderr: string;
}

export interface Running extends Ended {
  process: ChildProcess;
  /** Resolves when what it has printed on either stream fits. */
  prints(pattern: RegExp): Promise<void>;
  ended: Promise<Ended>;
}

export interface CallOptions {
  cwd?: string;
  env?: Record<string, string>;
  /** Another program in front of the command, as `setpriv` with its arguments. */
  under?: string[];
}

/** What V8 has compiled once: half of what a short call takes is compiling the bundle. */
const COMPILED = {
  NODE_COMPILE_CACHE: fileURLToPath(new URL('../../../node_modules/.cache/compiled', import.meta.url)),
};

/** Starts the built command, as a user would. */
export function start(args: string[], { cwd, env, under = [] }: CallOptions = {}): Running {
  const [program, ...rest] = [...under, process.execPath, CLI, ...args] as [string, ...string[]];
  const child = spawn(program, rest, {
    cwd,
    env: { ...process.env, ...COMPILED, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const waiting: { pattern: RegExp; resolve(): void; reject(error: Error): void }[] = [];
  const running: Running = {
    process: child,
    status: null,
    stdout: '',
    stderr: '',
    prints: (pattern) =>
      new Promise((resolve, reject) => {
        if (pattern.test(running.stdout + running.stderr)) resolve();
        else waiting.push({ pattern, resolve, reject });
      }),
    ended: new Promise((resolve) => {
      child.on('close', (status) => {
        running.status = status;
        const what = `the command ended with ${status}:\n${running.stderr}`;
        for (const { pattern, reject } of waiting) reject(new Error(`never printed ${pattern}; ${what}`));
        resolve({ status, stdout: running.stdout, stderr: running.stderr });
      });
    }),
  };
  const heard = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
    running[stream] += chunk;
    const all = running.stdout + running.stderr;
    for (const entry of waiting.filter(({ pattern }) => pattern.test(all))) {
      waiting.splice(waiting.indexOf(entry), 1);
      entry.resolve();
    }
  };
  child.stdout?.on('data', heard('stdout'));
  child.stderr?.on('data', heard('stderr'));
  return running;
}

export function wrkbench(args: string[], options: CallOptions = {}): Promise<Ended> {
  return start(args, options).ended;
}

export function recordIn(folder: string): RunRecord {
  return JSON.parse(readFileSync(path.join(folder, 'run.json'), 'utf8'));
}

/** Reason codes by case key; a valid case has none. */
export function reasonsIn(folder: string): Record<string, string[]> {
  return Object.fromEntries(recordIn(folder).cases.map(({ key, reasons }) => [key, reasons.map(({ code }) => code)]));
}
