import { execa } from 'execa';
import { childEnvironment } from './child-environment.ts';
import { standGuard, watchLeader } from './guard.ts';

export interface CommandOptions {
  cwd?: string;
  /** The whole environment; by default `childEnvironment()`. */
  env?: Record<string, string>;
  timeoutSeconds?: number;
  /** Given on standard input; by default the command finds it empty. */
  input?: string | Uint8Array;
  /** Of each output; a command that prints more is ended. 8 MB by default. */
  maxOutputBytes?: number;
  signal?: AbortSignal;
  /** Called for each line of both outputs as it comes. */
  onLine?: (line: string) => void;
}

/** How a command ended. It succeeded where `failure` is null. */
export interface CommandResult {
  /** Null where it could not be started or was ended by a signal. */
  exitCode: number | null;
  signal: string | null;
  stdout: string;
  stderr: string;
  timedOut: boolean;
  /** False where there is no such program. */
  found: boolean;
  /** A sentence with what it said last. */
  failure: string | null;
}

const KILL_AFTER_MS = 2_000;

/**
 * Runs a short command to its end; its output is kept. It is the leader of a group of its
 * own, and is ended with all that it has started: a grandchild that lives on would keep its output open.
 * Resolves however it ended; rejects only with the signal's reason when aborted.
 */
export async function runCommand(
  program: string,
  args: string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  options.signal?.throwIfAborted();
  standGuard();
  const command = execa(program, args, {
    env: options.env ?? childEnvironment(),
    extendEnv: false,
    input: options.input ?? '',
    reject: false,
    // Kept once more for whoever listens, and for nobody else.
    all: options.onLine !== undefined,
    detached: true,
    maxBuffer: options.maxOutputBytes ?? 8_000_000,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
  });
  if (options.onLine) void forwardLines(command.iterable({ from: 'all' }), options.onLine);
  const limits = holdToLimits(command.pid, options);
  const ended = await command.finally(limits.lift);
  options.signal?.throwIfAborted();
  const result: Omit<CommandResult, 'failure'> = {
    exitCode: ended.exitCode ?? null,
    signal: ended.signal ?? null,
    stdout: ended.stdout,
    stderr: ended.stderr,
    timedOut: limits.timedOut(),
    found: ended.code !== 'ENOENT',
  };
  return { ...result, failure: ended.failed ? sentence(program, args, result, options) : null };
}

/** Ends the group when its time is over, when the run is interrupted, and when this process ends. */
function holdToLimits(group: number | undefined, options: CommandOptions): { timedOut(): boolean; lift(): void } {
  if (group === undefined) return { timedOut: () => false, lift: () => {} };
  const forget = watchLeader(group);
  const timers: NodeJS.Timeout[] = [];
  let timedOut = false;
  const end = () => {
    signalGroup(group, 'SIGTERM');
    timers.push(setTimeout(() => signalGroup(group, 'SIGKILL'), KILL_AFTER_MS));
  };
  const outOfTime = () => {
    timedOut = true;
    end();
  };
  if (options.timeoutSeconds !== undefined) timers.push(setTimeout(outOfTime, options.timeoutSeconds * 1000));
  options.signal?.addEventListener('abort', end, { once: true });
  return {
    timedOut: () => timedOut,
    lift() {
      options.signal?.removeEventListener('abort', end);
      for (const timer of timers) clearTimeout(timer);
      forget();
    },
  };
}

function signalGroup(group: number, name: NodeJS.Signals): void {
  try {
    process.kill(-group, name);
  } catch {
    // It has ended meanwhile.
  }
}

async function forwardLines(lines: AsyncIterable<unknown>, onLine: (line: string) => void): Promise<void> {
  try {
    for await (const line of lines) onLine(String(line));
  } catch {
    // How the command ended is told by its result.
  }
}

function sentence(
  program: string,
  args: string[],
  result: Omit<CommandResult, 'failure'>,
  options: CommandOptions,
): string {
  const shown = [program, ...args.slice(0, 3)].join(' ') + (args.length > 3 ? ' …' : '');
  if (!result.found) return `${program} was not found on the PATH.`;
  const how = result.timedOut
    ? `did not end within ${options.timeoutSeconds} s`
    : result.signal
      ? `was ended by ${result.signal}`
      : result.exitCode === null
        ? 'could not be started'
        : `ended with status ${result.exitCode}`;
  const said = lastWords(result.stderr) || lastWords(result.stdout);
  return said === '' ? `\`${shown}\` ${how}.` : `\`${shown}\` ${how}: ${said}`;
}

function lastWords(output: string): string {
  return output
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .slice(-3)
    .join(' / ');
}
